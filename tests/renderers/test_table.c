/* test_table.c - where rows, bars and numbers of a table are put */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/label.h"
#include "renderers/table.h"
#include "renderers/table_layout.h"

static const struct table_row rows[] = {
	{"parse(int, <x>)", "5 s", "10 s", 0.25, 0.5, {PAINT_APP, 1, HATCH_NONE}},
	{"read", "0 s", "5 s", 0, 0.25, {PAINT_KERNEL, 2, HATCH_NONE}},
};

static const bool has_paint[PAINT_NR] = {[PAINT_APP] = true};

static const struct table_chart chart = {
	.head = "20 s",
	.foot = "+ 3 more functions",
	.has_paint = has_paint,
	.rows = rows,
	.rows_nr = 2,
	.width_px = 800,
};

static const struct figure_label *find(const struct figure *figure, const char *text)
{
	for (size_t i = 0; i < figure->labels_nr; i++)
		if (strncmp(figure->labels[i].text.text, text, figure->labels[i].text.size) == 0 &&
		    figure->labels[i].text.size == strlen(text))
			return &figure->labels[i];
	fail_msg("there is no label '%s'", text);
	return NULL;
}

static void rows_stand_below_each_other_and_numbers_end_in_columns(void **state)
{
	struct figure figure;

	(void)state;
	assert_true(table_layout(&chart, &figure));
	assert_string_equal(figure.title, "Functions");
	assert_true(find(&figure, "5 s")->ends_at_x);
	assert_true(find(&figure, "read")->y - find(&figure, "parse(int, <x>)")->y == 17);
	assert_true(find(&figure, "read")->x == find(&figure, "function")->x);
	assert_true(find(&figure, "10 s")->x == find(&figure, "total")->x);
	assert_true(find(&figure, "+ 3 more functions")->y < figure.height_px);
	figure_release(&figure);
}

/* The widest total fills its column; self lies over total; a weight of 0 has no bar. */
static void bars_are_as_wide_as_shares(void **state)
{
	struct figure figure;
	const struct figure_box *bars;

	(void)state;
	assert_true(table_layout(&chart, &figure));
	assert_int_equal(figure.boxes_nr, PALETTE_SHADES + 3);
	bars = figure.boxes + PALETTE_SHADES;
	assert_int_equal(bars[0].fill.paint, PAINT_MORE);
	assert_int_equal(bars[1].fill.paint, PAINT_APP);
	assert_true(bars[1].width * 2 == bars[0].width && bars[1].x == bars[0].x);
	assert_true(bars[2].width * 2 == bars[0].width && bars[2].y - bars[0].y == 17);
	for (size_t i = 0; i < figure.boxes_nr; i++)
		assert_null(figure.boxes[i].tip);
	figure_release(&figure);
}

static void the_first_rows_are_told_in_words(void **state)
{
	struct figure figure;

	(void)state;
	assert_true(table_layout(&chart, &figure));
	assert_string_equal(figure.description,
			    "20 s Self weight: parse(int, <x>) 25 %, read 0 %.");
	figure_release(&figure);
}

static void a_table_without_rows_is_a_table(void **state)
{
	struct table_chart empty = {.width_px = 200};
	struct figure figure;

	(void)state;
	assert_true(table_layout(&empty, &figure));
	assert_string_equal(figure.description, "No functions.");
	figure_release(&figure);
}

/* Whatever the width: nothing stands outside of the paper. */
static void columns_stay_on_the_paper(void **state)
{
	struct table_chart narrow = chart;

	(void)state;
	for (narrow.width_px = 200; narrow.width_px < 3000; narrow.width_px *= 1.3) {
		struct figure figure;

		assert_true(table_layout(&narrow, &figure));
		for (size_t i = 0; i < figure.labels_nr; i++) {
			const struct figure_label *label = &figure.labels[i];
			double end = label->x;

			if (!label->ends_at_x)
				end += ((double)label->text.size + label->text.is_cut) *
				       LABEL_CELL_PX;
			assert_true(!label->text.size || end <= narrow.width_px);
		}
		figure_release(&figure);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_stand_below_each_other_and_numbers_end_in_columns),
		cmocka_unit_test(bars_are_as_wide_as_shares),
		cmocka_unit_test(the_first_rows_are_told_in_words),
		cmocka_unit_test(a_table_without_rows_is_a_table),
		cmocka_unit_test(columns_stay_on_the_paper),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
