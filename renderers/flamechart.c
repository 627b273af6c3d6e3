/* flamechart.c - stacks in order of time, a lane per thread */
#include "renderers/flamechart.h"

#include <errno.h>
#include <string.h>

#include "renderers/axis.h"
#include "renderers/figure.h"
#include "renderers/flame_layout.h"
#include "renderers/flamechart_layout.h"
#include "renderers/head.h"
#include "renderers/number.h"

#define ROW_PX		17.0
#define BOX_PX		16.0
#define GAP_PX		1.0 /* between neighbours; a narrow box gives a fifth of its width */
#define SEEN_PX		0.6 /* what is shorter is drawn so, as a sample must not vanish */
#define INSET_PX	3.0
#define LABEL_CELLS_MIN 3
#define LANE_GAP_PX	6.0
#define TICK_PX		5.0   /* how far a tick stands above the lanes */
#define TICK_SPACE_PX	101.0 /* between two of them, at least */
#define TICKS_MAX	300

static double inner_px(const struct flamechart_chart *chart)
{
	return chart->width_px - 2 * FIGURE_PADDING_PX;
}

/* ---- the axis */

static void add_line(struct figure *figure, double x, double y, double height)
{
	struct figure_box *box = figure_box(figure);

	if (!box)
		return;
	box->x = x;
	box->y = y;
	box->width = 1;
	box->height = height;
	box->fill = (struct fill){.paint = PAINT_MORE};
}

/* Labels at y, a line from each through all lanes. */
static void add_ticks(struct figure *figure, const struct flamechart_chart *chart, double y,
		      double lanes_px)
{
	double step = axis_step(chart->duration_s * TICK_SPACE_PX / inner_px(chart));
	double right = chart->width_px - FIGURE_PADDING_PX;

	for (unsigned int i = 0; i < TICKS_MAX; i++) {
		double at = i * step, x = FIGURE_PADDING_PX;
		char text[NUMBER_SIZE];

		if (at > chart->duration_s)
			break;
		x += at / chart->duration_s * inner_px(chart);
		add_line(figure, x, y + ROW_PX - TICK_PX, lanes_px + TICK_PX);
		axis_time(text, at, step);
		if (x + TICK_SPACE_PX <= right)
			figure_text(figure, FIGURE_QUIET, x + INSET_PX, y,
				    figure_join(figure, (const char *const[]){text, NULL}),
				    label_room(TICK_SPACE_PX));
	}
}

/* ---- the lanes */

static struct fill box_fill(const struct flamechart_chart *chart, const struct flamechart_box *box)
{
	struct fill fill = {.paint = box->paint, .shade = palette_shade(box->name)};

	if (box->paint == PAINT_MORE)
		return (struct fill){.paint = PAINT_MORE};
	if (chart->flags & FLAME_PAINT_NAME)
		fill = palette_fill_by_name(box->name);
	fill.hatch = box->mark;
	return fill;
}

static void add_box(struct figure *figure, const struct flamechart_chart *chart,
		    const struct flamechart_box *from, double top)
{
	struct figure_box *box = figure_box(figure);
	double width = (from->end - from->begin) * inner_px(chart);

	if (!box)
		return;
	box->x = FIGURE_PADDING_PX + from->begin * inner_px(chart);
	box->y = top + from->depth * ROW_PX;
	box->width = width - (width / 5 < GAP_PX ? width / 5 : GAP_PX);
	if (box->width < SEEN_PX)
		box->width = SEEN_PX;
	box->height = BOX_PX;
	figure_paint(figure, box, box_fill(chart, from));
	box->tip = figure_join(figure, (const char *const[]){from->name, ", ", from->tip, NULL});
	if (box->width < 2 * INSET_PX + LABEL_CELLS_MIN * LABEL_CELL_PX)
		return;
	box->label = label_cut(from->name, (size_t)((box->width - 2 * INSET_PX) / LABEL_CELL_PX));
}

static double lane_px(const struct flamechart_row *row)
{
	return ROW_PX * (1 + row->depth) + LANE_GAP_PX;
}

static void add_lane(struct figure *figure, const struct flamechart_chart *chart,
		     const struct flamechart_row *row, double top)
{
	double name_px = (double)label_cells(row->name) * LABEL_CELL_PX;

	figure_text(figure, FIGURE_LINE, FIGURE_PADDING_PX, top, row->name,
		    label_room(inner_px(chart)));
	if (row->fact)
		figure_text(figure, FIGURE_QUIET, FIGURE_PADDING_PX + name_px + ROW_PX, top,
			    row->fact, label_room(inner_px(chart) - name_px - ROW_PX));
	for (size_t i = 0; i < row->nr; i++)
		if (chart->boxes[row->begin + i].depth < row->depth)
			add_box(figure, chart, &chart->boxes[row->begin + i], top + ROW_PX);
}

/* ---- all of it */

static double add_head(struct figure *figure, const struct flamechart_chart *chart)
{
	struct head head = {
		.subtitle = chart->subtitle,
		.text = chart->head,
		.paint_words = chart->paint_words,
		.mark_words = chart->mark_words,
	};

	for (size_t i = 0; i < chart->rows_nr; i++)
		for (size_t j = 0; j < chart->rows[i].nr; j++) {
			const struct flamechart_box *box = &chart->boxes[chart->rows[i].begin + j];

			head.has_paint[box->paint] = true;
			head.has_mark[box->mark] = true;
		}
	if (chart->flags & FLAME_PAINT_NAME)
		for (enum paint paint = PAINT_APP; paint <= PAINT_UNKNOWN; paint++)
			head.has_paint[paint] = false;
	/* its word in the palette is of frames */
	head.has_paint[PAINT_MORE] = false;
	return head_add(figure, &head);
}

static const char *describe(struct figure *figure, const struct flamechart_chart *chart)
{
	char lanes[NUMBER_SIZE];

	number_exact(lanes, (double)chart->rows_nr);
	return figure_join(figure, (const char *const[]){
					   chart->head ? chart->head : "", chart->head ? " " : "",
					   lanes, chart->rows_nr == 1 ? " thread, " : " threads, ",
					   "from left to right in order of time.", NULL});
}

bool flamechart_layout(const struct flamechart_chart *chart, struct figure *ret)
{
	struct figure figure = {
		.width_px = chart->width_px,
		.title = chart->title ? chart->title : "Flame chart",
		.theme = chart->theme,
	};
	double y, lanes_px = 0;

	figure.description = describe(&figure, chart);
	y = add_head(&figure, chart);
	for (size_t i = 0; i < chart->rows_nr; i++)
		lanes_px += lane_px(&chart->rows[i]);
	add_ticks(&figure, chart, y, lanes_px);
	y += ROW_PX;
	for (size_t i = 0; i < chart->rows_nr; i++) {
		add_lane(&figure, chart, &chart->rows[i], y);
		y += lane_px(&chart->rows[i]);
	}
	if (chart->foot && figure_text(&figure, FIGURE_QUIET, FIGURE_PADDING_PX, y, chart->foot,
				       label_room(inner_px(chart))))
		y += ROW_PX;
	figure.height_px = y + FIGURE_PADDING_PX;
	return figure_finish(&figure, ret);
}

/* What a script draws, whose legend is of all that it may draw. */
static bool add_walk(struct figure *figure, const struct flamechart_chart *chart,
		     struct flame_chart *tree)
{
	*tree = (struct flame_chart){.subtitle = chart->subtitle, .id = chart->id};
	figure->chart = tree;
	if (!chart->walk)
		return true;
	tree->unit = "samples";
	tree->whole = chart->walk->whole;
	tree->flags = FLAME_IN_TIME | (chart->flags & FLAME_PAINT_NAME);
	if (chart->paint_words)
		memcpy(tree->origin_words, chart->paint_words, sizeof(tree->origin_words));
	memcpy(tree->mark_words, chart->mark_words, sizeof(tree->mark_words));
	figure->flamechart = chart;
	flame_add_function_fills(figure, tree);
	if (!figure->is_short_of_memory)
		return true;
	figure_release(figure);
	errno = ENOMEM;
	return false;
}

bool flamechart_draw(const struct flamechart_chart *chart, FILE *out)
{
	struct figure figure;
	struct flame_chart tree;

	return flamechart_layout(chart, &figure) && add_walk(&figure, chart, &tree) &&
	       draw_figure_once(&figure, chart->format, out);
}
