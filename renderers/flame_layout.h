/* flame_layout.h - a flamegraph as a figure, before it has a format */
#pragma once

#include <stdbool.h>

struct figure;
struct flame_chart;

/*
 * Lays the chart out; the figure borrows the chart's strings and is released by the caller.
 * False with errno ENOMEM when short of memory.
 */
bool flame_layout(const struct flame_chart *chart, struct figure *ret);

/* What a script paints, in the colours of what is drawn: figure->function_fills. */
void flame_add_function_fills(struct figure *figure, const struct flame_chart *chart);
