/* timeline_lines.c - the lines and areas of a panel, not more points than can be seen */
#include "renderers/timeline_lines.h"

#include <math.h>
#include <stdlib.h>

#include "renderers/timeline.h"

/* Points nearer to each other than this are one: from the least value to the largest. */
#define COLUMN_PX 0.6
#define PEN_UP	  (-1.0)

double timeline_scale_y(const struct timeline_scale *scale, double value)
{
	double share = value / scale->top;

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return scale->bottom_px - share * scale->height_px;
}

static double x_of(const struct timeline_scale *scale, double at_s)
{
	double share = at_s / scale->duration_s;

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return scale->left_px + share * scale->width_px;
}

/* ---- how high */

static double stacked_top(const struct timeline_panel *panel)
{
	double top = 0;
	size_t nr = 0;

	for (size_t i = 0; i < panel->lines_nr; i++)
		if (panel->lines[i].look == TIMELINE_AREA && panel->lines[i].nr > nr)
			nr = panel->lines[i].nr;
	for (size_t at = 0; at < nr; at++) {
		double sum = 0;

		for (size_t i = 0; i < panel->lines_nr; i++)
			if (panel->lines[i].look == TIMELINE_AREA && at < panel->lines[i].nr &&
			    !isnan(panel->lines[i].points[at].value))
				sum += panel->lines[i].points[at].value;
		top = sum > top ? sum : top;
	}
	return top;
}

double timeline_top(const struct timeline_panel *panel)
{
	double top = stacked_top(panel);

	for (size_t i = 0; i < panel->lines_nr; i++)
		for (size_t at = 0; at < panel->lines[i].nr; at++)
			if (panel->lines[i].look != TIMELINE_AREA &&
			    panel->lines[i].points[at].value > top)
				top = panel->lines[i].points[at].value;
	return top > 0 ? top : 1;
}

bool timeline_is_seen(const struct timeline_line *line)
{
	for (size_t i = 0; i < line->nr; i++)
		if (line->points[i].value > 0)
			return true;
	return false;
}

enum figure_stroke timeline_stroke(const struct timeline_panel *panel, size_t line)
{
	size_t before = 0;

	if (panel->lines[line].look == TIMELINE_LIMIT)
		return FIGURE_LIMIT;
	for (size_t i = 0; i < line; i++)
		before += panel->lines[i].look == TIMELINE_STEP ||
			  panel->lines[i].look == TIMELINE_MEAN;
	return (enum figure_stroke)(FIGURE_FIRST + before % 3);
}

/* ---- lines */

/* A step line as it is drawn: what lies in one column of the paper is kept back. */
struct pen {
	struct figure *figure;
	const struct timeline_scale *scale;
	double x, y;	    /* where it is */
	double least, most; /* y of what was kept back in the column at x */
	bool is_down, is_kept;
};

static void flush(struct pen *pen)
{
	if (!pen->is_kept)
		return;
	figure_point(pen->figure, pen->x, pen->least);
	if (pen->most > pen->least)
		figure_point(pen->figure, pen->x, pen->most);
	if (pen->y != pen->most)
		figure_point(pen->figure, pen->x, pen->y);
	pen->is_kept = false;
}

static void keep(struct pen *pen, double y)
{
	if (!pen->is_kept) {
		pen->least = pen->most = pen->y;
		pen->is_kept = true;
	}
	pen->least = y < pen->least ? y : pen->least;
	pen->most = y > pen->most ? y : pen->most;
	pen->y = y;
}

/* A level from x to to_x. */
static void draw(struct pen *pen, double x, double to_x, double y)
{
	if (!pen->is_down) {
		figure_point(pen->figure, PEN_UP, 0);
		figure_point(pen->figure, x, y);
		pen->x = x;
		pen->y = y;
		pen->is_down = true;
	} else {
		keep(pen, y);
	}
	if (to_x - pen->x < COLUMN_PX)
		return;
	flush(pen);
	figure_point(pen->figure, to_x, y);
	pen->x = to_x;
}

static void lift(struct pen *pen)
{
	flush(pen);
	pen->is_down = false;
}

struct timeline_span timeline_span(const struct timeline_line *line, size_t at)
{
	const struct timeline_point *point = &line->points[at];
	bool is_held = line->look == TIMELINE_STEP || line->look == TIMELINE_LIMIT;
	double end_s = is_held && at + 1 < line->nr ? line->points[at + 1].end_s : point->end_s;

	return (struct timeline_span){is_held ? point->end_s : point->begin_s, end_s, point->value};
}

static void add_line(struct figure *figure, const struct timeline_line *line,
		     enum figure_stroke stroke, const struct timeline_scale *scale)
{
	struct pen pen = {.figure = figure, .scale = scale};
	struct figure_line *drawn = figure_line(figure);

	if (!drawn)
		return;
	drawn->stroke = stroke;
	for (size_t i = 0; i < line->nr; i++) {
		struct timeline_span span = timeline_span(line, i);

		if (isnan(span.value)) {
			lift(&pen);
			continue;
		}
		draw(&pen, x_of(scale, span.begin_s), x_of(scale, span.end_s),
		     timeline_scale_y(scale, span.value));
	}
	lift(&pen);
}

/* ---- areas */

static double value_at(const struct timeline_line *line, size_t at)
{
	return at < line->nr && !isnan(line->points[at].value) ? line->points[at].value : 0;
}

/* From at on: how many points lie in one column, and the mean of what is stacked in them. */
static size_t column(const struct timeline_line *line, const double *below, size_t at,
		     const struct timeline_scale *scale, double *ret_low, double *ret_high)
{
	double begin = x_of(scale, line->points[at].begin_s), low = 0, high = 0;
	size_t nr = 0;

	do {
		low += below[at + nr];
		high += below[at + nr] + value_at(line, at + nr);
		nr++;
	} while (at + nr < line->nr && x_of(scale, line->points[at + nr - 1].end_s) - begin < 1);
	*ret_low = timeline_scale_y(scale, low / (double)nr);
	*ret_high = timeline_scale_y(scale, high / (double)nr);
	return nr;
}

/* The upper edge from left to right, the lower one back. */
static void add_area(struct figure *figure, const struct timeline_line *line, double *below,
		     const struct timeline_scale *scale)
{
	struct figure_line *drawn = figure_line(figure);
	struct figure_point *back = malloc((2 * line->nr + 1) * sizeof(*back));
	size_t nr = 0;

	if (!drawn || !back) {
		figure->is_short_of_memory = true;
		free(back);
		return;
	}
	drawn->is_area = true;
	drawn->fill = (struct fill){.paint = line->paint, .shade = 2};
	for (size_t at = 0, step; at < line->nr; at += step) {
		double begin = x_of(scale, line->points[at].begin_s), low, high, end;

		step = column(line, below, at, scale, &low, &high);
		end = x_of(scale, line->points[at + step - 1].end_s);
		figure_point(figure, begin, high);
		figure_point(figure, end, high);
		back[nr++] = (struct figure_point){begin, low};
		back[nr++] = (struct figure_point){end, low};
	}
	while (nr--)
		figure_point(figure, back[nr].x, back[nr].y);
	for (size_t at = 0; at < line->nr; at++)
		below[at] += value_at(line, at);
	free(back);
}

static void add_areas(struct figure *figure, const struct timeline_panel *panel,
		      const struct timeline_scale *scale)
{
	double *below;
	size_t nr = 0;

	for (size_t i = 0; i < panel->lines_nr; i++)
		nr = panel->lines[i].nr > nr ? panel->lines[i].nr : nr;
	below = calloc(nr + 1, sizeof(*below));
	if (!below) {
		figure->is_short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < panel->lines_nr; i++)
		if (panel->lines[i].look == TIMELINE_AREA)
			add_area(figure, &panel->lines[i], below, scale);
	free(below);
}

void timeline_add_lines(struct figure *figure, const struct timeline_panel *panel,
			const struct timeline_scale *scale)
{
	add_areas(figure, panel, scale);
	for (size_t i = 0; i < panel->lines_nr; i++)
		if (panel->lines[i].look != TIMELINE_AREA)
			add_line(figure, &panel->lines[i], timeline_stroke(panel, i), scale);
}
