/* timeline_axis.c - what all charts over time have: the axis, phases above it */
#include "renderers/timeline_axis.h"

#include "renderers/axis.h"
#include "renderers/timeline.h"

#define TICK_SPACE_PX 101.0 /* between two times, at least */

double timeline_x(const struct timeline_drawing *drawing, double at_s)
{
	double share = at_s / drawing->duration_s;

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return drawing->left + share * drawing->width;
}

void timeline_segment(struct figure *figure, enum figure_stroke stroke, double x, double y,
		      double to_x, double to_y)
{
	struct figure_line *line = figure_line(figure);

	if (!line)
		return;
	line->stroke = stroke;
	figure_point(figure, x, y);
	figure_point(figure, to_x, to_y);
}

/* ---- the axis of time */

void timeline_add_times(const struct timeline_drawing *drawing, double y, double bottom)
{
	double duration_s = drawing->duration_s, right = drawing->left + drawing->width;
	double step = axis_step(duration_s * TICK_SPACE_PX / drawing->width);

	for (unsigned int i = 0; i < TIMELINE_TICKS_MAX && i * step <= duration_s; i++) {
		double x = timeline_x(drawing, i * step);
		char text[NUMBER_SIZE];

		axis_time(text, i * step, step);
		timeline_segment(drawing->figure, FIGURE_GRID, x, y + TIMELINE_INSET_PX, x, bottom);
		if (x + TICK_SPACE_PX / 2 <= right)
			figure_text(drawing->figure, FIGURE_QUIET, x + TIMELINE_INSET_PX, y,
				    figure_join(drawing->figure, (const char *const[]){text, NULL}),
				    label_room(TICK_SPACE_PX));
	}
}

/* ---- phases */

double timeline_add_phases(const struct timeline_drawing *drawing, double y)
{
	const struct timeline_chart *chart = drawing->chart;

	for (size_t i = 0; i < chart->phases_nr; i++) {
		const struct timeline_mark *phase = &chart->phases[i];
		struct figure_box *box = figure_box(drawing->figure);

		if (!box)
			return y;
		box->x = timeline_x(drawing, phase->begin_s);
		box->width = timeline_x(drawing, phase->end_s) - box->x;
		box->width -= box->width > 1 ? 1 : 0;
		box->y = y;
		box->height = TIMELINE_ROW_PX - 1;
		figure_paint(drawing->figure, box,
			     (struct fill){.paint = PAINT_ROOT, .shade = (unsigned)i % 2 * 2});
		box->tip = phase->text;
		if (box->width > 2 * TIMELINE_INSET_PX + 2 * LABEL_CELL_PX)
			box->label = label_cut(
				phase->text,
				(size_t)((box->width - 2 * TIMELINE_INSET_PX) / LABEL_CELL_PX));
	}
	return chart->phases_nr ? y + TIMELINE_ROW_PX + TIMELINE_INSET_PX : y;
}
