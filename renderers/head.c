/* head.c - what stands above every chart: title, lines, legend */
#include "renderers/head.h"

#include "renderers/figure.h"

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
		label->x = FIGURE_PADDING_PX;
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

/*
 * An entry: the shades of a paint, each over the one before it so that no seam shows when the
 * picture is scaled, then its word. Moves on x and y to the next one's place.
 */
static void add_key(struct figure *figure, struct fill fill, const char *word, double *x, double *y)
{
	double swatch_px = SWATCH_PX * PALETTE_SHADES + KEY_INSET_PX;
	double right = figure->width_px - FIGURE_PADDING_PX;
	double width = swatch_px + (double)label_cells(word) * LABEL_CELL_PX;
	struct figure_label *label;

	if (*x > FIGURE_PADDING_PX && *x + width > right) {
		*x = FIGURE_PADDING_PX;
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
		figure_paint(figure, box, (struct fill){fill.paint, i, fill.hatch});
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

/* What hatches mean, shown on grey since they lie on any paint. */
static bool add_mark_keys(struct figure *figure, const struct head *head, double *x, double *y)
{
	bool is_any = false;

	for (enum hatch mark = HATCH_NONE + 1; mark < HATCH_NR; mark++) {
		if (!head->has_mark[mark] || !head->mark_words || !head->mark_words[mark])
			continue;
		add_key(figure, (struct fill){.paint = PAINT_UNKNOWN, .hatch = mark},
			head->mark_words[mark], x, y);
		is_any = true;
	}
	return is_any;
}

static double add_legend(struct figure *figure, const struct head *head, double y)
{
	bool is_any = false;
	double x = FIGURE_PADDING_PX;

	y += 2;
	for (enum paint paint = 0; paint < PAINT_NR; paint++) {
		const char *word = head->paint_words ? head->paint_words[paint] : NULL;

		if (!head->has_paint[paint])
			continue;
		add_key(figure, (struct fill){.paint = paint}, word ? word : palette_word(paint),
			&x, &y);
		is_any = true;
	}
	is_any |= add_mark_keys(figure, head, &x, &y);
	return is_any ? y + LINE_PX : y - 2;
}

double head_add(struct figure *figure, const struct head *head)
{
	double inner_px = figure->width_px - 2 * FIGURE_PADDING_PX;
	size_t cells = (size_t)(inner_px / LABEL_CELL_PX);
	double y = FIGURE_PADDING_PX;

	y = add_lines(figure, figure->title, FIGURE_TITLE, y, (size_t)(inner_px / TITLE_CELL_PX),
		      TITLE_LINES_MAX);
	y = add_lines(figure, head->subtitle, FIGURE_LINE, y, cells, HEAD_LINES_MAX);
	y = add_lines(figure, head->text, FIGURE_QUIET, y, cells, HEAD_LINES_MAX);
	return add_legend(figure, head, y) + HEAD_GAP_PX;
}
