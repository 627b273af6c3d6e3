/* table.c - functions by weight as a picture: bars and numbers, a row each */
#include "renderers/table.h"

#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame_layout.h"
#include "renderers/head.h"
#include "renderers/number.h"
#include "renderers/table_layout.h"

#define ROW_PX	    17.0
#define BOX_PX	    14.0
#define COLUMN_PX   14.0 /* between columns */
#define SHARE_CELLS 8
#define NAME_CELLS  12 /* a name is never given less */
#define BAR_PX	    240.0
#define BAR_MIN_PX  20.0

/* Where columns are; a number ends at its x. What a narrow picture has no room for is 0. */
struct columns {
	double self_share, self, total_share, total, bar, bar_px, name;
	double whole_px; /* of the bar that the whole had: the largest one fills its column */
	size_t name_cells;
};

static size_t widest(const struct table_chart *chart, bool is_total)
{
	size_t cells = strlen("total");

	for (size_t i = 0; i < chart->rows_nr; i++) {
		const char *text = is_total ? chart->rows[i].total_text : chart->rows[i].self_text;
		size_t mine = label_cells(text);

		if (mine > cells)
			cells = mine;
	}
	return cells;
}

static double largest(const struct table_chart *chart)
{
	double found = 0;

	for (size_t i = 0; i < chart->rows_nr; i++)
		if (chart->rows[i].total > found)
			found = chart->rows[i].total;
	return found > 0 ? found : 1;
}

/* A column that is so wide; returns where it ends, *x is where the next begins. */
static double add_column(double *x, double width)
{
	double end = *x + width;

	*x = end + COLUMN_PX;
	return end;
}

static void place_columns(const struct table_chart *chart, struct columns *ret)
{
	double right = chart->width_px - FIGURE_PADDING_PX, x = FIGURE_PADDING_PX;
	double self_px = (double)widest(chart, false) * LABEL_CELL_PX;
	double total_px = (double)widest(chart, true) * LABEL_CELL_PX;
	double share_px = SHARE_CELLS * LABEL_CELL_PX, name_px = NAME_CELLS * LABEL_CELL_PX;
	double left = right - x - 2 * (share_px + COLUMN_PX) - name_px;
	bool has_weights = left >= self_px + total_px + 2 * COLUMN_PX;

	*ret = (struct columns){0};
	left -= has_weights ? self_px + total_px + 2 * COLUMN_PX : 0;
	ret->self_share = add_column(&x, share_px);
	if (has_weights)
		ret->self = add_column(&x, self_px);
	ret->total_share = add_column(&x, share_px);
	if (has_weights)
		ret->total = add_column(&x, total_px);
	if (left >= BAR_MIN_PX + COLUMN_PX) {
		/* names come first */
		left *= left < BAR_PX * 4 ? 0.5 : 1;
		ret->bar = x;
		ret->bar_px = left - COLUMN_PX < BAR_PX ? left - COLUMN_PX : BAR_PX;
		if (ret->bar_px < BAR_MIN_PX)
			ret->bar_px = BAR_MIN_PX;
		ret->whole_px = ret->bar_px / largest(chart);
		add_column(&x, ret->bar_px);
	}
	ret->name = x;
	ret->name_cells = label_room(right - x);
}

static void add_number(struct figure *figure, enum figure_style style, double right, double y,
		       const char *text)
{
	struct figure_label *label;

	if (!right)
		return;
	label = figure_text(figure, style, right, y, text, label_cells(text));

	if (label)
		label->ends_at_x = true;
}

static void add_share(struct figure *figure, double right, double y, double share)
{
	char text[NUMBER_SIZE];
	const char *const parts[] = {text, NULL};

	number_share(text, share);
	add_number(figure, FIGURE_LINE, right, y, figure_join(figure, parts));
}

static void add_bar(struct figure *figure, double x, double y, double width, struct fill fill)
{
	struct figure_box *box = width > 0 ? figure_box(figure) : NULL;

	if (!box)
		return;
	box->x = x;
	box->y = y + 1;
	box->width = width;
	box->height = BOX_PX;
	figure_paint(figure, box, fill);
}

/* Self weight over total: the pale part of a bar is what others take that it calls. */
static void add_row(struct figure *figure, const struct table_row *row,
		    const struct columns *columns, double y)
{
	add_share(figure, columns->self_share, y, row->self);
	add_number(figure, FIGURE_LINE, columns->self, y, row->self_text);
	add_share(figure, columns->total_share, y, row->total);
	add_number(figure, FIGURE_LINE, columns->total, y, row->total_text);
	add_bar(figure, columns->bar, y, row->total * columns->whole_px,
		(struct fill){.paint = PAINT_MORE});
	add_bar(figure, columns->bar, y, row->self * columns->whole_px, row->fill);
	figure_text(figure, FIGURE_LINE, columns->name, y, row->name, columns->name_cells);
}

static void add_heads(struct figure *figure, const struct columns *columns, double y)
{
	add_number(figure, FIGURE_QUIET, columns->self_share, y, "self %");
	add_number(figure, FIGURE_QUIET, columns->self, y, "self");
	add_number(figure, FIGURE_QUIET, columns->total_share, y, "total %");
	add_number(figure, FIGURE_QUIET, columns->total, y, "total");
	figure_text(figure, FIGURE_QUIET, columns->bar, y, "self of total",
		    label_room(columns->bar_px));
	figure_text(figure, FIGURE_QUIET, columns->name, y, "function", columns->name_cells);
}

/* The first rows in words, for those who do not see them. */
#define TOLD_ROWS 5

static const char *describe(struct figure *figure, const struct table_chart *chart)
{
	char shares[TOLD_ROWS][NUMBER_SIZE];
	const char *parts[3 + 4 * TOLD_ROWS + 2];
	size_t nr = 0;

	if (chart->head) {
		parts[nr++] = chart->head;
		parts[nr++] = " ";
	}
	parts[nr++] = chart->rows_nr ? "Self weight: " : "No functions.";
	for (size_t i = 0; i < TOLD_ROWS && i < chart->rows_nr; i++) {
		number_share(shares[i], chart->rows[i].self);
		if (i)
			parts[nr++] = ", ";
		parts[nr++] = chart->rows[i].name;
		parts[nr++] = " ";
		parts[nr++] = shares[i];
	}
	if (chart->rows_nr)
		parts[nr++] = ".";
	parts[nr] = NULL;
	return figure_join(figure, parts);
}

static double add_rows(struct figure *figure, const struct table_chart *chart, double y)
{
	struct columns columns;

	place_columns(chart, &columns);
	add_heads(figure, &columns, y);
	for (size_t i = 0; i < chart->rows_nr; i++)
		add_row(figure, &chart->rows[i], &columns, y += ROW_PX);
	y += ROW_PX;
	if (chart->foot) {
		size_t cells = (size_t)((figure->width_px - 2 * FIGURE_PADDING_PX) / LABEL_CELL_PX);

		figure_text(figure, FIGURE_QUIET, FIGURE_PADDING_PX, y, chart->foot, cells);
		y += ROW_PX;
	}
	return y;
}

bool table_layout(const struct table_chart *chart, struct figure *ret)
{
	struct figure figure = {
		.width_px = chart->width_px,
		.title = chart->title ? chart->title : "Functions",
		.theme = chart->theme,
		.chart = chart->flame,
		.unit = chart->flame ? chart->flame->unit : NULL,
	};
	struct head head = {
		.subtitle = chart->subtitle,
		.text = chart->head,
		.paint_words = chart->paint_words,
	};

	if (chart->has_paint)
		memcpy(head.has_paint, chart->has_paint, sizeof(head.has_paint));
	figure.description = describe(&figure, chart);
	figure.height_px = add_rows(&figure, chart, head_add(&figure, &head)) + FIGURE_PADDING_PX;
	if (chart->flame)
		flame_add_function_fills(&figure, chart->flame);
	return figure_finish(&figure, ret);
}

bool table_draw(const struct table_chart *chart, FILE *out)
{
	struct figure figure;

	return table_layout(chart, &figure) && draw_figure_once(&figure, chart->format, out);
}
