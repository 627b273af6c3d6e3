/* table_layout.h - a table as a figure, before it has a format */
#pragma once

#include <stdbool.h>

struct figure;
struct table_chart;

/* As flame_layout(). No box has a tip: a table is text, and nothing in it is pointed at. */
bool table_layout(const struct table_chart *chart, struct figure *ret);
