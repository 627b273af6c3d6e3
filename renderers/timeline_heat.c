/* timeline_heat.c - when samples came, as a heat map: seconds across, their parts down */
#include "renderers/timeline_heat.h"

#include "renderers/axis.h"
#include "renderers/head.h"
#include "renderers/timeline.h"
#include "renderers/timeline_axis.h"

#define CELL_PX	       7.0
#define GAP_PX	       1.0 /* between columns that are wide enough */
#define GAP_FROM_PX    5.0
#define LEVEL_SPACE_PX 26.0 /* between two offsets */
#define BELOW_PX       10.0

uint32_t timeline_heat_level(uint32_t samples, uint32_t most)
{
	uint64_t steps = TIMELINE_HEAT_LEVELS - 1;

	return most ? (uint32_t)(((uint64_t)samples * steps + most - 1) / most) : 0;
}

double timeline_heat_px(const struct timeline_heat *heat)
{
	return (double)heat->rows * CELL_PX;
}

void timeline_heat_keys(const struct timeline_heat *heat, const char **words, struct head *head)
{
	words[PAINT_HEAT_LOW] = heat->few;
	words[PAINT_HEAT_HIGH] = heat->many;
	head->paint_words = words;
	head->has_paint[PAINT_HEAT_LOW] = head->has_paint[PAINT_HEAT_HIGH] = true;
	for (size_t i = 0; i < heat->columns * heat->rows; i++)
		head->has_mark[HATCH_STRIPED] |= heat->samples[i] == TIMELINE_UNKNOWN;
}

static struct fill fill_of(uint32_t level)
{
	return (struct fill){.paint = PAINT_HEAT_LOW + level / PALETTE_SHADES,
			     .shade = level % PALETTE_SHADES};
}

/* Cells of a column that look the same, as one box. */
struct run {
	size_t column, begin, end;
};

static void add_run(const struct timeline_drawing *drawing, const struct run *run, double top,
		    uint32_t samples)
{
	const struct timeline_heat *heat = drawing->chart->heat;
	double width = drawing->width / (double)heat->columns;
	struct figure_box *box = figure_box(drawing->figure);

	if (!box)
		return;
	box->x = drawing->left + (double)run->column * width;
	box->width = width - (width >= GAP_FROM_PX ? GAP_PX : 0);
	box->y = top + (double)run->begin * CELL_PX;
	box->height = (double)(run->end - run->begin) * CELL_PX;
	if (samples == TIMELINE_UNKNOWN) {
		figure_paint(drawing->figure, box,
			     (struct fill){.paint = PAINT_UNKNOWN, .hatch = HATCH_STRIPED});
		box->tip = heat->lost;
		return;
	}
	figure_paint(drawing->figure, box, fill_of(timeline_heat_level(samples, heat->most)));
	box->is_thin = true;
}

/* Cells that are none are of no look that a box has. */
static uint32_t look_of(const struct timeline_heat *heat, uint32_t samples)
{
	return samples >= TIMELINE_UNKNOWN ? samples : timeline_heat_level(samples, heat->most);
}

static void add_column(const struct timeline_drawing *drawing, size_t column, double top)
{
	const struct timeline_heat *heat = drawing->chart->heat;
	const uint32_t *cells = &heat->samples[column * heat->rows];
	struct run run = {.column = column};

	for (; run.begin < heat->rows; run.begin = run.end) {
		uint32_t look = look_of(heat, cells[run.begin]);

		for (run.end = run.begin + 1; run.end < heat->rows; run.end++)
			if (look_of(heat, cells[run.end]) != look)
				break;
		if (look != TIMELINE_NO_CELL)
			add_run(drawing, &run, top, cells[run.begin]);
	}
}

/* Offsets within a column, left of the cells. */
static void add_offsets(const struct timeline_drawing *drawing, double top)
{
	const struct timeline_heat *heat = drawing->chart->heat;
	double height = timeline_heat_px(heat);
	double step = axis_step(heat->column_s * LEVEL_SPACE_PX / height);

	for (unsigned int i = 0; i < TIMELINE_TICKS_MAX && i * step <= heat->column_s * 0.999;
	     i++) {
		double y = top + i * step / heat->column_s * height;
		struct figure_label *label;
		char text[NUMBER_SIZE];

		axis_time(text, i * step, step);
		timeline_segment(drawing->figure, FIGURE_GRID, drawing->left - TIMELINE_INSET_PX, y,
				 drawing->left, y);
		label = figure_text(drawing->figure, FIGURE_QUIET,
				    drawing->left - TIMELINE_INSET_PX, y,
				    figure_join(drawing->figure, (const char *const[]){text, NULL}),
				    label_room(TIMELINE_GUTTER_PX));
		if (label)
			label->ends_at_x = true;
	}
}

double timeline_add_heat(const struct timeline_drawing *drawing, double top)
{
	const struct timeline_heat *heat = drawing->chart->heat;

	figure_text(drawing->figure, FIGURE_LINE, drawing->left, top, heat->title,
		    label_room(drawing->width));
	top += TIMELINE_ROW_PX;
	add_offsets(drawing, top);
	for (size_t column = 0; column < heat->columns; column++)
		add_column(drawing, column, top);
	return top + timeline_heat_px(heat) + BELOW_PX;
}
