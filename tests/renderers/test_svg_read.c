/* test_svg_read.c - a picture of tephra is told from what only speaks of one */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "renderers/flame.h"
#include "renderers/svg_read.h"

static enum svg_writer writer_of(FILE *file)
{
	enum svg_writer writer;

	assert_int_equal(fflush(file), 0);
	rewind(file);
	writer = svg_read_writer(fileno(file));
	fclose(file);
	return writer;
}

static enum svg_writer writer_of_text(const char *text)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fputs(text, file);
	return writer_of(file);
}

static FILE *draw(void)
{
	const struct flame_frame root = {.name = "all",
					 .value = "1 sample",
					 .weight = 1,
					 .width = 1,
					 .parent = FLAME_NO_PARENT};
	const struct flame_chart chart = {
		.title = "<&>", .id = "a", .frames = &root, .frames_nr = 1, .width_px = 1200};
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_true(flame_draw(&chart, file));
	return file;
}

static void what_was_drawn_is_ours(void **state)
{
	(void)state;
	assert_int_equal(writer_of(draw()), SVG_BY_TEPHRA);
}

static void a_picture_that_was_cut_is_ours(void **state)
{
	FILE *file = draw();

	(void)state;
	assert_int_equal(ftruncate(fileno(file), 1000), 0);
	assert_int_equal(writer_of(file), SVG_BY_TEPHRA);
}

static void what_only_quotes_us_is_not(void **state)
{
	static const char *const others[] = {
		"",
		"class=\"tephra\"\n",
		"<!-- <svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tephra\"/> -->",
		"<html><body><svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tephra\"/>",
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"other\"><g class=\"tephra\"/></svg>",
		"<svg xmlns=\"http://www.w3.org/2000/svg\"><g class=\"tephra\"/></svg>",
		"<svg class=\"tephra\"/>",
		"<g xmlns=\"http://www.w3.org/2000/svg\" class=\"tephra\"/>",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_int_equal(writer_of_text(others[i]), SVG_BY_OTHERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_drawn_is_ours),
		cmocka_unit_test(a_picture_that_was_cut_is_ours),
		cmocka_unit_test(what_only_quotes_us_is_not),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
