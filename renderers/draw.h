/* draw.h - a figure in the format that is asked for */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct figure;

enum draw_format {
	DRAW_SVG,
	DRAW_PNG,
	DRAW_PDF,
};

/* False with errno when it cannot be written, or is larger than the format can be. */
bool draw_figure(const struct figure *figure, enum draw_format format, FILE *out);

/* The same, and the figure is released. */
bool draw_figure_once(struct figure *figure, enum draw_format format, FILE *out);

/* By a file's ending: ".png", ".pdf"; all others are SVG. */
enum draw_format draw_format_of(const char *path);
