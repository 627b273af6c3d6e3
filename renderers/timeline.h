/* timeline.h - panels of numbers over one axis of time */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "renderers/draw.h"

#include "renderers/flame.h"
#include "renderers/palette.h"

/* How a line is drawn. Colour never stands alone: lines differ in their dashes, too. */
enum timeline_look {
	TIMELINE_STEP,	/* a value holds from its end to the next point's: what was read */
	TIMELINE_MEAN,	/* a value holds over its point's own time: a rate */
	TIMELINE_AREA,	/* as a mean, filled with a paint and stacked upon the area before it */
	TIMELINE_LIMIT, /* as a step, dashed and quiet: what must not be passed */
};

/* Seconds from the chart's begin, in order. A value that is NAN is not known: nothing is drawn. */
struct timeline_point {
	double begin_s, end_s, value;
};

struct timeline_line {
	const char *name;
	enum timeline_look look;
	enum paint paint; /* of an area */
	const struct timeline_point *points;
	size_t nr;
	bool is_rate; /* so much in each second: over a range of time it adds up */
};

enum timeline_unit {
	TIMELINE_COUNT,
	TIMELINE_SECONDS,
	TIMELINE_BYTES,
	TIMELINE_CPUS, /* in use: over a range of time they add up to seconds */
};

/* Something that happened within a stretch of time. */
struct timeline_mark {
	double begin_s, end_s;
	const char *text;
};

/* Areas of a panel have points of the same times. */
struct timeline_panel {
	const char *title; /* what is drawn, and its unit: "CPU, in CPUs" */
	enum timeline_unit unit;
	const struct timeline_line *lines;
	size_t lines_nr;
	const struct timeline_mark *marks; /* onsets and the like; may be NULL */
	size_t marks_nr;
	const struct timeline_mark *lost; /* where values are missing for a known reason */
	size_t lost_nr;
	bool is_tall;
};

/* Instead of a number of samples: outside of what was recorded; lost, or throttled. */
#define TIMELINE_NO_CELL UINT32_MAX
#define TIMELINE_UNKNOWN (UINT32_MAX - 1)

/* When samples came: columns of time from left to right, in each of them its parts downwards. */
struct timeline_heat {
	const char *title;	/* "Samples in each 20 ms" */
	const char *few, *many; /* legend: what the lower and the upper four colours stand for */
	const char *lost;	/* the tip of what is unknown */
	double column_s;
	size_t columns, rows;
	const uint32_t *samples; /* of each cell, column by column */
	uint32_t most;		 /* of all cells */
};

/* Colours of a cell's samples: 0 is none, then equal parts of the most. */
#define TIMELINE_HEAT_LEVELS 8
uint32_t timeline_heat_level(uint32_t samples, uint32_t most);

struct rows_text;

/*
 * The tree of all samples, and when they came: what ends in a row of it, by bins of time. As in a
 * column of flame_rows.h, for each row that has a self weight: the bin, counted from the one
 * behind the row's last (of the first: from 0), and its weight in steps, which is not said where
 * one step is left of the row's; then its samples, where rows have both. They add up to the row's.
 */
struct timeline_flame {
	const struct flame_whole *whole;
	const struct rows_text *bins;
	const char *unit; /* of weight */
	bool is_painted_by_name;
	uint64_t first_ns, bin_ns; /* where bin 0 begins on the samples' own clock, and its width */
	const char *command;	   /* what draws the same, "%" is the place of the range; or NULL */
};

struct timeline_chart {
	enum draw_format format;
	const char *title;    /* "Timeline" when NULL */
	const char *subtitle; /* may be NULL, as may the next two */
	const char *head;     /* the quiet line */
	const char *foot;     /* below the panels: what is not drawn */
	const struct timeline_panel *panels;
	size_t panels_nr;
	const struct timeline_heat *heat;   /* instead of panels; or NULL */
	const struct timeline_mark *phases; /* bands through all panels */
	size_t phases_nr;
	double duration_s;
	double clock_error_s; /* of samples against counters; drawn as a bar at the axis */
	/* What a chosen range begins and ends at, and its width; bins of flame are these. 0: as
	 * fine as can be pointed at. */
	double grid_begin_s, grid_s;
	const struct timeline_flame *flame; /* NULL: there are no samples */
	double width_px;
	enum flame_theme theme;
};

/* Draws the chart, as flame_draw() does. */
bool timeline_draw(const struct timeline_chart *chart, FILE *out);
