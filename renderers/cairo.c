/* cairo.c - figure -> PNG or PDF, with text in whatever fonts there are */
#include "renderers/cairo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/cairo_library.h"
#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/number.h"
#include "renderers/palette.h"

#define FONT_PX	      12
#define TITLE_FONT_PX 16
#define SANS	      "DejaVu Sans, Noto Sans, sans-serif"
#define MONOSPACE     "DejaVu Sans Mono, Noto Sans Mono, monospace"

#define INSET_PX 3.0
#define TEXT_PX	 12.0 /* from a box's top to the baseline of its label */

#define HATCH_STEP_PX  5.657 /* between stripes, as the pattern of 8 px in SVG has it */
#define HATCH_WIDTH_PX 1.3

/* cairo's surfaces of pixels are not larger */
#define PNG_SIDE_MAX 32000.0
#define PNG_SCALE    2.0

/* A4 in points */
#define PAGE_WIDTH_PT  841.89
#define PAGE_HEIGHT_PT 595.28
#define MARGIN_PT      28.0
#define FOOT_PT	       16.0
#define SHRINK_MOST    1.7  /* what is so much higher than a page is made smaller, not broken */
#define BREAK_SEEK_PX  60.0 /* how far above a page's end a place to break is looked for */
#define PAGES_MAX      2000

struct brush {
	const struct cairo_library *lib;
	cairo_t *cairo;
	const struct figure *figure;
	bool is_dark;
	PangoLayout *layout;
	PangoFontDescription *fonts[2]; /* sans, monospace */
};

static double lesser(double a, double b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Rounded up. */
static int whole(double px)
{
	return (int)px + ((int)px < px);
}

/* ---- colours */

static void set_rgb(const struct brush *brush, uint32_t rgb)
{
	brush->lib->cairo_set_source_rgb(brush->cairo, (rgb >> 16 & 0xff) / 255.0,
					 (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0);
}

static void set_ink(const struct brush *brush, enum ink ink)
{
	set_rgb(brush, palette_ink_rgb(ink, brush->is_dark));
}

/* ---- text */

struct words {
	const struct label *label;
	double x, baseline;
	double width; /* 0: any; else cut with an ellipsis */
	int size_px;
	bool is_monospace, is_bold, ends_at_x;
};

static void put_words(const struct brush *brush, const struct words *words)
{
	PangoFontDescription *font = brush->fonts[words->is_monospace];
	const struct label *label = words->label;
	char *text;
	double x = words->x;
	int width, height;

	if (asprintf(&text, "%.*s%s", (int)label->size, label->text,
		     label->is_cut ? LABEL_ELLIPSIS : "") < 0)
		return;
	brush->lib->pango_font_description_set_absolute_size(font,
							     words->size_px * (double)PANGO_SCALE);
	brush->lib->pango_font_description_set_weight(font, words->is_bold ? PANGO_WEIGHT_BOLD
									   : PANGO_WEIGHT_NORMAL);
	brush->lib->pango_layout_set_font_description(brush->layout, font);
	brush->lib->pango_layout_set_width(
		brush->layout, words->width > 0 ? (int)(words->width * PANGO_SCALE) : -1);
	brush->lib->pango_layout_set_text(brush->layout, text, -1);
	free(text);
	if (words->ends_at_x) {
		brush->lib->pango_layout_get_pixel_size(brush->layout, &width, &height);
		x -= width;
	}
	brush->lib->cairo_move_to(
		brush->cairo, x,
		words->baseline -
			(double)brush->lib->pango_layout_get_baseline(brush->layout) / PANGO_SCALE);
	brush->lib->pango_cairo_show_layout(brush->cairo, brush->layout);
}

static void put_label(const struct brush *brush, const struct figure_label *label)
{
	bool is_quiet = label->style == FIGURE_QUIET || label->style == FIGURE_LEFT;

	set_ink(brush, is_quiet ? INK_QUIET : INK_TEXT);
	put_words(brush, &(struct words){
				 .label = &label->text,
				 .x = label->x,
				 .baseline = label->y,
				 .size_px = label->style == FIGURE_TITLE ? TITLE_FONT_PX : FONT_PX,
				 .is_monospace = label->style == FIGURE_KEY,
				 .is_bold = label->style == FIGURE_TITLE,
				 .ends_at_x = label->ends_at_x,
			 });
}

/* ---- boxes */

static void put_stripes(const struct brush *brush, const struct figure_box *box, bool falls)
{
	double length = box->width + box->height;

	for (double at = -box->height; at < length; at += HATCH_STEP_PX * 1.4142) {
		double bottom = falls ? box->y : box->y + box->height;
		double top = falls ? box->y + box->height : box->y;

		brush->lib->cairo_move_to(brush->cairo, box->x + at, bottom);
		brush->lib->cairo_line_to(brush->cairo, box->x + at + box->height, top);
	}
	brush->lib->cairo_stroke(brush->cairo);
}

static void put_hatch(const struct brush *brush, const struct figure_box *box)
{
	brush->lib->cairo_save(brush->cairo);
	brush->lib->cairo_rectangle(brush->cairo, box->x, box->y, box->width, box->height);
	brush->lib->cairo_clip(brush->cairo);
	set_ink(brush, INK_SURFACE);
	brush->lib->cairo_set_line_width(brush->cairo, HATCH_WIDTH_PX);
	put_stripes(brush, box, false);
	if (box->fill.hatch == HATCH_CROSSED)
		put_stripes(brush, box, true);
	brush->lib->cairo_restore(brush->cairo);
}

static void put_box(const struct brush *brush, const struct figure_box *box)
{
	set_rgb(brush, palette_rgb(box->fill, brush->is_dark));
	brush->lib->cairo_rectangle(brush->cairo, box->x, box->y, box->width, box->height);
	brush->lib->cairo_fill(brush->cairo);
	if (box->fill.hatch != HATCH_NONE && !box->is_thin)
		put_hatch(brush, box);
	if (!box->label.size)
		return;
	set_ink(brush, INK_TEXT);
	put_words(brush, &(struct words){
				 .label = &box->label,
				 .x = box->x + INSET_PX,
				 .baseline = box->y + TEXT_PX,
				 .width = box->width - INSET_PX,
				 .size_px = FONT_PX,
				 .is_monospace = true,
			 });
}

/* ---- lines */

static void trace(const struct brush *brush, const struct figure_line *line)
{
	bool is_down = false;

	for (size_t i = 0; i < line->nr; i++) {
		const struct figure_point *point = &brush->figure->points[line->begin + i];

		if (point->x < 0)
			is_down = false;
		else if (!is_down)
			brush->lib->cairo_move_to(brush->cairo, point->x, point->y);
		else
			brush->lib->cairo_line_to(brush->cairo, point->x, point->y);
		is_down = point->x >= 0;
	}
}

static void put_line(const struct brush *brush, const struct figure_line *line)
{
	const struct figure_pen *pen = figure_pen(line->stroke);
	const double dashes[] = {pen->dash_px, pen->gap_px};

	trace(brush, line);
	if (line->is_area) {
		set_rgb(brush, palette_rgb(line->fill, brush->is_dark));
		brush->lib->cairo_close_path(brush->cairo);
		brush->lib->cairo_fill(brush->cairo);
		return;
	}
	set_ink(brush, pen->ink);
	brush->lib->cairo_set_line_width(brush->cairo, pen->width_px);
	brush->lib->cairo_set_dash(brush->cairo, dashes, pen->dash_px > 0 ? 2 : 0, 0);
	brush->lib->cairo_stroke(brush->cairo);
	brush->lib->cairo_set_dash(brush->cairo, NULL, 0, 0);
}

/* ---- all of a figure, or of it what lies between two heights */

static void put_figure(const struct brush *brush, double from_px, double to_px)
{
	const struct figure *figure = brush->figure;

	for (size_t i = 0; i < figure->boxes_nr; i++)
		if (!figure->boxes[i].tip && !figure->boxes[i].is_thin)
			put_box(brush, &figure->boxes[i]);
	for (size_t i = 0; i < figure->lines_nr; i++)
		put_line(brush, &figure->lines[i]);
	for (size_t i = 0; i < figure->boxes_nr; i++) {
		const struct figure_box *box = &figure->boxes[i];

		if ((box->tip || box->is_thin) && box->y < to_px && box->y + box->height > from_px)
			put_box(brush, box);
	}
	for (size_t i = 0; i < figure->labels_nr; i++)
		if (figure->labels[i].y - FONT_PX < to_px && figure->labels[i].y + 4 > from_px)
			put_label(brush, &figure->labels[i]);
}

static void brush_init(struct brush *brush, const struct cairo_library *lib,
		       cairo_surface_t *surface, const struct figure *figure)
{
	*brush = (struct brush){
		.lib = lib,
		.cairo = lib->cairo_create(surface),
		.figure = figure,
		.is_dark = figure->theme == FLAME_THEME_DARK,
		.fonts = {lib->pango_font_description_from_string(SANS),
			  lib->pango_font_description_from_string(MONOSPACE)},
	};
	brush->layout = brush->lib->pango_cairo_create_layout(brush->cairo);
	brush->lib->pango_layout_set_single_paragraph_mode(brush->layout, TRUE);
	brush->lib->pango_layout_set_ellipsize(brush->layout, PANGO_ELLIPSIZE_END);
}

static void brush_release(struct brush *brush)
{
	brush->lib->g_object_unref(brush->layout);
	brush->lib->pango_font_description_free(brush->fonts[0]);
	brush->lib->pango_font_description_free(brush->fonts[1]);
	brush->lib->cairo_destroy(brush->cairo);
}

static cairo_status_t put_bytes(void *file, const unsigned char *bytes, unsigned int size)
{
	return fwrite(bytes, 1, size, file) == size ? CAIRO_STATUS_SUCCESS
						    : CAIRO_STATUS_WRITE_ERROR;
}

/* errno of what went wrong; that of a failed write is still there. */
static bool is_good(cairo_status_t status, FILE *out)
{
	if (status == CAIRO_STATUS_SUCCESS && fflush(out) == 0 && !ferror(out))
		return true;
	if (status == CAIRO_STATUS_NO_MEMORY)
		errno = ENOMEM;
	else if (status == CAIRO_STATUS_INVALID_SIZE)
		errno = EFBIG;
	else if (!errno)
		errno = EIO;
	return false;
}

/* ---- PNG */

bool cairo_draw_png(const struct figure *figure, FILE *out)
{
	double scale =
		lesser(PNG_SCALE, PNG_SIDE_MAX / larger(figure->width_px, figure->height_px));
	const struct cairo_library *lib = cairo_library_load();
	cairo_surface_t *surface;
	cairo_status_t status;
	struct brush brush;

	if (!lib)
		return false;
	errno = 0;
	surface =
		lib->cairo_image_surface_create(CAIRO_FORMAT_RGB24, whole(figure->width_px * scale),
						whole(figure->height_px * scale));
	status = lib->cairo_surface_status(surface);
	if (status == CAIRO_STATUS_SUCCESS) {
		brush_init(&brush, lib, surface, figure);
		lib->cairo_scale(brush.cairo, scale, scale);
		set_ink(&brush, INK_SURFACE);
		lib->cairo_paint(brush.cairo);
		put_figure(&brush, 0, figure->height_px);
		status = lib->cairo_status(brush.cairo);
		brush_release(&brush);
	}
	if (status == CAIRO_STATUS_SUCCESS)
		status = lib->cairo_surface_write_to_png_stream(surface, put_bytes, out);
	lib->cairo_surface_destroy(surface);
	return is_good(status, out);
}

/* ---- PDF */

/* A height that no box and no line of text lies across, at or not far above `wanted`. */
static double find_break(const struct figure *figure, double from_px, double wanted_px)
{
	double least = larger(from_px + 1, wanted_px - BREAK_SEEK_PX), at = wanted_px;
	bool is_moved = true;

	while (is_moved && at > least) {
		is_moved = false;
		for (size_t i = 0; i < figure->boxes_nr; i++) {
			const struct figure_box *box = &figure->boxes[i];

			if (box->tip && box->y < at && box->y + box->height > at) {
				at = box->y;
				is_moved = true;
			}
		}
		for (size_t i = 0; i < figure->labels_nr; i++) {
			double y = figure->labels[i].y;

			if (y - FONT_PX < at && y + 4 > at) {
				at = y - FONT_PX;
				is_moved = true;
			}
		}
	}
	return at > least ? at : wanted_px;
}

static void put_foot(const struct brush *brush, unsigned page, unsigned pages)
{
	char text[512], page_text[NUMBER_SIZE], pages_text[NUMBER_SIZE];
	struct label label;

	number_exact(page_text, page);
	number_exact(pages_text, pages);
	snprintf(text, sizeof(text), "%.400s \xc2\xb7 page %s of %s", brush->figure->title,
		 page_text, pages_text);
	label = (struct label){text, strlen(text), false};
	set_ink(brush, INK_QUIET);
	put_words(brush, &(struct words){.label = &label,
					 .x = MARGIN_PT,
					 .baseline = PAGE_HEIGHT_PT - MARGIN_PT + 8,
					 .width = PAGE_WIDTH_PT - 2 * MARGIN_PT,
					 .size_px = 8});
}

static void put_page(const struct brush *brush, double scale, double from_px, double to_px)
{
	cairo_t *cairo = brush->cairo;

	set_ink(brush, INK_SURFACE);
	brush->lib->cairo_paint(cairo);
	brush->lib->cairo_save(cairo);
	brush->lib->cairo_translate(cairo, MARGIN_PT, MARGIN_PT);
	brush->lib->cairo_rectangle(cairo, 0, 0, brush->figure->width_px * scale,
				    (to_px - from_px) * scale);
	brush->lib->cairo_clip(cairo);
	brush->lib->cairo_scale(cairo, scale, scale);
	brush->lib->cairo_translate(cairo, 0, -from_px);
	put_figure(brush, from_px, to_px);
	brush->lib->cairo_restore(cairo);
}

/* Where each page ends; how many there are. */
static unsigned find_pages(const struct figure *figure, double page_px, double *ends)
{
	unsigned nr = 0;
	double from = 0;

	while (nr + 1 < PAGES_MAX && from + page_px < figure->height_px) {
		from = find_break(figure, from, from + page_px);
		ends[nr++] = from;
	}
	ends[nr++] = figure->height_px;
	return nr;
}

static void put_pages(const struct brush *brush)
{
	const struct figure *figure = brush->figure;
	double room_pt = PAGE_HEIGHT_PT - 2 * MARGIN_PT - FOOT_PT;
	double scale = lesser(1, (PAGE_WIDTH_PT - 2 * MARGIN_PT) / figure->width_px);
	double height_pt = figure->height_px * scale, from = 0;
	double ends[PAGES_MAX];
	unsigned pages;

	/* lines go from the first panel to the last: they are not taken apart */
	if (height_pt > room_pt && (height_pt <= SHRINK_MOST * room_pt || figure->lines_nr))
		scale *= room_pt / height_pt;
	pages = find_pages(figure, room_pt / scale + 0.01, ends);
	for (unsigned page = 0; page < pages; from = ends[page++]) {
		put_page(brush, scale, from, ends[page]);
		put_foot(brush, page + 1, pages);
		brush->lib->cairo_show_page(brush->cairo);
	}
}

bool cairo_draw_pdf(const struct figure *figure, FILE *out)
{
	const struct cairo_library *lib = cairo_library_load();
	cairo_surface_t *surface;
	cairo_status_t status;
	struct brush brush;

	if (!lib)
		return false;
	errno = 0;
	surface = lib->cairo_pdf_surface_create_for_stream(put_bytes, out, PAGE_WIDTH_PT,
							   PAGE_HEIGHT_PT);
	lib->cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, figure->title);
	/* the same figure, the same bytes: no date of today */
	lib->cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
	brush_init(&brush, lib, surface, figure);
	put_pages(&brush);
	status = lib->cairo_status(brush.cairo);
	brush_release(&brush);
	lib->cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = lib->cairo_surface_status(surface);
	lib->cairo_surface_destroy(surface);
	return is_good(status, out);
}
