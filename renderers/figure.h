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

/*
 * A filled rectangle. One with a tip is a symbol: something that can be pointed at, and
 * that has a name, a weight and a place on the axis. Strings are borrowed, from the chart
 * or from the figure's own texts.
 */
struct figure_box {
	double x, y, width, height;
	struct fill fill;
	struct label label;  /* inside the box; size 0: none */
	const char *tip;     /* NULL: no symbol */
	size_t name_size;    /* the tip's first bytes, which are the symbol's name */
	double weight;	     /* what search adds up */
	double begin, share; /* its place on the axis as shares of the whole, ... */
	bool is_placed; /* ... false: right after the sibling before it, as wide as its weight */
};

enum figure_style {
	FIGURE_TITLE, /* 16 px, bold */
	FIGURE_LINE,  /* 12 px */
	FIGURE_QUIET, /* 12 px, quiet */
	FIGURE_KEY,   /* 12 px, the word of a legend entry */
};

/* A line of text; y is its baseline, x its begin or, of a number in a column, its end. */
struct figure_label {
	double x, y;
	bool ends_at_x;
	enum figure_style style;
	struct label text;
};

/*
 * Boxes without a tip are swatches of the legend: PALETTE_SHADES of them for each label of
 * style FIGURE_KEY, in the same order. Boxes with a tip come as their tree is read: each is
 * followed by all that stands upon it; their parent is the last one before them that is
 * row_px nearer to the root.
 */
struct figure {
	double width_px, height_px, row_px;
	const char *title;	 /* the whole */
	const char *description; /* a few sentences for those who do not see it */
	const char *unit;	 /* of weight, may be NULL */
	enum flame_theme theme;
	enum palette_family family; /* of its paints */
	struct figure_box *boxes;
	size_t boxes_nr, boxes_alloc;
	struct figure_label *labels;
	size_t labels_nr, labels_alloc;
	bool is_still;		   /* no script walks in it */
	struct figure_text *texts; /* owned */
	bool is_short_of_memory;   /* sticky: whoever draws the figure looks once, at the end */
};

/* A zeroed figure is an empty one. Release accepts it. */
void figure_release(struct figure *figure);

/* A new box or label, zeroed; NULL when short of memory. Valid until the next one. */
struct figure_box *figure_box(struct figure *figure);
struct figure_label *figure_label(struct figure *figure);

/* Gives a box its fill; what family of paints a figure has follows from that. */
void figure_paint(struct figure *figure, struct figure_box *box, struct fill fill);

/* Some strings in a row (the list ends with NULL) as one, kept by the figure; "" when short of
 * memory. */
const char *figure_join(struct figure *figure, const char *const *parts);
