/* svg_lines.h - a figure's lines and areas as elements */
#pragma once

#include <stdbool.h>

struct figure;
struct paper;

/* A path for each line or area, in their order. */
void svg_put_lines(struct paper *paper, const struct figure *figure);

/* The rules for them, of one theme; nothing where the figure has no lines. */
void svg_put_line_rules(struct paper *paper, const struct figure *figure, bool is_dark);
