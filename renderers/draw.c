/* draw.c - a figure in the format that is asked for */
#include "renderers/draw.h"

#include <errno.h>
#include <string.h>

#include "renderers/cairo.h"
#include "renderers/figure.h"
#include "renderers/svg.h"

bool draw_figure(const struct figure *figure, enum draw_format format, FILE *out)
{
	switch (format) {
	case DRAW_PNG:
		return cairo_draw_png(figure, out);
	case DRAW_PDF:
		return cairo_draw_pdf(figure, out);
	case DRAW_SVG:
		break;
	}
	return svg_write(figure, out);
}

bool draw_figure_once(struct figure *figure, enum draw_format format, FILE *out)
{
	bool is_drawn = draw_figure(figure, format, out);
	int error = errno;

	figure_release(figure);
	errno = error;
	return is_drawn;
}

enum draw_format draw_format_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	if (dot && strcmp(dot, ".png") == 0)
		return DRAW_PNG;
	return dot && strcmp(dot, ".pdf") == 0 ? DRAW_PDF : DRAW_SVG;
}
