/* timeline.c - panels of numbers over one axis of time */
#include "renderers/timeline.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "renderers/axis.h"
#include "renderers/figure.h"
#include "renderers/flame_layout.h"
#include "renderers/head.h"
#include "renderers/timeline_axis.h"
#include "renderers/timeline_heat.h"
#include "renderers/timeline_layout.h"
#include "renderers/timeline_lines.h"

#define PLOT_PX		  60.0
#define TALL_PX		  104.0
#define PANEL_GAP_PX	  10.0
#define LEVEL_SPACE_PX	  26.0 /* between two numbers of a panel */
#define SAMPLE_PX	  18.0 /* of a line, before its name */
#define TIMELINE_INSET_PX 4.0
#define KEY_GAP_PX	  16.0
#define MARK_ROWS	  3
#define MARK_ROW_PX	  13.0
#define HEADROOM	  1.06 /* above the largest value */

/* The samples' clock may be off from the counters' by so much to either side. */
static void add_clock_error(const struct timeline_drawing *drawing, double y)
{
	const struct timeline_chart *chart = drawing->chart;
	double end = drawing->left + drawing->width;
	double width = 2 * chart->clock_error_s / chart->duration_s * drawing->width;
	char text[NUMBER_SIZE];

	if (!(chart->clock_error_s > 0))
		return;
	axis_time(text, chart->clock_error_s, chart->clock_error_s);
	if (width > drawing->width / 2)
		width = drawing->width / 2;
	timeline_segment(drawing->figure, FIGURE_MARK, end - width, y + FIGURE_BASELINE_PX + 3, end,
			 y + FIGURE_BASELINE_PX + 3);
	figure_text(drawing->figure, FIGURE_QUIET, end - 26 * LABEL_CELL_PX, y,
		    figure_join(drawing->figure,
				(const char *const[]){"clocks agree to \xc2\xb1", text, NULL}),
		    label_room(26 * LABEL_CELL_PX));
}

/* ---- a panel */

static void unit_text(char *at, enum timeline_unit unit, double value, double step)
{
	if (unit == TIMELINE_SECONDS)
		axis_time(at, value, step);
	else if (unit == TIMELINE_BYTES)
		axis_bytes(at, value);
	else
		axis_count(at, value);
}

/* Numbers left of the plot, and lines at them. */
static void add_levels(const struct timeline_drawing *drawing, const struct timeline_panel *panel,
		       const struct timeline_scale *scale)
{
	double step = axis_step(scale->top * LEVEL_SPACE_PX / scale->height_px);

	for (unsigned int i = 0; i < TIMELINE_TICKS_MAX && i * step <= scale->top * 1.0001; i++) {
		double y = timeline_scale_y(scale, i * step);
		struct figure_label *label;
		char text[NUMBER_SIZE];

		unit_text(text, panel->unit, i * step, step);
		timeline_segment(drawing->figure, FIGURE_GRID, drawing->left, y,
				 drawing->left + drawing->width, y);
		label = figure_text(drawing->figure, FIGURE_QUIET,
				    drawing->left - TIMELINE_INSET_PX,
				    y - FIGURE_BASELINE_PX / 2 - 2,
				    figure_join(drawing->figure, (const char *const[]){text, NULL}),
				    label_room(TIMELINE_GUTTER_PX));
		if (label)
			label->ends_at_x = true;
	}
}

/* Behind the panel's title: a piece of each line, and its name. */
static void add_names(const struct timeline_drawing *drawing, const struct timeline_panel *panel,
		      double x, double y)
{
	double right = drawing->left + drawing->width;

	for (size_t i = 0; i < panel->lines_nr; i++) {
		const struct timeline_line *line = &panel->lines[i];
		double width = (double)label_cells(line->name) * LABEL_CELL_PX;

		if (line->look == TIMELINE_AREA || x + SAMPLE_PX + width > right)
			continue;
		timeline_segment(drawing->figure, timeline_stroke(panel, i), x, y + 8,
				 x + SAMPLE_PX - TIMELINE_INSET_PX, y + 8);
		figure_text(drawing->figure, FIGURE_QUIET, x + SAMPLE_PX, y, line->name,
			    label_room(width + LABEL_CELL_PX));
		x += SAMPLE_PX + width + KEY_GAP_PX;
	}
}

/* Where the words of marks end in each line of them, so that none is written over another. */
struct timeline_words {
	double right[MARK_ROWS];
};

/* From its begin to its end at the top of the plot, and down where it had happened. */
static void add_mark_line(const struct timeline_drawing *drawing, double begin, double end,
			  const struct timeline_scale *scale)
{
	struct figure_line *line = figure_line(drawing->figure);
	double top = scale->bottom_px - scale->height_px;

	if (!line)
		return;
	line->stroke = FIGURE_MARK;
	figure_point(drawing->figure, begin, top);
	figure_point(drawing->figure, end, top);
	figure_point(drawing->figure, end, scale->bottom_px);
}

/* In the one ink that is legible on every area. */
static void add_mark_text(const struct timeline_drawing *drawing, const char *text, double begin,
			  double end, double top, struct timeline_words *words)
{
	double right = drawing->left + drawing->width;
	double width = (double)label_cells(text) * LABEL_CELL_PX;
	double x = end + TIMELINE_INSET_PX + width > right ? begin - TIMELINE_INSET_PX - width
							   : end + TIMELINE_INSET_PX;
	size_t row = 0;

	while (row + 1 < MARK_ROWS && words->right[row] > x)
		row++;
	if (words->right[row] > x)
		return;
	words->right[row] = x + width + TIMELINE_INSET_PX;
	figure_text(drawing->figure, FIGURE_LINE, x, top + (double)row * MARK_ROW_PX, text,
		    label_room(width + LABEL_CELL_PX));
}

/* Marks of one time are one line, with all of their words. */
static void add_marks(const struct timeline_drawing *drawing, const struct timeline_panel *panel,
		      const struct timeline_scale *scale)
{
	struct timeline_words words = {{0}};

	for (size_t i = 0, next; i < panel->marks_nr; i = next) {
		const struct timeline_mark *mark = &panel->marks[i];
		double begin = timeline_x(drawing, mark->begin_s),
		       end = timeline_x(drawing, mark->end_s);
		const char *text = mark->text;

		for (next = i + 1; next < panel->marks_nr; next++) {
			const struct timeline_mark *also = &panel->marks[next];

			if (also->begin_s != mark->begin_s || also->end_s != mark->end_s)
				break;
			if (strcmp(also->text, mark->text) != 0)
				text = figure_join(
					drawing->figure,
					(const char *const[]){text, ", ", also->text, NULL});
		}
		add_mark_line(drawing, begin, end, scale);
		add_mark_text(drawing, text, begin, end, scale->bottom_px - scale->height_px,
			      &words);
	}
}

static void add_lost(const struct timeline_drawing *drawing, const struct timeline_mark *lost,
		     const struct timeline_scale *scale)
{
	struct figure_box *box = figure_box(drawing->figure);

	if (!box)
		return;
	box->x = timeline_x(drawing, lost->begin_s);
	box->width = timeline_x(drawing, lost->end_s) - box->x;
	box->y = scale->bottom_px - scale->height_px;
	box->height = scale->height_px;
	figure_paint(drawing->figure, box,
		     (struct fill){.paint = PAINT_UNKNOWN, .hatch = HATCH_STRIPED});
	box->tip = lost->text;
}

static double plot_px(const struct timeline_panel *panel)
{
	return panel->is_tall ? TALL_PX : PLOT_PX;
}

double timeline_panel_px(const struct timeline_panel *panel)
{
	return TIMELINE_ROW_PX + plot_px(panel) + PANEL_GAP_PX;
}

static void add_panel(const struct timeline_drawing *drawing, const struct timeline_panel *panel,
		      double top)
{
	struct timeline_scale scale = {
		.left_px = drawing->left,
		.width_px = drawing->width,
		.bottom_px = top + TIMELINE_ROW_PX + plot_px(panel),
		.height_px = plot_px(panel),
		.duration_s = drawing->chart->duration_s,
		.top = HEADROOM * timeline_top(panel),
	};
	double width = (double)label_cells(panel->title) * LABEL_CELL_PX;

	figure_text(drawing->figure, FIGURE_LINE, drawing->left, top, panel->title,
		    label_room(drawing->width));
	add_names(drawing, panel, drawing->left + width + KEY_GAP_PX, top);
	add_levels(drawing, panel, &scale);
	timeline_add_lines(drawing->figure, panel, &scale);
	for (size_t i = 0; i < panel->lost_nr; i++)
		add_lost(drawing, &panel->lost[i], &scale);
	add_marks(drawing, panel, &scale);
}

/* ---- all of it */

static double add_head(struct figure *figure, const struct timeline_chart *chart)
{
	struct head head = {.subtitle = chart->subtitle, .text = chart->head};
	const char *words[PAINT_NR] = {NULL};
	const char *marks[HATCH_NR] = {[HATCH_STRIPED] = "samples were lost or throttled"};

	head.mark_words = marks;
	if (chart->heat)
		timeline_heat_keys(chart->heat, words, &head);
	for (size_t i = 0; i < chart->panels_nr; i++)
		head.has_mark[HATCH_STRIPED] |= chart->panels[i].lost_nr > 0;
	for (size_t i = 0; i < chart->panels_nr; i++)
		for (size_t k = 0; k < chart->panels[i].lines_nr; k++)
			if (chart->panels[i].lines[k].look == TIMELINE_AREA &&
			    timeline_is_seen(&chart->panels[i].lines[k]))
				head.has_paint[chart->panels[i].lines[k].paint] = true;
	return head_add(figure, &head);
}

static const char *describe(struct figure *figure, const struct timeline_chart *chart)
{
	const char *text = chart->head ? chart->head : "";

	if (chart->heat)
		return figure_join(figure, (const char *const[]){text, " ", chart->heat->title,
								 ", as a heat map.", NULL});
	for (size_t i = 0; i < chart->panels_nr; i++)
		text = figure_join(figure, (const char *const[]){text, i ? ", " : " Panels: ",
								 chart->panels[i].title, NULL});
	return text;
}

static void add_panels(const struct timeline_drawing *drawing, double y, double *ret_bottom)
{
	const struct timeline_chart *chart = drawing->chart;
	double bottom = y + TIMELINE_ROW_PX;

	if (chart->heat) {
		timeline_add_times(drawing, y, y + TIMELINE_ROW_PX);
		*ret_bottom = timeline_add_heat(drawing, y + TIMELINE_ROW_PX);
		return;
	}
	for (size_t i = 0; i < chart->panels_nr; i++)
		bottom += timeline_panel_px(&chart->panels[i]);
	timeline_add_times(drawing, y, bottom - PANEL_GAP_PX);
	add_clock_error(drawing, y);
	y += TIMELINE_ROW_PX;
	for (size_t i = 0; i < chart->panels_nr; i++) {
		add_panel(drawing, &chart->panels[i], y);
		y += timeline_panel_px(&chart->panels[i]);
	}
	*ret_bottom = y;
}

/* What a script draws of the samples when a range is chosen. */
static bool add_flame(struct figure *figure, const struct timeline_flame *flame,
		      struct flame_chart *chart)
{
	if (!flame)
		return true;
	*chart = (struct flame_chart){
		.unit = flame->unit,
		.whole = flame->whole,
		.flags = flame->is_painted_by_name ? FLAME_PAINT_NAME : 0,
	};
	figure->chart = chart;
	flame_add_function_fills(figure, chart);
	if (!figure->is_short_of_memory)
		return true;
	figure_release(figure);
	errno = ENOMEM;
	return false;
}

bool timeline_layout(const struct timeline_chart *chart, struct figure *ret)
{
	struct figure figure = {
		.width_px = chart->width_px,
		.title = chart->title,
		.theme = chart->theme,
	};
	struct timeline_drawing drawing = {
		.figure = &figure,
		.chart = chart,
		.left = FIGURE_PADDING_PX + TIMELINE_GUTTER_PX,
		.width = chart->width_px - 2 * FIGURE_PADDING_PX - TIMELINE_GUTTER_PX,
		.duration_s = chart->heat ? (double)chart->heat->columns * chart->heat->column_s
					  : chart->duration_s,
	};
	double y;

	if (!figure.title)
		figure.title = chart->heat ? "Heat map" : "Timeline";
	figure.description = describe(&figure, chart);
	y = add_head(&figure, chart);
	figure.timeline = chart;
	figure.plot = (struct figure_plot){
		.top_px = y, .left_px = drawing.left, .width_px = drawing.width};
	y = timeline_add_phases(&drawing, y);
	figure.plot.axis_px = y;
	figure.plot.panels_px = y + TIMELINE_ROW_PX;
	add_panels(&drawing, y, &y);
	figure.plot.bottom_px = y - PANEL_GAP_PX;
	if (chart->foot && figure_text(&figure, FIGURE_QUIET, FIGURE_PADDING_PX, y, chart->foot,
				       label_room(chart->width_px - 2 * FIGURE_PADDING_PX)))
		y += TIMELINE_ROW_PX;
	figure.height_px = y + FIGURE_PADDING_PX;
	return figure_finish(&figure, ret);
}

bool timeline_draw(const struct timeline_chart *chart, FILE *out)
{
	struct figure figure;

	struct flame_chart flame;

	if (!timeline_layout(chart, &figure) || !add_flame(&figure, chart->flame, &flame))
		return false;
	return draw_figure_once(&figure, chart->format, out);
}
