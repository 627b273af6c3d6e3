/* timeline_lines.h - the lines and areas of a panel, not more points than can be seen */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "renderers/figure.h"

struct timeline_line;
struct timeline_panel;

/* From seconds and values to places on the paper. */
struct timeline_scale {
	double left_px, width_px, bottom_px, height_px;
	double duration_s;
	double top; /* the value at the upper edge, above 0 */
};

/* When the value of a point of a line holds; that of a step until the next is read. */
struct timeline_span {
	double begin_s, end_s, value;
};

struct timeline_span timeline_span(const struct timeline_line *line, size_t at);

double timeline_scale_y(const struct timeline_scale *scale, double value);

/* The largest value of the panel, areas upon each other; 1 where there is none above 0. */
double timeline_top(const struct timeline_panel *panel);

/* Has it a value above 0? */
bool timeline_is_seen(const struct timeline_line *line);

/* How a line of the panel is drawn that is no area. */
enum figure_stroke timeline_stroke(const struct timeline_panel *panel, size_t line);

void timeline_add_lines(struct figure *figure, const struct timeline_panel *panel,
			const struct timeline_scale *scale);
