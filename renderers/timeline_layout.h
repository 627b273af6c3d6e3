/* timeline_layout.h - a timeline as a figure, for those who draw it or test it */
#pragma once

#include <stdbool.h>

struct figure;
struct timeline_chart;
struct timeline_panel;

/* False with errno when short of memory. The figure borrows the chart's strings. */
bool timeline_layout(const struct timeline_chart *chart, struct figure *ret);

/* How much of the height a panel takes, with its title and the gap below it. */
double timeline_panel_px(const struct timeline_panel *panel);
