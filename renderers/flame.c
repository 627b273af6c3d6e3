/* flame.c - a flamegraph's layout: frames become boxes, with head, legend and description */
#include "renderers/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame_layout.h"
#include "renderers/flame_memo.h"
#include "renderers/flame_summary.h"
#include "renderers/flame_tree.h"
#include "renderers/head.h"
#include "renderers/number.h"

#define ROW_PX		17.0 /* a box and the gap under it */
#define BOX_PX		16.0
#define GAP_PX		1.0 /* between neighbours; a narrow box gives a fifth of its width */
#define BASELINE_PX	12.0
#define INSET_PX	3.0
#define LABEL_CELLS_MIN 3
#define THIN_PX		1.0  /* what is narrower cannot be pointed at */
#define WORDED_MAX	1000 /* of no more frames all have words: programs read them, too */
#define SWATCHES	64   /* boxes of the legend, about */
#define MIDDLE_GAP_PX	6.0  /* above and below the middle of a sandwich */

static double inner_px(const struct flame_chart *chart)
{
	return chart->width_px - 2 * FIGURE_PADDING_PX;
}

bool flame_has_words(const struct flame_chart *chart, const struct flame_frame *frame)
{
	bool is_thin = frame->width * inner_px(chart) < THIN_PX;

	return !is_thin || chart->frames_nr <= WORDED_MAX;
}

static struct fill frame_fill(const struct flame_chart *chart, struct flame_memo *memo,
			      const struct flame_frame *frame)
{
	struct fill fill;

	if (frame->more)
		return (struct fill){.paint = PAINT_MORE};
	fill = palette_fill_by_hash(flame_memo_name_hash(memo, frame->name));
	if (!(chart->flags & FLAME_PAINT_NAME) || frame->paint == PAINT_ROOT)
		fill.paint = frame->paint;
	fill.hatch = frame->mark;
	return fill;
}

static void add_paints(const struct flame_frame *frames, size_t nr, struct head *head)
{
	for (size_t i = 0; i < nr; i++) {
		head->has_paint[frames[i].more ? PAINT_MORE : frames[i].paint] = true;
		head->has_mark[frames[i].more ? HATCH_NONE : frames[i].mark] = true;
	}
}

void flame_drop_unkeyed(const struct flame_chart *chart, bool *has_paint)
{
	if (!chart->origin_words[PAINT_ROOT])
		has_paint[PAINT_ROOT] = false;
	if (chart->flags & FLAME_PAINT_NAME)
		for (enum paint paint = PAINT_APP; paint <= PAINT_UNKNOWN; paint++)
			has_paint[paint] = false;
}

/* Which paints need an entry. */
static void find_paints(const struct flame_chart *chart, struct head *head)
{
	add_paints(chart->frames, chart->frames_nr, head);
	add_paints(chart->callers, chart->callers_nr, head);
	flame_drop_unkeyed(chart, head->has_paint);
}

static double add_head(struct figure *figure, const struct flame_chart *chart)
{
	struct head head = {
		.subtitle = chart->subtitle,
		.text = chart->head,
		.paint_words = chart->origin_words,
		.mark_words = chart->mark_words,
	};

	find_paints(chart, &head);
	return head_add(figure, &head);
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

/*
 * "+12.3 rules_parse": what a label says of a change stands first, and whole or not at all, since
 * the begin of a number is another number; the name is cut.
 */
static struct label change_label(struct figure *figure, const char *points, const char *name,
				 size_t cells)
{
	const char *const label[] = {points, " ", name, NULL};
	size_t size = strlen(points);

	if (cells < size)
		return (struct label){0};
	if (cells < size + LABEL_CELLS_MIN)
		return label_cut(points, cells);
	return label_cut(figure_join(figure, label), cells);
}

/* What a box is drawn of. */
struct drawing {
	struct figure *figure;
	const struct flame_chart *chart;
	const struct flame_tree *tree;
	struct flame_memo *memo; /* of all of the picture */
};

static void name_change(const struct drawing *drawing, struct figure_box *box,
			const struct flame_frame *frame, size_t cells)
{
	const struct flame_chart *chart = drawing->chart;
	const struct flame_change *change = &chart->changes[frame - chart->frames];

	box->tip_rest = flame_memo_tip_rest(drawing->memo, drawing->figure, frame, -1);
	if (!frame->more)
		box->label = change_label(drawing->figure, change->points, frame->name, cells);
}

static void name_box(const struct drawing *drawing, struct figure_box *box,
		     const struct flame_frame *frame)
{
	size_t cells = box->width > 2 * INSET_PX
			       ? (size_t)((box->width - 2 * INSET_PX) / LABEL_CELL_PX)
			       : 0;
	size_t more_size = 0;

	box->tip = frame->more ? more_name(drawing->figure, frame->more, &more_size) : frame->name;
	if (drawing->chart->changes) {
		name_change(drawing, box, frame, cells);
		return;
	}
	box->tip_rest = flame_memo_tip_rest(drawing->memo, drawing->figure, frame,
					    flame_share(drawing->chart, frame));
	if (cells < LABEL_CELLS_MIN)
		return;
	if (frame->more)
		box->label = (struct label){box->tip, cells < more_size ? 0 : more_size, false};
	else
		box->label = label_cut(box->tip, cells);
}

/* Which depths are drawn, where the first one's row is, and how far it is to the next. */
struct rows {
	uint32_t first, last;
	double y, step;
};

static void place_box(struct figure_box *box, const struct flame_chart *chart,
		      const struct flame_frame *frame, const struct rows *rows)
{
	double scale = inner_px(chart);
	double width = frame->width * scale;

	box->x = FIGURE_PADDING_PX + frame->begin * scale;
	box->y = rows->y + rows->step * (double)(frame->depth - rows->first);
	box->width = width - (width / 5 < GAP_PX ? width / 5 : GAP_PX);
	box->height = BOX_PX;
	box->is_thin = !flame_has_words(chart, frame);
}

static void paint_box(const struct drawing *drawing, struct figure_box *box,
		      const struct flame_frame *frame)
{
	const struct flame_chart *chart = drawing->chart;
	struct fill fill = frame_fill(chart, drawing->memo, frame);

	if (chart->changes) {
		const struct flame_change *change = &chart->changes[frame - chart->frames];

		box->outline = change->outline;
		if (!frame->more)
			fill = (struct fill){frame->paint, change->shade, frame->mark};
	}
	figure_paint(drawing->figure, box, fill);
}

static bool add_frames(const struct drawing *drawing, const struct rows *rows)
{
	const struct flame_chart *chart = drawing->chart;
	uint32_t at = 0;

	do {
		const struct flame_frame *frame = &chart->frames[at];
		struct figure_box *box;

		at = flame_tree_next(drawing->tree, chart, at);
		if (frame->depth < rows->first || frame->depth > rows->last)
			continue;
		box = figure_box(drawing->figure);
		if (!box)
			break;
		paint_box(drawing, box, frame);
		place_box(box, chart, frame, rows);
		if (!box->is_thin)
			name_box(drawing, box, frame);
	} while (at);
	return !drawing->figure->is_short_of_memory;
}

/* "+ 1244 levels more, too deep to be drawn here", beyond the last row that is. */
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
	label->x = FIGURE_PADDING_PX;
	label->y = y + BASELINE_PX;
	label->style = FIGURE_LEFT;
	label->text = label_cut(words, (size_t)(inner_px(figure->chart) / LABEL_CELL_PX));
}

/* The last depth that is drawn. */
static uint32_t last_depth(const struct flame_tree *tree)
{
	return tree->depth < FLAME_LEVELS_MAX ? tree->depth : FLAME_LEVELS_MAX - 1;
}

/* The frames below the head; *height_px grows by what they take. */
static bool add_tree(const struct drawing *drawing, double top)
{
	const struct flame_chart *chart = drawing->chart;
	const struct flame_tree *tree = drawing->tree;
	struct figure *figure = drawing->figure;
	bool is_icicle = chart->flags & FLAME_ICICLE;
	struct rows rows = {0, last_depth(tree), top, ROW_PX};
	double rows_px = (rows.last + 1) * ROW_PX;

	if (!chart->frames_nr)
		return true;
	figure->height_px += rows_px;
	if (rows.last < tree->depth) {
		add_levels_left(figure, tree->depth - rows.last, is_icicle ? top + rows_px : top);
		figure->height_px += ROW_PX;
		rows.y += is_icicle ? 0 : ROW_PX;
	}
	if (!is_icicle) {
		rows.y += rows_px - ROW_PX;
		rows.step = -ROW_PX;
	}
	return add_frames(drawing, &rows);
}

/* So many levels of each of a sandwich's trees are drawn. */
#define HALF_LEVELS_MAX (FLAME_LEVELS_MAX / 2)

/* A half of a sandwich: the levels of a tree from the second on that are drawn, and the others. */
struct half {
	uint32_t drawn, left;
	double height_px;
};

static struct half half_of(const struct flame_tree *tree)
{
	struct half half = {.drawn = tree->depth < 2 ? 0 : tree->depth - 1};

	if (half.drawn > HALF_LEVELS_MAX) {
		half.left = half.drawn - HALF_LEVELS_MAX;
		half.drawn = HALF_LEVELS_MAX;
	}
	half.height_px = (half.drawn + (half.left > 0)) * ROW_PX;
	return half;
}

/* Callers grow upwards from `middle`, the top of the row that both trees have. */
static bool add_callers(const struct drawing *upper, const struct half *half, double middle)
{
	struct rows rows = {2, half->drawn + 1, middle - MIDDLE_GAP_PX - ROW_PX, -ROW_PX};

	if (half->left)
		add_levels_left(upper->figure, half->left,
				middle - MIDDLE_GAP_PX - half->height_px);
	return add_frames(upper, &rows);
}

static bool add_callees(const struct drawing *drawing, const struct half *half, double middle)
{
	double top = middle + ROW_PX + MIDDLE_GAP_PX;

	if (half->left)
		add_levels_left(drawing->figure, half->left, top + half->drawn * ROW_PX);
	return add_frames(drawing, &(struct rows){1, 1, middle, ROW_PX}) &&
	       add_frames(drawing, &(struct rows){2, half->drawn + 1, top, ROW_PX});
}

/*
 * A sandwich: callers grow upwards from the row that both trees have, the one below their
 * roots; it is drawn with the callees, and a gap stands on both sides of it.
 */
static bool add_sandwich(const struct drawing *drawing, double top)
{
	const struct flame_chart *chart = drawing->chart;
	struct flame_chart upper = *chart;
	struct flame_tree callers;
	struct drawing above_it = {drawing->figure, &upper, &callers, drawing->memo};
	bool is_done = false;

	upper.frames = chart->callers;
	upper.frames_nr = chart->callers_nr;
	if (flame_tree_init(&callers, &upper)) {
		struct half above = half_of(&callers), below = half_of(drawing->tree);
		double middle = top + above.height_px + (above.drawn ? MIDDLE_GAP_PX : 0);

		drawing->figure->height_px =
			middle + ROW_PX + MIDDLE_GAP_PX + below.height_px + FIGURE_PADDING_PX;
		is_done = add_callers(&above_it, &above, middle) &&
			  add_callees(drawing, &below, middle);
	}
	flame_tree_release(&callers);
	return is_done;
}

static void add_function_fills(struct figure *figure, const struct flame_chart *chart,
			       struct flame_memo *memo)
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

		struct figure_box painted;

		figure_paint(figure, &painted, frame_fill(chart, memo, &frame));
		figure->function_fills[i] = painted.fill;
	}
}

void flame_add_function_fills(struct figure *figure, const struct flame_chart *chart)
{
	struct flame_memo memo;

	if (flame_memo_init(&memo, 1))
		add_function_fills(figure, chart, &memo);
	else
		figure->is_short_of_memory = true;
	flame_memo_release(&memo);
}

static bool lay_out(const struct drawing *drawing)
{
	const struct flame_chart *chart = drawing->chart;
	struct figure *figure = drawing->figure;
	double top;

	figure_reserve(figure, chart->frames_nr + chart->callers_nr + SWATCHES);
	figure->width_px = chart->width_px;
	figure->chart = chart;
	figure->title = chart->title ? chart->title : "Flame graph";
	figure->unit = chart->unit;
	figure->theme = chart->theme;
	figure->description = flame_summary(figure, chart, drawing->tree);
	top = add_head(figure, chart);
	figure->height_px = top + FIGURE_PADDING_PX;
	if (!(chart->callers_nr ? add_sandwich : add_tree)(drawing, top))
		return false;
	add_function_fills(figure, chart, drawing->memo);
	return !figure->is_short_of_memory;
}

bool flame_layout(const struct flame_chart *chart, struct figure *ret)
{
	struct figure figure = {0};
	struct flame_tree tree = {0};
	struct flame_memo memo;
	bool is_done = flame_memo_init(&memo, chart->frames_nr) && flame_tree_init(&tree, chart) &&
		       lay_out(&(struct drawing){&figure, chart, &tree, &memo});

	flame_tree_release(&tree);
	flame_memo_release(&memo);
	if (is_done) {
		*ret = figure;
		return true;
	}
	figure_release(&figure);
	errno = ENOMEM;
	return false;
}

bool flame_draw(const struct flame_chart *chart, FILE *out)
{
	struct figure figure;

	return flame_layout(chart, &figure) && draw_figure_once(&figure, chart->format, out);
}
