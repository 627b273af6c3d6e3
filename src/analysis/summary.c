/* summary.c - a sink that only counts: what is in a capture */
#include "analysis/summary.h"

#include <math.h>

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

/* The sum of this id; ids come in no order. */
static weight *sum_of(weight **list, size_t *nr, size_t *alloc, uint32_t id)
{
	while (*nr <= id) {
		GROW(*list, *nr + 1, *alloc);
		(*list)[(*nr)++] = 0;
	}
	return &(*list)[id];
}

static weight *leaf_of(struct summary *summary, uint32_t location)
{
	return sum_of(&summary->leaves, &summary->leaves_nr, &summary->leaves_alloc, location);
}

static void add_chain(struct summary *summary, const struct sample *sample)
{
	struct summary_walked *walked =
		&summary->walked[summary->capture->events.list[sample->event].walked_by];

	if (sample->flags & SAMPLE_HAS_UNWINDING) {
		*sum_of(&summary->unwindings, &summary->unwindings_nr, &summary->unwindings_alloc,
			sample->unwinding) += sample->count;
		return;
	}
	if (walked == summary->walked || sample->leaf == LOCATION_NONE)
		return;
	*sum_of(&walked->of_leaf, &walked->leaves_nr, &walked->leaves_alloc, sample->leaf) +=
		sample->count;
	*sum_of(&walked->of_stack, &walked->stacks_nr, &walked->stacks_alloc, sample->callers) +=
		sample->count;
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
	*sum_of(&summary->stacks, &summary->stacks_nr, &summary->stacks_alloc, sample->callers) +=
		sample->count;
	if (stacks_depth(&capture->stacks, sample->callers))
		summary->callchains += sample->count;
	pace_add(&summary->pace, sample);
	if (sample->flags & SAMPLE_HAS_TIME)
		add_time(summary, sample->time_ns);
	add_chain(summary, sample);
	while (summary->events_nr <= sample->event) {
		GROW(summary->events, summary->events_nr + 1, summary->events_alloc);
		summary->events[summary->events_nr++] = (struct summary_event){0};
	}
	summary->events[sample->event].samples += sample->count;
	summary->events[sample->event].period += sample->period;
	return NULL;
}

/* Where enabled and running are 0, nothing says. */
static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct summary_points *points = &((struct summary *)sink)->points;
	double running;

	(void)series;
	if (!point_has_value(point))
		return NULL;
	points->nr++;
	if (point->running_ns >= point->enabled_ns)
		return NULL;
	running = (double)point->running_ns / (double)point->enabled_ns;
	points->running_least = points->shared++ ? fmin(points->running_least, running) : running;
	return NULL;
}

void summary_init(struct summary *summary, const struct capture *capture)
{
	*summary = (struct summary){.sink = {.sample = on_sample, .point = on_point},
				    .capture = capture};
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

/* An event of this kind: what a frame is from depends on nothing else of it. */
static uint32_t event_of(const struct capture *capture, enum walked_by by)
{
	uint32_t event = 0;

	while (capture->events.list[event].walked_by != by)
		event++;
	return event;
}

static void add_frame(struct summary_chains *sums, enum found_by found, weight samples)
{
	sums->by_found[found] += samples;
	sums->frames += samples;
}

static void add_walked_stack(const struct summary *summary, enum walked_by by, uint32_t event,
			     uint32_t stack, struct summary_chains *sums)
{
	const struct capture *capture = summary->capture;
	const uint32_t *ids = stacks_ids(&capture->stacks, stack);
	uint32_t nr = stacks_depth(&capture->stacks, stack);
	weight samples = summary->walked[by].of_stack[stack];

	if (!samples)
		return;
	for (uint32_t i = 0; i < nr; i++)
		add_frame(sums, walked_found_by(capture, event, ids[i], false), samples);
	if (walked_chain_lacks_caller(capture, event, ids, nr))
		sums->lacks_caller += samples;
}

static void add_walked(const struct summary *summary, enum walked_by by,
		       struct summary_chains *sums)
{
	const struct summary_walked *walked = &summary->walked[by];
	const struct capture *capture = summary->capture;
	uint32_t event = walked->leaves_nr ? event_of(capture, by) : 0;

	for (uint32_t i = 0; i < walked->leaves_nr; i++) {
		weight samples = walked->of_leaf[i];

		if (!samples)
			continue;
		sums->samples += samples;
		sums->by_walked[by] += samples;
		sums->untold += samples;
		add_frame(sums, walked_found_by(capture, event, i, true), samples);
		if (by == WALKED_FRAME_POINTERS && walked_lacks_caller(capture, i))
			sums->lacks_caller += samples;
	}
	for (uint32_t i = 0; i < walked->stacks_nr; i++)
		add_walked_stack(summary, by, event, i, sums);
}

struct summary_chains summary_chains(const struct summary *summary)
{
	struct summary_unwinding unwound = summary_unwinding(summary);
	struct summary_chains sums = {.samples = unwound.samples, .frames = unwound.frames};

	sums.by_walked[WALKED_DUMPS] = unwound.samples;
	memcpy(sums.by_stop, unwound.by_stop, sizeof(sums.by_stop));
	memcpy(sums.by_found, unwound.by_found, sizeof(sums.by_found));
	for (int by = WALKED_UNKNOWN + 1; by < WALKED_BY_NR; by++)
		add_walked(summary, by, &sums);
	return sums;
}

void summary_release(struct summary *summary)
{
	for (int i = 0; i < WALKED_BY_NR; i++) {
		free(summary->walked[i].of_leaf);
		free(summary->walked[i].of_stack);
	}
	pace_release(&summary->pace);
	free(summary->stacks);
	free(summary->unwindings);
	free(summary->leaves);
	free(summary->events);
}
