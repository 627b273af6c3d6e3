/* gather_clocks.c - captures of different clocks on one time axis, with the errors of that */
#include <stdio.h>
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
	capture->error_ns = first.error_ns > last.error_ns ? first.error_ns : last.error_ns;
	if (capture->error_ns || at_last != at_first)
		capture->error_ns += (uint64_t)llabs(at_last - at_first) / 2 + 1;
	capture->samples.offset_ns = capture->offset_ns;
	shift_counters(capture);
	return NULL;
}

/* Also counters of which a range leaves none. */
static bool has_counters(const struct gathered_capture *capture)
{
	const struct series_list *series = &capture->profile.capture.series;

	for (uint32_t i = 0; i < series->nr; i++)
		if (series->list[i].points)
			return true;
	return false;
}

/* The first capture with counters that samples are tied to, else the first with counters. */
static void choose_axis(struct gathered *gathered, const struct clock_map *map, uint32_t samples)
{
	bool is_tied = false;

	gathered->axis = gathered->samples;
	for (uint32_t i = 0; i < gathered->nr && !is_tied; i++) {
		if (!has_counters(gathered->list[i]))
			continue;
		is_tied = gathered->samples && clock_map_is_tied(map, samples, i);
		if (!gathered->has_counters || is_tied)
			gathered->axis = gathered->list[i];
		gathered->has_counters = true;
	}
}

static struct clock_source source_of(const struct gathered_capture *capture)
{
	struct clock_source source = {.name = capture->name,
				      .clock = capture->profile.capture.clock};

	times_of(capture, &source.first_ns, &source.last_ns);
	source.has_times = source.first_ns <= source.last_ns;
	return source;
}

static uint32_t place_of(const struct gathered *gathered, const struct gathered_capture *capture)
{
	uint32_t i = 0;

	while (i < gathered->nr && gathered->list[i] != capture)
		i++;
	return i;
}

void gather_settle_clocks(struct gathered *gathered)
{
	struct clock_source *sources = mem_alloc((gathered->nr + 1) * sizeof(*sources));
	struct clock_map map = {sources, (uint32_t)gathered->nr, &gathered->ties, NULL};
	uint32_t axis;

	for (size_t i = 0; i < gathered->nr; i++)
		sources[i] = source_of(gathered->list[i]);
	choose_axis(gathered, &map, place_of(gathered, gathered->samples));
	axis = place_of(gathered, gathered->axis);
	for (uint32_t i = 0; i < gathered->nr && gathered->axis; i++) {
		struct gathered_capture *capture = gathered->list[i];

		if (i != axis && (capture->samples.nr || capture->counters.nr))
			capture->untied = tie(&map, i, axis, capture);
	}
	free(sources);
}

/* "run: note: nothing ties ...; left out; tephra align ..." */
void gather_tell_untied(const struct gathered *gathered, const char *samples, const char *others)
{
	for (size_t i = 0; i < gathered->nr; i++) {
		const struct gathered_capture *capture = gathered->list[i];
		const char *hint = capture->untied ? error_hint_text(capture->untied) : NULL;

		if (capture->untied)
			fprintf(stderr, "%s: note: %s; %s%s%s\n", capture->name,
				error_text(capture->untied),
				capture == gathered->samples ? samples : others, hint ? "; " : "",
				hint ? hint : "");
	}
}
