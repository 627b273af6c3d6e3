/* svg_symbols.c - a figure's boxes and labels as elements */
#include "renderers/svg_symbols.h"

#include <errno.h>
#include <stdlib.h>

#include "renderers/figure.h"
#include "renderers/paper.h"

static void put_rect(struct paper *paper, const struct figure_box *box)
{
	paper_put_px(paper, "x=\"", box->x);
	paper_put_px(paper, "\" y=\"", box->y);
	paper_put_px(paper, "\" width=\"", box->width);
	paper_put_px(paper, "\" height=\"", box->height);
	paper_put_string(paper, "\"/>");
}

static const char *outline_class(enum outline outline)
{
	return outline == OUTLINE_SOLID ? " new" : outline == OUTLINE_DASHED ? " gone" : NULL;
}

static void put_class(struct paper *paper, struct fill fill, enum outline outline)
{
	char name[] = {palette_letter(fill.paint), (char)('0' + fill.shade)};

	paper_put_string(paper, " class=\"");
	paper_put(paper, name, sizeof(name));
	if (fill.hatch) {
		char hatch[] = {' ', palette_hatch_letter(fill.hatch)};

		paper_put(paper, hatch, sizeof(hatch));
	}
	if (outline)
		paper_put_string(paper, outline_class(outline));
	paper_put_string(paper, "\"");
}

static void put_symbol(struct paper *paper, const struct figure_box *box)
{
	paper_put_string(paper, "<g role=\"graphics-symbol\"");
	put_class(paper, box->fill, box->outline);
	paper_put_string(paper, "><title>");
	paper_put_text(paper, box->tip, strlen(box->tip));
	if (box->tip_rest)
		paper_put_text(paper, box->tip_rest, strlen(box->tip_rest));
	paper_put_string(paper, "</title><rect ");
	put_rect(paper, box);
	if (box->label.size) {
		paper_put_px(paper, "<text x=\"", box->x + 3);
		paper_put_px(paper, "\" y=\"", box->y + 12);
		paper_put_string(paper, "\">");
		paper_put_label(paper, &box->label);
		paper_put_string(paper, "</text>");
	}
	paper_put_string(paper, "</g>\n");
}

void svg_put_head(struct paper *paper, const struct figure *figure)
{
	static const char *const classes[] = {
		[FIGURE_TITLE] = "title", [FIGURE_LINE] = "line",	[FIGURE_QUIET] = "quiet",
		[FIGURE_KEY] = "key",	  [FIGURE_LEFT] = "left quiet",
	};

	for (size_t i = 0; i < figure->boxes_nr; i++) {
		if (figure->boxes[i].tip || figure->boxes[i].is_thin)
			continue;
		paper_put_string(paper, "<rect");
		put_class(paper, figure->boxes[i].fill, OUTLINE_NONE);
		paper_put_string(paper, " ");
		put_rect(paper, &figure->boxes[i]);
		paper_put_string(paper, "\n");
	}
	for (size_t i = 0; i < figure->labels_nr; i++) {
		const struct figure_label *label = &figure->labels[i];

		paper_put_string(paper, "<text class=\"");
		paper_put_string(paper, classes[label->style]);
		paper_put_px(paper, "\" x=\"", label->x);
		paper_put_px(paper, "\" y=\"", label->y);
		paper_put_string(paper, label->ends_at_x ? "\" text-anchor=\"end\">" : "\">");
		paper_put_label(paper, &label->text);
		paper_put_string(paper, "</text>\n");
	}
}

/*
 * Thin boxes, which are most of many a picture, are one path for each fill: that of its first
 * letter and shade, since a hatch cannot be seen on them.
 */
static void put_outline(struct paper *paper, const struct figure_box *box)
{
	paper_put_px(paper, "M", box->x);
	paper_put_px(paper, " ", box->y);
	paper_put_px(paper, "h", box->width);
	paper_put_px(paper, "v", box->height);
	paper_put_px(paper, "h-", box->width);
	paper_put_string(paper, "z");
}

static size_t fill_index(const struct figure_box *box)
{
	return box->fill.paint * PALETTE_SHADES + box->fill.shade;
}

#define FILLS_NR (PAINT_NR * PALETTE_SHADES)

static void put_path(struct paper *paper, const struct figure *figure, const uint32_t *boxes,
		     size_t nr)
{
	struct fill fill = figure->boxes[boxes[0]].fill;

	fill.hatch = HATCH_NONE;
	paper_put_string(paper, "<path");
	put_class(paper, fill, OUTLINE_NONE);
	paper_put_string(paper, " d=\"");
	for (size_t i = 0; i < nr; i++)
		put_outline(paper, &figure->boxes[boxes[i]]);
	paper_put_string(paper, "\"/>\n");
}

/* The thin boxes, in their order, by fill: a path for each. */
static bool put_thin(struct paper *paper, const struct figure *figure, const uint32_t *thin,
		     size_t nr)
{
	uint32_t *sorted = malloc((nr + 1) * sizeof(*sorted));
	size_t end[FILLS_NR + 1] = {0};

	if (!sorted)
		return false;
	for (size_t i = 0; i < nr; i++)
		end[fill_index(&figure->boxes[thin[i]]) + 1]++;
	for (size_t fill = 0; fill < FILLS_NR; fill++)
		end[fill + 1] += end[fill];
	for (size_t i = 0; i < nr; i++)
		sorted[end[fill_index(&figure->boxes[thin[i]])]++] = thin[i];
	/* now end[fill] is the end of that fill, and the begin of the next */
	for (size_t fill = 0, begin = 0; fill < FILLS_NR; begin = end[fill++])
		if (end[fill] > begin)
			put_path(paper, figure, sorted + begin, end[fill] - begin);
	free(sorted);
	return true;
}

void svg_put_symbols(struct paper *paper, const struct figure *figure)
{
	uint32_t *thin = malloc((figure->boxes_nr + 1) * sizeof(*thin));
	size_t thin_nr = 0;

	for (size_t i = 0; thin && i < figure->boxes_nr; i++) {
		if (figure->boxes[i].tip)
			put_symbol(paper, &figure->boxes[i]);
		if (figure->boxes[i].is_thin)
			thin[thin_nr++] = (uint32_t)i;
	}
	if ((!thin || !put_thin(paper, figure, thin, thin_nr)) && !paper->error)
		paper->error = ENOMEM;
	free(thin);
}
