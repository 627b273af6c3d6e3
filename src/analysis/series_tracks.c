/* series_tracks.c - a sink of points that makes a track of each series of counters */
#include "analysis/series_tracks.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"

double series_tracks_scale(const struct capture *capture, const struct series *series)
{
	static const struct {
		const char *unit;
		double scale;
	} units[] = {
		{"ns", 1},	   {"us", 1e3},	  {"ms", 1e6},	    {"s", 1e9},
		{"percent", 0.01}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824},
	};
	const char *unit =
		series->unit == NAME_NONE ? "" : names_display(&capture->names, series->unit);

	for (size_t i = 0; i < ARRAY_NR(units); i++) {
		if (strcmp(unit, units[i].unit) == 0)
			return units[i].scale;
	}
	return 1;
}

static void begin(const struct series_tracks *tracks, uint32_t id, struct series_track *ret)
{
	const struct series *series = &tracks->capture->series.list[id];
	CLEANUP(text_release) struct text name = TEXT_INIT;

	text_add(&name, series_role_word(series->role));
	if (!name.size)
		series_add_display(&name, series, &tracks->capture->names);
	track_init(&ret->track, text_string(&name),
		   series->kind == SERIES_GAUGE ? TRACK_GAUGE : TRACK_RATE);
	ret->is_begun = true;
}

static struct series_track *track_of(struct series_tracks *tracks, uint32_t id)
{
	while (tracks->nr <= id) {
		GROW(tracks->list, (size_t)tracks->nr + 1, tracks->alloc);
		tracks->list[tracks->nr++] = (struct series_track){.is_begun = false};
	}
	if (!tracks->list[id].is_begun)
		begin(tracks, id, &tracks->list[id]);
	return &tracks->list[id];
}

static void add_difference(struct series_track *to, const struct point *point, double scale)
{
	bool has_value = point_has_value(point);
	double step = NAN, seconds = (double)(point->end_ns - to->last_ns) / 1e9;

	if (has_value && to->has_last && point->state != POINT_RESET)
		step = decimal_difference(point->value, to->last);
	if (to->last_ns && point->end_ns > to->last_ns)
		track_add(&to->track, to->last_ns, point->end_ns,
			  step >= 0 ? step * scale / seconds : (double)NAN);
	to->last = point->value;
	to->has_last = has_value;
	to->last_ns = point->end_ns;
}

static struct error *take_point(struct sink *sink, uint32_t id, const struct point *point)
{
	struct series_tracks *tracks = (struct series_tracks *)sink;
	const struct series *series = &tracks->capture->series.list[id];
	struct series_track *to = track_of(tracks, id);
	double scale = series_tracks_scale(tracks->capture, series);
	double value = point_has_value(point) ? decimal_number(point->value) * scale : (double)NAN;
	double seconds = (double)(point->end_ns - point->begin_ns) / 1e9;

	if (series->kind == SERIES_CUMULATIVE)
		add_difference(to, point, scale);
	else if (series->kind == SERIES_DELTA && seconds > 0)
		track_add(&to->track, point->begin_ns, point->end_ns, value / seconds);
	else if (series->kind != SERIES_DELTA)
		track_add(&to->track,
			  series->kind == SERIES_GAUGE ? point->end_ns : point->begin_ns,
			  point->end_ns, value);
	return NULL;
}

static struct error *ignore_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	return NULL;
}

void series_tracks_init(struct series_tracks *tracks, const struct capture *capture)
{
	*tracks = (struct series_tracks){
		.sink = {.sample = ignore_sample, .point = take_point},
		.capture = capture,
	};
}

void series_tracks_release(struct series_tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->nr; i++)
		track_release(&tracks->list[i].track);
	free(tracks->list);
	*tracks = (struct series_tracks){.nr = 0};
}
