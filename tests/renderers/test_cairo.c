/* test_cairo.c - PNG and PDF: sizes, probe pixels, pages, the same bytes each time */
#include "tests/test.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "renderers/draw.h"
#include "renderers/figure.h"

static struct figure figure;

static int release(void **state)
{
	(void)state;
	figure_release(&figure);
	return 0;
}

static void begin(double width_px, double height_px)
{
	figure = (struct figure){.title = "a picture",
				 .description = "",
				 .width_px = width_px,
				 .height_px = height_px};
}

static void add_box(double x, double y, double width, double height, struct fill fill)
{
	struct figure_box *box = figure_box(&figure);

	assert_non_null(box);
	*box = (struct figure_box){
		.x = x, .y = y, .width = width, .height = height, .fill = fill, .tip = "box"};
}

/* Owned by the caller. */
static char *drawn(enum draw_format format, size_t *ret_size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, ret_size);

	assert_non_null(out);
	assert_true(draw_figure(&figure, format, out));
	assert_int_equal(fclose(out), 0);
	return bytes;
}

struct source {
	const char *at;
	size_t left;
};

static cairo_status_t read_bytes(void *from, unsigned char *to, unsigned int size)
{
	struct source *source = from;

	if (size > source->left)
		return CAIRO_STATUS_READ_ERROR;
	memcpy(to, source->at, size);
	source->at += size;
	source->left -= size;
	return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *read_png(void)
{
	struct source source;
	char *bytes = drawn(DRAW_PNG, &source.left);
	cairo_surface_t *surface;

	source.at = bytes;
	surface = cairo_image_surface_create_from_png_stream(read_bytes, &source);
	assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
	free(bytes);
	return surface;
}

static uint32_t pixel(cairo_surface_t *surface, int x, int y)
{
	const unsigned char *at = cairo_image_surface_get_data(surface) +
				  (size_t)y * (size_t)cairo_image_surface_get_stride(surface) +
				  (size_t)x * 4;
	uint32_t rgb;

	memcpy(&rgb, at, sizeof(rgb));
	return rgb & 0xffffff;
}

static void a_box_has_its_colour(void **state)
{
	struct fill fill = {.paint = PAINT_APP, .shade = 1};
	cairo_surface_t *surface;

	(void)state;
	begin(100, 50);
	add_box(10, 10, 40, 16, fill);
	surface = read_png();
	assert_int_equal(cairo_image_surface_get_width(surface), 200);
	assert_int_equal(cairo_image_surface_get_height(surface), 100);
	assert_int_equal(pixel(surface, 60, 36), palette_rgb(fill, false));
	assert_int_equal(pixel(surface, 150, 80), palette_ink_rgb(INK_SURFACE, false));
	cairo_surface_destroy(surface);
}

static void a_dark_picture_is_dark(void **state)
{
	struct fill fill = {.paint = PAINT_KERNEL, .shade = 0};
	cairo_surface_t *surface;

	(void)state;
	begin(100, 50);
	figure.theme = FLAME_THEME_DARK;
	add_box(10, 10, 40, 16, fill);
	surface = read_png();
	assert_int_equal(pixel(surface, 60, 36), palette_rgb(fill, true));
	assert_int_equal(pixel(surface, 150, 80), palette_ink_rgb(INK_SURFACE, true));
	cairo_surface_destroy(surface);
}

/* Does a row of pixels hold both? */
static bool has_both(cairo_surface_t *surface, int y, uint32_t a, uint32_t b)
{
	bool has_a = false, has_b = false;

	for (int x = 0; x < cairo_image_surface_get_width(surface); x++) {
		has_a |= pixel(surface, x, y) == a;
		has_b |= pixel(surface, x, y) == b;
	}
	return has_a && has_b;
}

static void hatches_are_stripes_of_the_paper(void **state)
{
	struct fill fill = {.paint = PAINT_APP, .shade = 1, .hatch = HATCH_STRIPED};
	cairo_surface_t *surface;

	(void)state;
	begin(100, 50);
	add_box(10, 10, 80, 16, fill);
	surface = read_png();
	assert_true(has_both(surface, 36, palette_rgb(fill, false),
			     palette_ink_rgb(INK_SURFACE, false)));
	cairo_surface_destroy(surface);
}

static void lines_are_lifted_where_nothing_is_known(void **state)
{
	uint32_t ink = palette_ink_rgb(INK_FIRST, false);
	cairo_surface_t *surface;

	(void)state;
	begin(100, 50);
	assert_non_null(figure_line(&figure));
	figure_point(&figure, 10, 25);
	figure_point(&figure, 40, 25);
	figure_point(&figure, -1, 0);
	figure_point(&figure, 60, 25);
	figure_point(&figure, 90, 25);
	surface = read_png();
	assert_int_equal(pixel(surface, 50, 50), ink);
	assert_int_not_equal(pixel(surface, 100, 50), ink);
	assert_int_equal(pixel(surface, 150, 50), ink);
	cairo_surface_destroy(surface);
}

static void what_is_too_high_is_made_smaller(void **state)
{
	cairo_surface_t *surface;

	(void)state;
	begin(20, 40000);
	add_box(0, 0, 20, 40000, (struct fill){.paint = PAINT_APP});
	surface = read_png();
	assert_int_equal(cairo_image_surface_get_height(surface), 32000);
	cairo_surface_destroy(surface);
}

/* "/Type /Page" of an object, and not "/Type /Pages" */
static unsigned pages(const char *bytes, size_t size)
{
	static const char mark[] = "/Type /Page %";
	unsigned nr = 0;

	for (const char *at = bytes;
	     (at = memmem(at, size - (size_t)(at - bytes), mark, strlen(mark))); at++)
		nr++;
	return nr;
}

static void long_pictures_have_pages(void **state)
{
	size_t size;
	char *bytes;

	(void)state;
	begin(800, 400);
	add_box(10, 10, 40, 16, (struct fill){.paint = PAINT_APP});
	bytes = drawn(DRAW_PDF, &size);
	assert_memory_equal(bytes, "%PDF-", 5);
	assert_int_equal(pages(bytes, size), 1);
	free(bytes);
	figure.height_px = 3000;
	for (int row = 0; row < 170; row++)
		add_box(10, 17.0 * row, 700, 16, (struct fill){.paint = PAINT_APP});
	bytes = drawn(DRAW_PDF, &size);
	assert_true(pages(bytes, size) >= 5 && pages(bytes, size) <= 8);
	free(bytes);
}

static void the_same_figure_is_the_same_bytes(void **state)
{
	size_t size, again_size;
	char *bytes, *again;

	(void)state;
	begin(800, 400);
	add_box(10, 10, 40, 16, (struct fill){.paint = PAINT_APP});
	bytes = drawn(DRAW_PDF, &size);
	/* a date would be of the second */
	sleep(1);
	again = drawn(DRAW_PDF, &again_size);
	assert_int_equal(size, again_size);
	assert_memory_equal(bytes, again, size);
	free(bytes);
	free(again);
}

static void a_full_disk_is_told(void **state)
{
	static const enum draw_format formats[] = {DRAW_PNG, DRAW_PDF, DRAW_SVG};

	(void)state;
	begin(400, 400);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		FILE *full = fopen("/dev/full", "w");

		if (!full) {
			printf("# there is no /dev/full: not tested\n");
			return;
		}
		assert_false(draw_figure(&figure, formats[i], full));
		fclose(full);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_box_has_its_colour, release),
		cmocka_unit_test_teardown(a_dark_picture_is_dark, release),
		cmocka_unit_test_teardown(hatches_are_stripes_of_the_paper, release),
		cmocka_unit_test_teardown(lines_are_lifted_where_nothing_is_known, release),
		cmocka_unit_test_teardown(what_is_too_high_is_made_smaller, release),
		cmocka_unit_test_teardown(long_pictures_have_pages, release),
		cmocka_unit_test_teardown(the_same_figure_is_the_same_bytes, release),
		cmocka_unit_test_teardown(a_full_disk_is_told, release),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
