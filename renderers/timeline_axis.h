/* timeline_axis.h - what all charts over time have: the axis, phases above it */
#pragma once

#include "renderers/figure.h"

struct timeline_chart;

#define TIMELINE_ROW_PX	   17.0
#define TIMELINE_INSET_PX  4.0
#define TIMELINE_GUTTER_PX 66.0 /* left of the plots: their numbers */
#define TIMELINE_TICKS_MAX 300

struct timeline_drawing {
	struct figure *figure;
	const struct timeline_chart *chart;
	double left, width; /* of the plots */
	double duration_s;  /* that the width stands for */
};

/* Where a second is, no farther than the plots go. */
double timeline_x(const struct timeline_drawing *drawing, double at_s);

void timeline_segment(struct figure *figure, enum figure_stroke stroke, double x, double y,
		      double to_x, double to_y);

/* Times in a line that begins at y, and a hair line from each to the bottom. */
void timeline_add_times(const struct timeline_drawing *drawing, double y, double bottom);

/* A line of phases, where there are any. Returns the y below. */
double timeline_add_phases(const struct timeline_drawing *drawing, double y);
