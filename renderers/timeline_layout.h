/* timeline_layout.h - a timeline as a figure, for those who draw it or test it */
#pragma once

#include <stdbool.h>

struct figure;
struct timeline_chart;

/* False with errno when short of memory. The figure borrows the chart's strings. */
bool timeline_layout(const struct timeline_chart *chart, struct figure *ret);
