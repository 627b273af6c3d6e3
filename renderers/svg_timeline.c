/* svg_timeline.c - what the lines of a timeline say, as text that a script reads */
#include "renderers/svg_timeline.h"

#include <math.h>
#include <string.h>

#include "renderers/axis.h"
#include "renderers/figure.h"
#include "renderers/flame_rows.h"
#include "renderers/paper.h"
#include "renderers/timeline.h"
#include "renderers/timeline_axis.h"
#include "renderers/timeline_heat.h"
#include "renderers/timeline_layout.h"
#include "renderers/timeline_lines.h"

/* Stretches that the whole time has in the grid, at most, where nobody says how wide they are. */
#define STRETCHES_MAX 1200
/* A line of so many points is told point by point. */
#define POINTS_MAX 1500
#define US_IN_S	   1e6
/* What is shorter is no time, but a rounding. */
#define ROUNDING_US 1e-3

struct timeline_grid {
	double begin_s, width_s, duration_s;
};

/* ---- one line: stretches of time with a value each */

/* What the values of a stretch of time are: their mean is over the time in which they are known. */
struct stretch {
	double begin_us, end_us;
	double least, most, sum_us; /* value times time */
};

/* The time of the text so far: what is the same for the next stretch is not said again. */
struct clock {
	double at_us, width_us;
	bool is_first;
};

/* Times are not negative. */
static double whole(double number)
{
	return (double)(uint64_t)number;
}

static void put_value(struct paper *paper, double value, const char *before)
{
	paper_put_rule(paper, "%s%.6g", before, value);
}

static void put_stretch(struct paper *paper, const struct stretch *stretch, struct clock *clock)
{
	double begin = whole(stretch->begin_us + 0.5), width = whole(stretch->end_us + 0.5) - begin;
	double mean = stretch->sum_us / (stretch->end_us - stretch->begin_us);

	if (width <= 0)
		return;
	if (!clock->is_first)
		paper_put_string(paper, " ");
	clock->is_first = false;
	if (begin != clock->at_us)
		paper_put_rule(paper, "@%.0f ", begin);
	if (width != clock->width_us)
		paper_put_rule(paper, "~%.0f ", width);
	put_value(paper, stretch->least, "");
	if (stretch->most > stretch->least) {
		put_value(paper, mean, "/");
		put_value(paper, stretch->most, "/");
	}
	clock->at_us = begin + width;
	clock->width_us = width;
}

/* A stretch that is being filled; sum_us counts known_us of its time. */
struct filling {
	struct stretch stretch;
	double known_us;
};

static void put_filled(struct paper *paper, struct filling *filling, struct clock *clock)
{
	struct stretch *stretch = &filling->stretch;

	if (filling->known_us > 0) {
		stretch->sum_us *= (stretch->end_us - stretch->begin_us) / filling->known_us;
		put_stretch(paper, stretch, clock);
	}
	filling->known_us = 0;
}

static void fill(struct filling *filling, double begin_us, double end_us, double value)
{
	struct stretch *stretch = &filling->stretch;

	if (!(filling->known_us > 0)) {
		stretch->least = stretch->most = value;
		stretch->sum_us = 0;
	}
	stretch->least = value < stretch->least ? value : stretch->least;
	stretch->most = value > stretch->most ? value : stretch->most;
	stretch->sum_us += value * (end_us - begin_us);
	filling->known_us += end_us - begin_us;
}

/* A value that holds over some time goes to each stretch of the grid that it holds in. */
static void fill_grid(struct paper *paper, struct filling *filling, struct clock *clock,
		      const struct timeline_grid *grid, const struct timeline_span *span)
{
	double width_us = grid->width_s * US_IN_S, origin_us = grid->begin_s * US_IN_S;
	double begin_us = span->begin_s * US_IN_S, end_us = span->end_s * US_IN_S;

	while (begin_us + ROUNDING_US < end_us) {
		struct stretch *stretch = &filling->stretch;
		double cell = whole((begin_us - origin_us) / width_us + 1e-9);
		double cell_us = origin_us + cell * width_us, part_us = cell_us + width_us;

		if (cell_us != stretch->begin_us) {
			put_filled(paper, filling, clock);
			stretch->begin_us = cell_us;
			stretch->end_us = part_us;
		}
		if (part_us > end_us)
			part_us = end_us;
		fill(filling, begin_us, part_us, span->value);
		begin_us = part_us;
	}
}

static struct timeline_span within(struct timeline_span span, double duration_s)
{
	span.begin_s = span.begin_s < 0 ? 0 : span.begin_s;
	span.end_s = span.end_s > duration_s ? duration_s : span.end_s;
	return span;
}

static void put_points(struct paper *paper, const struct timeline_line *line,
		       const struct timeline_grid *grid)
{
	struct clock clock = {.is_first = true};
	struct filling filling = {.stretch = {.begin_us = (double)NAN}};

	for (size_t i = 0; i < line->nr; i++) {
		struct timeline_span span = within(timeline_span(line, i), grid->duration_s);
		struct stretch one = {span.begin_s * US_IN_S, span.end_s * US_IN_S, span.value,
				      span.value, 0};

		if (isnan(span.value))
			continue;
		if (line->nr > POINTS_MAX)
			fill_grid(paper, &filling, &clock, grid, &span);
		else
			put_stretch(paper, &one, &clock);
	}
	put_filled(paper, &filling, &clock);
}

static void put_text(struct paper *paper, const char *text)
{
	paper_put_text(paper, text, strlen(text));
}

/* ---- a heat map, whose cells are stretches */

static void put_cells(struct paper *paper, const struct timeline_heat *heat, double top)
{
	double width_us = heat->column_s / (double)heat->rows * US_IN_S;
	struct clock clock = {.is_first = true};

	paper_put_rule(paper, "panel\tcells\t%g\t", top);
	put_text(paper, heat->title);
	paper_put_string(paper, "\nline\tmean rate\tsamples\t");
	for (size_t i = 0; i < heat->columns * heat->rows; i++) {
		double value = heat->samples[i];
		struct stretch stretch = {(double)i * width_us, (double)(i + 1) * width_us, value,
					  value, 0};

		if (heat->samples[i] < TIMELINE_UNKNOWN)
			put_stretch(paper, &stretch, &clock);
	}
	paper_put_string(paper, "\n");
}

/* ---- panels */

/* "line<tab>look<tab>name<tab>values", see put_stretch() */
static void put_line(struct paper *paper, const struct timeline_panel *panel, size_t nr,
		     const struct timeline_grid *grid)
{
	static const char *const looks[] = {
		[TIMELINE_STEP] = "step",
		[TIMELINE_MEAN] = "mean",
		[TIMELINE_AREA] = "area",
		[TIMELINE_LIMIT] = "limit",
	};
	const struct timeline_line *line = &panel->lines[nr];

	paper_put_rule(paper, "line\t%s%s\t", looks[line->look], line->is_rate ? " rate" : "");
	put_text(paper, line->name);
	paper_put_string(paper, "\t");
	put_points(paper, line, grid);
	paper_put_string(paper, "\n");
}

/* "panel<tab>unit<tab>top of its title<tab>title", then its lines */
static void put_panel(struct paper *paper, const struct timeline_panel *panel, double top,
		      const struct timeline_grid *grid)
{
	static const char *const units[] = {
		[TIMELINE_COUNT] = "count",
		[TIMELINE_SECONDS] = "seconds",
		[TIMELINE_BYTES] = "bytes",
		[TIMELINE_CPUS] = "cpus",
	};

	paper_put_rule(paper, "panel\t%s\t%g\t", units[panel->unit], top);
	put_text(paper, panel->title);
	paper_put_string(paper, "\n");
	for (size_t i = 0; i < panel->lines_nr; i++)
		put_line(paper, panel, i, grid);
}

/* ---- the axis */

static void put_fact(struct paper *paper, const char *name, double value)
{
	paper_put_rule(paper, "%s\t%.12g\n", name, value);
}

static void put_axis(struct paper *paper, const struct figure *figure,
		     const struct timeline_grid *grid)
{
	const struct timeline_heat *heat = figure->timeline->heat;
	const struct figure_plot *plot = &figure->plot;

	paper_begin_data(paper, "axis");
	put_fact(paper, "top", plot->top_px);
	put_fact(paper, "axis", plot->axis_px);
	put_fact(paper, "bottom", plot->bottom_px);
	put_fact(paper, "left", plot->left_px);
	put_fact(paper, "width", plot->width_px);
	put_fact(paper, "duration", figure->timeline->duration_s);
	put_fact(paper, "grid-begin", grid->begin_s);
	put_fact(paper, "grid", grid->width_s);
	if (heat) {
		put_fact(paper, "columns", (double)heat->columns);
		put_fact(paper, "rows", (double)heat->rows);
		put_fact(paper, "column", heat->column_s);
		put_fact(paper, "cells", plot->panels_px + TIMELINE_ROW_PX);
		put_fact(paper, "height", timeline_heat_px(heat));
	}
	paper_end_data(paper);
}

static void put_flame(struct paper *paper, const struct timeline_flame *flame)
{
	paper_begin_data(paper, "range");
	paper_put_rule(paper, "first\t%llu\nbin\t%llu\n", (unsigned long long)flame->first_ns,
		       (unsigned long long)flame->bin_ns);
	if (flame->command) {
		paper_put_string(paper, "command\t");
		put_text(paper, flame->command);
		paper_put_string(paper, "\n");
	}
	paper_end_data(paper);
	paper_begin_data(paper, "bins");
	paper_put(paper, flame->bins->bytes ? flame->bins->bytes : "", flame->bins->size);
	paper_end_data(paper);
}

void svg_put_timeline(struct paper *paper, const struct figure *figure)
{
	const struct timeline_chart *chart = figure->timeline;
	struct timeline_grid grid = {chart->grid_begin_s, chart->grid_s, chart->duration_s};
	double top = figure->plot.panels_px;

	if (!(grid.width_s > 0))
		grid = (struct timeline_grid){0, axis_step(chart->duration_s / STRETCHES_MAX),
					      chart->duration_s};
	put_axis(paper, figure, &grid);
	paper_begin_data(paper, "series");
	if (chart->heat)
		put_cells(paper, chart->heat, top);
	for (size_t i = 0; i < chart->panels_nr; i++) {
		put_panel(paper, &chart->panels[i], top, &grid);
		top += timeline_panel_px(&chart->panels[i]);
	}
	paper_end_data(paper);
	if (chart->flame)
		put_flame(paper, chart->flame);
}
