/* figure.h - a picture before it has a format: boxes and labels on paper */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderers/flame.h"
#include "renderers/label.h"
#include "renderers/palette.h"

/* Left, right and below of what is drawn. */
#define FIGURE_PADDING_PX 10.0

/* From the top of a line of 12 px text to its baseline. */
#define FIGURE_BASELINE_PX 12.0

struct flamechart_chart;
struct timeline_chart;

/* Where the axis of time and what is drawn over it lie. */
struct figure_plot {
	double top_px, axis_px, panels_px, bottom_px; /* below the head; of ticks, panels, all */
	double left_px, width_px;
};

/*
 * A filled rectangle. One with a tip is a symbol: something that can be pointed at. Strings are
 * borrowed, from the chart or from the figure's own texts.
 */
struct figure_box {
	double x, y, width, height;
	struct fill fill;
	struct label label;   /* inside the box; size 0: none */
	const char *tip;      /* NULL: no symbol */
	const char *tip_rest; /* stands behind it; NULL: nothing */
	enum outline outline;
	bool is_thin; /* too thin to be pointed at: of the picture, but no symbol */
};

enum figure_style {
	FIGURE_TITLE, /* 16 px, bold */
	FIGURE_LINE,  /* 12 px */
	FIGURE_QUIET, /* 12 px, quiet */
	FIGURE_KEY,   /* 12 px, the word of a legend entry */
	FIGURE_LEFT,  /* 12 px, quiet: what of the picture is not drawn */
};

/* Lines differ in their dashes as well as in their colour. */
enum figure_stroke {
	FIGURE_FIRST,  /* 1.5 px, solid */
	FIGURE_SECOND, /* dashed */
	FIGURE_THIRD,  /* dotted */
	FIGURE_LIMIT,  /* quiet, in long dashes */
	FIGURE_GRID,   /* hair lines behind all others */
	FIGURE_MARK,   /* what is pointed out */
	FIGURE_STROKE_NR,
};

/* How a stroke is drawn, in every format. */
struct figure_pen {
	enum ink ink;
	double width_px;
	double dash_px, gap_px; /* 0: solid */
};

const struct figure_pen *figure_pen(enum figure_stroke stroke);

/* Where a line goes; the pen is lifted before one whose x is below 0. */
struct figure_point {
	double x, y;
};

/* A line through points of figure->points, or an area that is filled. */
struct figure_line {
	size_t begin, nr;
	enum figure_stroke stroke; /* not of an area */
	struct fill fill;	   /* of an area */
	bool is_area;
};

/* A line of text; y is its baseline, x its begin or, of a number in a column, its end. */
struct figure_label {
	double x, y;
	bool ends_at_x;
	enum figure_style style;
	struct label text;
};

/*
 * Boxes that are neither symbols nor thin are swatches of the legend: PALETTE_SHADES of them for
 * each label of style FIGURE_KEY, in the same order. The others come as their tree is read: each is
 * followed by all that stands upon it.
 */
struct figure {
	double width_px, height_px;
	const char *title;	 /* the whole */
	const char *description; /* a few sentences for those who do not see it */
	const char *unit;	 /* of weight, may be NULL */
	enum flame_theme theme;
	enum palette_family family;	       /* of its paints */
	const struct flame_chart *chart;       /* borrowed, for what of it a script draws */
	const struct timeline_chart *timeline; /* the same of a timeline, which has a script, too */
	const struct flamechart_chart *flamechart; /* the same of a flame chart */
	struct figure_plot plot;		   /* where a timeline is */
	struct fill *function_fills; /* owned: of chart->whole->functions, NULL: none */
	struct figure_box *boxes;
	size_t boxes_nr, boxes_alloc;
	struct figure_label *labels;
	size_t labels_nr, labels_alloc;
	struct figure_line *lines; /* owned, in the order in which they are drawn */
	size_t lines_nr, lines_alloc;
	struct figure_point *points; /* owned, of all lines */
	size_t points_nr, points_alloc;
	struct figure_text *texts; /* owned */
	bool is_hatched;	   /* a fill that was painted is */
	bool is_short_of_memory;   /* sticky: whoever draws the figure looks once, at the end */
};

/* A zeroed figure is an empty one. Release accepts it. */
void figure_release(struct figure *figure);

/* Room for so many boxes at once: an array that grows is copied. Of a figure that has none yet. */
void figure_reserve(struct figure *figure, size_t boxes_nr);

/* A new box or label, zeroed; NULL when short of memory. Valid until the next one. */
struct figure_box *figure_box(struct figure *figure);
struct figure_label *figure_label(struct figure *figure);

/*
 * A label whose line begins at top, cut to so many cells; NULL where nothing has room in none, or
 * when short of memory.
 */
struct figure_label *figure_text(struct figure *figure, enum figure_style style, double x,
				 double top, const char *text, size_t cells);

/* Hands the figure over. False with errno and nothing left of it where memory was short. */
bool figure_finish(struct figure *figure, struct figure *ret);

/* A new line without points, zeroed; figure_point() adds to the last one. */
struct figure_line *figure_line(struct figure *figure);
void figure_point(struct figure *figure, double x, double y);

/* Gives a box its fill; what family of paints a figure has follows from that. */
void figure_paint(struct figure *figure, struct figure_box *box, struct fill fill);

/* Some strings in a row (the list ends with NULL) as one, kept by the figure; "" when short of
 * memory. */
const char *figure_join(struct figure *figure, const char *const *parts);
