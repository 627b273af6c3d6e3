/* timeline_heat.h - when samples came, as a heat map: seconds across, their parts down */
#pragma once

struct head;
struct timeline_drawing;
struct timeline_heat;

/* The height of all cells. */
double timeline_heat_px(const struct timeline_heat *heat);

/* What the legend says of the colours. words is of PAINT_NR, which head borrows. */
void timeline_heat_keys(const struct timeline_heat *heat, const char **words, struct head *head);

/* A line with the title at top, below it the cells. Returns the y below. */
double timeline_add_heat(const struct timeline_drawing *drawing, double top);
