/* table.h - functions by weight as a picture: bars and numbers, a row each */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "renderers/draw.h"

#include "renderers/flame.h"
#include "renderers/palette.h"

/* Strings as in struct flame_frame. */
struct table_row {
	const char *name;
	const char *self_text, *total_text; /* weights for people */
	double self, total;		    /* shares of the whole, self <= total */
	struct fill fill;
};

struct table_chart {
	enum draw_format format;
	const char *title;		/* "Functions" when NULL */
	const char *subtitle;		/* may be NULL, as may the next three */
	const char *head;		/* the quiet line */
	const char *foot;		/* below the rows: what is left out */
	const char *const *paint_words; /* as in struct head */
	const bool *has_paint;		/* per paint: needs an entry in the legend */
	const struct table_row *rows;
	size_t rows_nr;
	/* FLAME_AS_TABLE, without frames: the id, and what a script walks in with all that it needs
	 * to tell and to paint it. NULL, or without a whole: the picture is a still one. */
	const struct flame_chart *flame;
	double width_px;
	enum flame_theme theme;
};

/* Draws the chart, as flame_draw() does. */
bool table_draw(const struct table_chart *chart, FILE *out);
