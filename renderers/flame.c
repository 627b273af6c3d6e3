/* flame.c - a flamegraph's layout: frames become boxes, with head, legend and description */
#include "renderers/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame_layout.h"
#include "renderers/flame_summary.h"
#include "renderers/flame_tree.h"
#include "renderers/number.h"
#include "renderers/svg.h"

#define PADDING_PX	 10.0
#define ROW_PX		 17.0 /* a box and the gap under it */
#define BOX_PX		 16.0
#define GAP_PX		 1.0 /* between neighbours; a narrow box gives a fifth of its width */
#define INSET_PX	 3.0
#define LABEL_CELLS_MIN	 3
#define TITLE_PX	 20.0 /* a line of the title */
#define TITLE_CELL_PX	 10.8 /* bold 16 px of a wide font */
#define TITLE_LINES_MAX	 3
#define LINE_PX		 17.0 /* a line of the head */
#define HEAD_LINES_MAX	 6
#define BASELINE_PX	 12.0 /* below the top of a line or box of 12 px text */
#define SWATCH_PX	 4.0  /* one shade's strip of a legend entry */
#define SWATCH_HEIGHT_PX 12.0
#define KEY_INSET_PX	 6.0
#define KEY_GAP_PX	 18.0
#define HEAD_GAP_PX	 8.0
#define THIN_PX		 1.0 /* what is narrower cannot be pointed at */

static double inner_px(const struct flame_chart *chart)
{
	return chart->width_px - 2 * PADDING_PX;
}

/* Text as lines under each other, the last one cut if lines_max do not hold it; returns the y
 * below. */
static double add_lines(struct figure *figure, const char *text, enum figure_style style, double y,
			size_t cells, size_t lines_max)
{
	double line_px = style == FIGURE_TITLE ? TITLE_PX : LINE_PX;

	for (size_t i = 0; text && *text && i < lines_max; i++) {
		struct label line =
			i + 1 < lines_max ? label_line(text, cells) : label_cut(text, cells);
		struct figure_label *label = figure_label(figure);

		if (!label)
			return y;
		label->x = PADDING_PX;
		label->y = y + (style == FIGURE_TITLE ? BASELINE_PX + 3 : BASELINE_PX);
		label->style = style;
		label->text = line;
		y += line_px;
		text += line.size;
		while (*text == ' ')
			text++;
	}
	return y;
}

static struct fill frame_fill(const struct flame_chart *chart, const struct flame_frame *frame)
{
	struct fill fill = {.paint = frame->paint};

	if (frame->more)
		return (struct fill){.paint = PAINT_MORE};
	if ((chart->flags & FLAME_PAINT_NAME) && frame->paint != PAINT_ROOT)
		fill = palette_fill_by_name(frame->name);
	else
		fill.shade = palette_shade(frame->name);
	fill.hatch = frame->mark;
	return fill;
}

/*
 * An entry: the shades of a paint, each over the one before it so that no seam shows when the
 * picture is scaled, then its word. Moves on x and y to the next one's place.
 */
static void add_key(struct figure *figure, struct fill fill, const char *word, double *x, double *y)
{
	double swatch_px = SWATCH_PX * PALETTE_SHADES + KEY_INSET_PX;
	double right = figure->width_px - PADDING_PX;
	double width = swatch_px + (double)label_cells(word) * LABEL_CELL_PX;
	struct figure_label *label;

	if (*x > PADDING_PX && *x + width > right) {
		*x = PADDING_PX;
		*y += LINE_PX;
	}
	for (unsigned int i = 0; i < PALETTE_SHADES; i++) {
		struct figure_box *box = figure_box(figure);

		if (!box)
			return;
		box->x = *x + i * SWATCH_PX;
		box->y = *y + 2;
		box->width = (PALETTE_SHADES - i) * SWATCH_PX;
		box->height = SWATCH_HEIGHT_PX;
		box->fill = (struct fill){fill.paint, i, fill.hatch};
	}
	label = figure_label(figure);
	if (!label)
		return;
	label->x = *x + swatch_px;
	label->y = *y + BASELINE_PX;
	label->style = FIGURE_KEY;
	label->text = label_cut(word, (size_t)((right - label->x) / LABEL_CELL_PX));
	*x += width + KEY_GAP_PX;
}

/* Which paints need an entry. Nothing but a word of the caller's tells what the root's grey is. */
static void find_paints(const struct flame_chart *chart, bool *ret_occurs)
{
	for (size_t i = 0; i < chart->frames_nr; i++) {
		const struct flame_frame *frame = &chart->frames[i];

		ret_occurs[frame->more ? PAINT_MORE : frame->paint] = true;
	}
	if (!chart->origin_words[PAINT_ROOT])
		ret_occurs[PAINT_ROOT] = false;
	if (chart->flags & FLAME_PAINT_NAME)
		for (enum paint paint = PAINT_APP; paint <= PAINT_UNKNOWN; paint++)
			ret_occurs[paint] = false;
}

/* What hatches mean, shown on grey since they lie on any paint. */
static bool add_mark_keys(struct figure *figure, const struct flame_chart *chart, double *x,
			  double *y)
{
	bool occurs[HATCH_NR] = {false}, is_any = false;

	for (size_t i = 0; i < chart->frames_nr; i++)
		if (!chart->frames[i].more)
			occurs[chart->frames[i].mark] = true;
	for (enum hatch mark = HATCH_NONE + 1; mark < HATCH_NR; mark++) {
		if (!occurs[mark] || !chart->mark_words[mark])
			continue;
		add_key(figure, (struct fill){.paint = PAINT_UNKNOWN, .hatch = mark},
			chart->mark_words[mark], x, y);
		is_any = true;
	}
	return is_any;
}

static double add_legend(struct figure *figure, const struct flame_chart *chart, double y)
{
	bool occurs[PAINT_NR] = {false}, is_any = false;
	double x = PADDING_PX;

	find_paints(chart, occurs);
	y += 2;
	for (enum paint paint = 0; paint < PAINT_NR; paint++) {
		const char *word = chart->origin_words[paint];

		if (!occurs[paint])
			continue;
		add_key(figure, (struct fill){.paint = paint}, word ? word : palette_word(paint),
			&x, &y);
		is_any = true;
	}
	is_any |= add_mark_keys(figure, chart, &x, &y);
	return is_any ? y + LINE_PX : y - 2;
}

static double add_head(struct figure *figure, const struct flame_chart *chart)
{
	size_t cells = (size_t)(inner_px(chart) / LABEL_CELL_PX);
	double y = PADDING_PX;

	y = add_lines(figure, figure->title, FIGURE_TITLE, y,
		      (size_t)(inner_px(chart) / TITLE_CELL_PX), TITLE_LINES_MAX);
	y = add_lines(figure, chart->subtitle, FIGURE_LINE, y, cells, HEAD_LINES_MAX);
	y = add_lines(figure, chart->head, FIGURE_QUIET, y, cells, HEAD_LINES_MAX);
	return add_legend(figure, chart, y) + HEAD_GAP_PX;
}

/* "+ 12 more (12 frames too narrow to draw)"; the box itself shows its start. */
static const char *more_name(struct figure *figure, uint32_t more, size_t *ret_label_size)
{
	char count[NUMBER_SIZE];
	size_t count_size = number_exact(count, more);
	const char *const parts[] = {"+ ",
				     count,
				     " more (",
				     count,
				     more == 1 ? " frame" : " frames",
				     " too narrow to draw)",
				     NULL};

	*ret_label_size = strlen("+ ") + count_size + strlen(" more");
	return figure_join(figure, parts);
}

static void name_box(struct figure *figure, struct figure_box *box, const struct flame_chart *chart,
		     const struct flame_frame *frame)
{
	size_t cells = box->width > 2 * INSET_PX
			       ? (size_t)((box->width - 2 * INSET_PX) / LABEL_CELL_PX)
			       : 0;
	size_t more_size = 0;
	const char *name = frame->more ? more_name(figure, frame->more, &more_size) : frame->name;
	char share[NUMBER_SIZE];
	const char *const parts[] = {name,	    ", ",  frame->value,
				     ", ",	    share, frame->origin ? ", " : NULL,
				     frame->origin, NULL};

	number_share(share, flame_share(chart, frame));
	box->tip = figure_join(figure, parts);
	if (cells < LABEL_CELLS_MIN)
		return;
	if (frame->more)
		box->label = (struct label){name, cells < more_size ? 0 : more_size, false};
	else
		box->label = label_cut(name, cells);
}

static void place_box(struct figure_box *box, const struct flame_chart *chart,
		      const struct flame_frame *frame, uint32_t deepest, double top)
{
	double scale = inner_px(chart);
	uint32_t row = chart->flags & FLAME_ICICLE ? frame->depth : deepest - frame->depth;
	double width = frame->width * scale;

	box->x = PADDING_PX + frame->begin * scale;
	box->y = top + row * ROW_PX;
	box->width = width - (width / 5 < GAP_PX ? width / 5 : GAP_PX);
	box->height = BOX_PX;
	box->is_thin = width < THIN_PX;
}

static bool add_frames(struct figure *figure, const struct flame_chart *chart,
		       const struct flame_tree *tree, uint32_t deepest, double top)
{
	uint32_t at = 0;

	do {
		const struct flame_frame *frame = &chart->frames[at];
		struct figure_box *box = frame->depth <= deepest ? figure_box(figure) : NULL;

		if (box) {
			box->fill = frame_fill(chart, frame);
			place_box(box, chart, frame, deepest, top);
			if (!box->is_thin)
				name_box(figure, box, chart, frame);
		}
		at = flame_tree_next(tree, chart, at);
	} while (at && !figure->is_short_of_memory);
	return !figure->is_short_of_memory;
}

/* "1,244 more levels are too deep to be drawn here", beyond the last row that is. */
static void add_levels_left(struct figure *figure, uint32_t levels, double y)
{
	char number[NUMBER_SIZE];
	const char *const parts[] = {"+ ", number, levels == 1 ? " level" : " levels",
				     " more, too deep to be drawn here", NULL};
	const char *words;
	struct figure_label *label;

	number_exact(number, levels);
	words = figure_join(figure, parts);
	label = figure_label(figure);
	if (!label)
		return;
	label->x = PADDING_PX;
	label->y = y + BASELINE_PX;
	label->style = FIGURE_LEFT;
	label->text = label_cut(words, (size_t)(figure->width_px / LABEL_CELL_PX));
}

static bool add_tree(struct figure *figure, const struct flame_chart *chart,
		     const struct flame_tree *tree, double top)
{
	bool is_icicle = chart->flags & FLAME_ICICLE;
	uint32_t deepest = tree->depth < FLAME_LEVELS_MAX ? tree->depth : FLAME_LEVELS_MAX - 1;
	double rows_px = (deepest + 1) * ROW_PX;

	figure->height_px += rows_px;
	if (deepest < tree->depth) {
		add_levels_left(figure, tree->depth - deepest, is_icicle ? top + rows_px : top);
		figure->height_px += ROW_PX;
		top += is_icicle ? 0 : ROW_PX;
	}
	return add_frames(figure, chart, tree, deepest, top);
}

/* What a script paints, in the colours of what is drawn. */
static void add_function_fills(struct figure *figure, const struct flame_chart *chart)
{
	const struct flame_whole *whole = chart->whole;

	if (!whole)
		return;
	figure->function_fills = calloc(whole->functions_nr + 1, sizeof(*figure->function_fills));
	if (!figure->function_fills) {
		figure->is_short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < whole->functions_nr; i++) {
		const struct flame_function *function = &whole->functions[i];
		struct flame_frame frame = {
			.name = function->name, .paint = function->paint, .mark = function->mark};

		figure->function_fills[i] = frame_fill(chart, &frame);
	}
}

bool flame_layout(const struct flame_chart *chart, struct figure *ret)
{
	struct figure figure = {0};
	struct flame_tree tree;
	double top;

	if (!flame_tree_init(&tree, chart))
		goto failed;
	figure.chart = chart;
	figure.width_px = chart->width_px;
	figure.title = chart->title ? chart->title : "Flame graph";
	figure.unit = chart->unit;
	figure.theme = chart->theme;
	figure.description = flame_summary(&figure, chart, &tree);
	top = add_head(&figure, chart);
	figure.height_px = top + PADDING_PX;
	if (chart->frames_nr && !add_tree(&figure, chart, &tree, top))
		goto failed;
	add_function_fills(&figure, chart);
	if (figure.is_short_of_memory)
		goto failed;
	flame_tree_release(&tree);
	*ret = figure;
	return true;
failed:
	flame_tree_release(&tree);
	figure_release(&figure);
	errno = ENOMEM;
	return false;
}

bool flame_write_svg(const struct flame_chart *chart, FILE *out)
{
	struct figure figure;
	bool is_written;

	if (!flame_layout(chart, &figure))
		return false;
	is_written = svg_write(&figure, out);
	figure_release(&figure);
	return is_written;
}
