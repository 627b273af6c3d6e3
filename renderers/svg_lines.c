/* svg_lines.c - a figure's lines and areas as elements */
#include "renderers/svg_lines.h"

#include "renderers/figure.h"
#include "renderers/palette.h"
#include "renderers/paper.h"

/* Horizontal and vertical pieces, which most are, take one number. */
static void put_point(struct paper *paper, const struct figure_point *last,
		      const struct figure_point *point)
{
	if (!last) {
		paper_put_px(paper, "M", point->x);
		paper_put_px(paper, " ", point->y);
	} else if (point->y == last->y) {
		paper_put_px(paper, "H", point->x);
	} else if (point->x == last->x) {
		paper_put_px(paper, "V", point->y);
	} else {
		paper_put_px(paper, "L", point->x);
		paper_put_px(paper, " ", point->y);
	}
}

static void put_points(struct paper *paper, const struct figure *figure,
		       const struct figure_line *line)
{
	const struct figure_point *last = NULL;

	for (size_t i = 0; i < line->nr; i++) {
		const struct figure_point *point = &figure->points[line->begin + i];

		if (point->x < 0) {
			last = NULL;
			continue;
		}
		put_point(paper, last, point);
		last = point;
	}
}

void svg_put_lines(struct paper *paper, const struct figure *figure)
{
	for (size_t i = 0; i < figure->lines_nr; i++) {
		const struct figure_line *line = &figure->lines[i];
		char class[] = {'s', (char)('0' + line->stroke), '\0'};

		if (!line->nr)
			continue;
		if (line->is_area) {
			class[0] = palette_letter(line->fill.paint);
			class[1] = (char)('0' + line->fill.shade);
		}
		paper_put_string(paper, "<path class=\"");
		paper_put_string(paper, class);
		paper_put_string(paper, "\" d=\"");
		put_points(paper, figure, line);
		paper_put_string(paper, line->is_area ? "Z\"/>\n" : "\"/>\n");
	}
}

void svg_put_line_rules(struct paper *paper, const struct figure *figure, bool is_dark)
{
	if (!figure->lines_nr)
		return;
	for (enum figure_stroke stroke = 0; stroke < FIGURE_STROKE_NR; stroke++) {
		const struct figure_pen *pen = figure_pen(stroke);

		paper_put_rule(paper, ".tephra .s%d{fill:none;stroke:#%06x;stroke-width:%gpx",
			       (int)stroke, palette_ink_rgb(pen->ink, is_dark), pen->width_px);
		if (pen->dash_px)
			paper_put_rule(paper, ";stroke-dasharray:%gpx %gpx", pen->dash_px,
				       pen->gap_px);
		paper_put_string(paper, "}\n");
	}
}
