/* points.c - a sink that keeps the points of counters as lines of text */
#include "tests/support/points.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/units.h"
#include "importers/importer.h"
#include "model/select.h"
#include "tests/support/input.h"

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	return NULL;
}

static void add_covered(struct text *text, const struct point *point)
{
	if (point->begin_ns != point->end_ns) {
		text_add(text, " over ");
		units_add_seconds(text, point->end_ns - point->begin_ns);
	}
	if (point->enabled_ns || point->running_ns)
		text_addf(text, " ran %" PRIu64 "/%" PRIu64, point->running_ns, point->enabled_ns);
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct points *points = (struct points *)sink;
	struct text *text = &points->text;

	series_add_display(text, &points->capture->series.list[series], &points->capture->names);
	text_add_char(text, ' ');
	units_add_seconds(text, point->end_ns);
	text_add_char(text, ' ');
	if (point_has_value(point))
		decimal_add(text, point->value);
	if (point->state != POINT_OK)
		text_addf(text, "%s%s", point_has_value(point) ? " " : "",
			  point_state_word(point->state));
	add_covered(text, point);
	text_add_char(text, '\n');
	return NULL;
}

char *points_hear(struct points *points, const struct importer *importer, const void *at,
		  size_t size, struct capture *capture)
{
	const struct selection everything = {.all_events = true};
	struct reader *reader = input_open(at, size);
	struct select select;
	struct text text = TEXT_INIT;
	struct error *err;

	*points = (struct points){
		.sink = {.sample = on_sample, .point = on_point},
		.capture = capture,
	};
	select_init(&select, capture, &everything, &points->sink);
	err = importer->read(reader, capture, &select.sink);
	select_release(&select);
	reader_close(reader);
	if (!err)
		return NULL;
	text_add(&text, error_text(err));
	if (error_hint_text(err))
		text_addf(&text, " (%s)", error_hint_text(err));
	error_free(err);
	return text_take(&text);
}

void points_release(struct points *points)
{
	text_release(&points->text);
}

void points_show_series(const struct capture *capture, struct text *text)
{
	for (uint32_t i = 0; i < capture->series.nr; i++) {
		const struct series *series = &capture->series.list[i];

		series_add_display(text, series, &capture->names);
		text_addf(text, " %s %s %s %s %" PRIu64 "/%" PRIu64 "/%" PRIu64 "\n",
			  series->role == ROLE_NONE ? "-" : series_role_word(series->role),
			  series_kind_word(series->kind),
			  series->unit == NAME_NONE ? "-"
						    : names_display(&capture->names, series->unit),
			  role_source_word(series->role_source), series->points, series->missing,
			  series->resets);
	}
}
