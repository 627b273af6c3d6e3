/* summary.c - a sink that only counts: what is in a capture */
#include "analysis/summary.h"

#include "base/mem.h"
#include "model/capture.h"

static void add_time(struct summary *summary, uint64_t time_ns)
{
	if (!summary->has_times || time_ns < summary->first_ns)
		summary->first_ns = time_ns;
	if (!summary->has_times || time_ns > summary->last_ns)
		summary->last_ns = time_ns;
	if (summary->has_times && time_ns < summary->previous_ns)
		summary->backwards++;
	summary->previous_ns = time_ns;
	summary->has_times = true;
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct summary *summary = (struct summary *)sink;
	const struct capture *capture = summary->capture;

	summary->samples += sample->count;
	if (sample->leaf == LOCATION_NONE)
		summary->without_chain += sample->count;
	else if (locations_get(&capture->locations, sample->leaf)->name == NAME_NONE)
		summary->unnamed += sample->count;
	if (stacks_depth(&capture->stacks, sample->callers))
		summary->callchains += sample->count;
	if (sample->flags & SAMPLE_HAS_TIME)
		add_time(summary, sample->time_ns);
	while (summary->events_nr <= sample->event) {
		GROW(summary->events, summary->events_nr + 1, summary->events_alloc);
		summary->events[summary->events_nr++] = (struct summary_event){0};
	}
	summary->events[sample->event].samples += sample->count;
	summary->events[sample->event].period += sample->period;
	return NULL;
}

void summary_init(struct summary *summary, const struct capture *capture)
{
	*summary = (struct summary){.sink = {.sample = on_sample}, .capture = capture};
}

struct summary_event summary_event(const struct summary *summary, uint32_t event)
{
	return event < summary->events_nr ? summary->events[event] : (struct summary_event){0};
}

void summary_release(struct summary *summary)
{
	free(summary->events);
}
