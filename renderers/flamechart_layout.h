/* flamechart_layout.h - a flame chart as a figure, before it has a format */
#pragma once

#include <stdbool.h>

struct figure;
struct flamechart_chart;

/* As flame_layout(). The figure is still: it is no tree that a script could walk in. */
bool flamechart_layout(const struct flamechart_chart *chart, struct figure *ret);
