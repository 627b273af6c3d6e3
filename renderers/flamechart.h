/* flamechart.h - stacks in order of time, a lane per thread */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "renderers/draw.h"

#include "renderers/flame.h"
#include "renderers/palette.h"

/* Strings as in struct flame_frame. */
struct flamechart_box {
	const char *name;
	const char *tip;   /* behind the name: when, how long, in how many samples */
	double begin, end; /* shares of the time that is drawn */
	uint32_t depth;	   /* 0 is the lane's first row */
	uint32_t more;	   /* 0, or: stands for so many runs that are too short */
	enum paint paint;
	enum hatch mark;
};

struct flamechart_row {
	const char *name; /* of the lane: "relay 4711/4713" */
	const char *fact; /* behind it, quiet: "1,204 samples"; or NULL */
	size_t begin, nr; /* its boxes */
	uint32_t depth;	  /* rows that they take; what is deeper is not drawn */
};

struct flame_whole;
struct rows_text;

/*
 * What a script draws of the chart: the tree of all stacks, whose weights are samples, and the
 * samples of the rows, one after the other in the order of time, each a group where several are
 * told as one. Times are in steps. Per group `times` has twice its length, which is told as twice
 * what it is more than the usual one, or one less than twice what it is less, and one more where
 * time is empty before it; then that time less one is the next number. `ends` has what it ends in:
 * the number of a row of the tree, those that most samples end in first, else as they stand.
 * `groups` has how many samples it is, less one; empty: one each. See assets/chart_samples.js.
 */
struct flamechart_walk {
	const struct flame_whole *whole;
	const size_t *groups_of; /* per row of the chart */
	const struct rows_text *times, *ends, *groups;
	uint64_t step_ns;
	uint64_t duration, usual; /* of the whole, of most samples */
	double least_share;	  /* of the time: shorter runs are merged */
};

struct flamechart_chart {
	enum draw_format format;
	const char *title;		/* "Flame chart" when NULL */
	const char *subtitle;		/* may be NULL, as may the next two */
	const char *head;		/* the quiet line */
	const char *foot;		/* below the lanes: what is left out */
	const char *const *paint_words; /* as in struct head */
	const char *mark_words[HATCH_NR];
	const struct flamechart_row *rows;
	size_t rows_nr;
	const struct flamechart_box *boxes;
	double duration_s;		    /* of the whole, for the ticks */
	const struct flamechart_walk *walk; /* NULL: a still picture, without a script */
	const char *id;			    /* as in struct flame_chart */
	double width_px;
	enum flame_flags flags; /* FLAME_PAINT_NAME alone */
	enum flame_theme theme;
};

/* Draws the chart, as flame_draw() does. */
bool flamechart_draw(const struct flamechart_chart *chart, FILE *out);
