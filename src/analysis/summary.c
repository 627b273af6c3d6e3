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

static void add_unwinding(struct summary *summary, const struct sample *sample)
{
	if (!(sample->flags & SAMPLE_HAS_UNWINDING))
		return;
	while (summary->unwindings_nr <= sample->unwinding) {
		GROW(summary->unwindings, summary->unwindings_nr + 1, summary->unwindings_alloc);
		summary->unwindings[summary->unwindings_nr++] = 0;
	}
	summary->unwindings[sample->unwinding] += sample->count;
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
	add_unwinding(summary, sample);
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

struct summary_unwinding summary_unwinding(const struct summary *summary)
{
	const struct unwindings *unwindings = &summary->capture->unwindings;
	struct summary_unwinding sums = {0};

	for (uint32_t i = 0; i < summary->unwindings_nr; i++) {
		const struct unwinding *unwinding = &unwindings->list[i];
		const char *found = unwindings_found(unwindings, i);
		weight samples = summary->unwindings[i];

		sums.samples += samples;
		sums.by_stop[unwinding->stop] += samples;
		for (uint32_t j = 0; j < unwinding->nr; j++) {
			enum found_by by = found_by_of_letter(found[j]);

			sums.by_found[by] += samples;
			sums.frames += by == FOUND_NOTHING ? 0 : samples;
		}
	}
	return sums;
}

void summary_release(struct summary *summary)
{
	free(summary->unwindings);
	free(summary->leaves);
	free(summary->events);
}
