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

static weight *leaf_of(struct summary *summary, uint32_t location)
{
	while (summary->leaves_nr <= location) {
		GROW(summary->leaves, summary->leaves_nr + 1, summary->leaves_alloc);
		summary->leaves[summary->leaves_nr++] = 0;
	}
	return &summary->leaves[location];
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct summary *summary = (struct summary *)sink;
	const struct capture *capture = summary->capture;

	summary->samples += sample->count;
	if (sample->leaf == LOCATION_NONE)
		summary->without_chain += sample->count;
	else
		*leaf_of(summary, sample->leaf) += sample->count;
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

static bool is_named(const struct summary *summary, uint32_t location)
{
	const struct capture *capture = summary->capture;
	uint32_t frames_nr;

	frames_of(&capture->frames, location, &frames_nr);
	return frames_nr || locations_get(&capture->locations, location)->name != NAME_NONE;
}

weight summary_unnamed(const struct summary *summary)
{
	weight unnamed = 0;

	for (uint32_t i = 0; i < summary->leaves_nr; i++)
		if (!is_named(summary, i))
			unnamed += summary->leaves[i];
	return unnamed;
}

struct summary_module *summary_modules(const struct summary *summary)
{
	const struct capture *capture = summary->capture;
	struct summary_module *modules = mem_zalloc(capture->modules.nr, sizeof(*modules));

	for (uint32_t i = 0; i < summary->leaves_nr; i++) {
		uint32_t module = locations_get(&capture->locations, i)->module;

		if (module == MODULE_NONE)
			continue;
		modules[module].samples += summary->leaves[i];
		if (is_named(summary, i))
			modules[module].named += summary->leaves[i];
	}
	return modules;
}

void summary_release(struct summary *summary)
{
	free(summary->leaves);
	free(summary->events);
}
