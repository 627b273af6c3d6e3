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

/*
 * Takes out the paints that get no entry in the legend: where colours go by name they say nothing
 * of origin, and nothing but a word of the caller's tells what the root's grey is.
 */
void flame_drop_unkeyed(const struct flame_chart *chart, bool *has_paint);

/* What a script paints, in the colours of what is drawn: figure->function_fills. */
void flame_add_function_fills(struct figure *figure, const struct flame_chart *chart);
