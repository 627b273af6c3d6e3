/* head.h - what stands above every chart: title, lines, legend */
#pragma once

#include <stdbool.h>

#include "renderers/palette.h"

struct figure;

/* Strings are borrowed, NULL where there are none. The title is the figure's. */
struct head {
	const char *subtitle, *text;
	bool has_paint[PAINT_NR], has_mark[HATCH_NR]; /* these need an entry */
	const char *const *paint_words;		      /* per paint; NULL: the palette's own word */
	const char *const *mark_words;		      /* per hatch; NULL: no entry */
};

/* Adds all of it to a figure whose width and title are set. Returns the y below. */
double head_add(struct figure *figure, const struct head *head);
