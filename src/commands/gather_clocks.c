/* gather_clocks.c - captures of different clocks on one time axis, with the errors of that */
#include <stdlib.h>

#include "base/mem.h"
#include "commands/gather.h"
#include "model/clock_map.h"

/* The first and last time of a capture's samples or counters. */
static void times_of(const struct gathered_capture *capture, uint64_t *ret_first,
		     uint64_t *ret_last)
{
	const struct series_list *series = &capture->profile.capture.series;

	*ret_first = UINT64_MAX;
	*ret_last = 0;
	if (capture->samples.nr) {
		*ret_first = capture->samples.cells[0].slot * UTILISATION_SLOT_NS;
		*ret_last =
			capture->samples.cells[capture->samples.nr - 1].slot * UTILISATION_SLOT_NS;
	}
	for (uint32_t i = 0; i < series->nr; i++) {
		if (!series->list[i].points)
			continue;
		if (series->list[i].start_ns < *ret_first)
			*ret_first = series->list[i].start_ns;
		if (series->list[i].last_ns > *ret_last)
			*ret_last = series->list[i].last_ns;
	}
}

/* Clocks since a boot are one where the times overlap: another boot's would hardly do that. */
static bool is_one_clock(const struct gathered_capture *a, const struct gathered_capture *b)
{
	enum source_clock clock = a->profile.capture.clock;
	uint64_t a_first, a_last, b_first, b_last;

	if (clock != b->profile.capture.clock || clock == SOURCE_CLOCK_UNKNOWN ||
	    clock == SOURCE_CLOCK_START || clock == SOURCE_CLOCK_NONE)
		return false;
	times_of(a, &a_first, &a_last);
	times_of(b, &b_first, &b_last);
	return clock == SOURCE_CLOCK_REALTIME || (a_first <= b_last && b_first <= a_last);
}

static void shift_counters(struct gathered_capture *capture)
{
	for (uint32_t i = 0; i < capture->counters.nr; i++) {
		struct track *track = &capture->counters.list[i].track;

		for (size_t k = 0; k < track->nr; k++) {
			track->begin_ns[k] += (uint64_t)capture->offset_ns;
			track->end_ns[k] += (uint64_t)capture->offset_ns;
		}
	}
}

/* The offset at the middle of what it is at the capture's two ends. */
static struct error *tie(const struct clock_map *map, uint32_t source, uint32_t axis,
			 struct gathered_capture *capture)
{
	struct clock_time first, last;
	uint64_t first_ns, last_ns;
	int64_t at_first, at_last;
	struct error *err;

	times_of(capture, &first_ns, &last_ns);
	err = clock_map_time(map, source, first_ns, axis, &first);
	if (!err)
		err = clock_map_time(map, source, last_ns, axis, &last);
	if (err)
		return err;
	at_first = (int64_t)(first.time_ns - first_ns);
	at_last = (int64_t)(last.time_ns - last_ns);
	capture->offset_ns = at_first + (at_last - at_first) / 2;
	capture->error_ns = (first.error_ns > last.error_ns ? first.error_ns : last.error_ns) +
			    (uint64_t)llabs(at_last - at_first) / 2 + 1;
	capture->samples.offset_ns = capture->offset_ns;
	shift_counters(capture);
	return NULL;
}

static void choose_axis(struct gathered *gathered)
{
	gathered->axis = gathered->samples;
	for (size_t i = gathered->nr; i-- > 0;) {
		if (gathered->list[i]->counters.nr) {
			gathered->has_counters = true;
			gathered->axis = gathered->list[i];
		}
	}
}

void gather_settle_clocks(struct gathered *gathered)
{
	struct clock_source *sources = mem_alloc((gathered->nr + 1) * sizeof(*sources));
	struct clock_map map = {sources, (uint32_t)gathered->nr, &gathered->ties, NULL};
	uint32_t axis = 0;

	choose_axis(gathered);
	for (size_t i = 0; i < gathered->nr; i++) {
		sources[i] = (struct clock_source){gathered->list[i]->name,
						   gathered->list[i]->profile.capture.clock};
		if (gathered->list[i] == gathered->axis)
			axis = (uint32_t)i;
	}
	for (uint32_t i = 0; i < gathered->nr && gathered->axis; i++) {
		struct gathered_capture *capture = gathered->list[i];

		if (i != axis && (capture->samples.nr || capture->counters.nr) &&
		    !is_one_clock(capture, gathered->axis))
			capture->untied = tie(&map, i, axis, capture);
	}
	free(sources);
}
