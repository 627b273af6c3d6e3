/* test_timeline.c - panels as a figure: gaps, stacks, limits, and not more points than can be seen
 */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/timeline.h"
#include "renderers/timeline_layout.h"

static struct figure figure;

static int release(void **state)
{
	(void)state;
	figure_release(&figure);
	return 0;
}

static void lay_out(const struct timeline_panel *panels, size_t nr, double duration_s)
{
	struct timeline_chart chart = {
		.panels = panels, .panels_nr = nr, .duration_s = duration_s, .width_px = 1000};

	assert_true(timeline_layout(&chart, &figure));
}

/* The only line of that stroke with more than two points, or of two where there is none longer. */
static const struct figure_line *longest(enum figure_stroke stroke)
{
	const struct figure_line *found = NULL;

	for (size_t i = 0; i < figure.lines_nr; i++)
		if (!figure.lines[i].is_area && figure.lines[i].stroke == stroke &&
		    (!found || figure.lines[i].nr > found->nr))
			found = &figure.lines[i];
	assert_non_null(found);
	return found;
}

static const struct figure_point *point(const struct figure_line *line, size_t i)
{
	assert_true(i < line->nr);
	return &figure.points[line->begin + i];
}

static void a_step_holds_until_the_next_point(void **state)
{
	const struct timeline_point points[] = {{1, 1, 4}, {3, 3, 2}, {9, 9, 2}};
	const struct timeline_line line = {"depth", TIMELINE_STEP, PAINT_APP, points, 3, false};
	const struct timeline_panel panel = {.title = "Items", .lines = &line, .lines_nr = 1};
	const struct figure_line *drawn;

	(void)state;
	lay_out(&panel, 1, 10);
	drawn = longest(FIGURE_FIRST);
	/* pen up, begin, end of the first level; then down to the second */
	assert_true(point(drawn, 0)->x < 0);
	assert_float_equal(point(drawn, 1)->y, point(drawn, 2)->y, 1e-9);
	assert_float_equal(point(drawn, 2)->x - point(drawn, 1)->x, 2 * (1000 - 86) / 10.0, 1e-6);
	assert_true(point(drawn, drawn->nr - 1)->y > point(drawn, 1)->y);
}

static void what_is_not_known_is_not_drawn(void **state)
{
	const struct timeline_point points[] = {
		{1, 1, 4}, {2, 2, (double)NAN}, {3, 3, (double)NAN}, {4, 4, 2}, {5, 5, 2}};
	const struct timeline_line line = {"depth", TIMELINE_STEP, PAINT_APP, points, 5, false};
	const struct timeline_panel panel = {.title = "Items", .lines = &line, .lines_nr = 1};
	const struct figure_line *drawn;
	double gap_begin = 0, gap_end = 0;
	size_t lifted = 0;

	(void)state;
	lay_out(&panel, 1, 10);
	drawn = longest(FIGURE_FIRST);
	for (size_t i = 0; i < drawn->nr; i++) {
		if (point(drawn, i)->x >= 0)
			continue;
		lifted++;
		gap_begin = i ? point(drawn, i - 1)->x : 0;
		gap_end = point(drawn, i + 1)->x;
	}
	assert_int_equal(lifted, 2);
	assert_float_equal(gap_end - gap_begin, 2 * (1000 - 86) / 10.0, 1e-6);
}

static void areas_lie_upon_each_other(void **state)
{
	const struct timeline_point low[] = {{0, 5, 1}, {5, 10, 1}},
				    high[] = {{0, 5, 3}, {5, 10, 1}};
	const struct timeline_line lines[] = {
		{"app", TIMELINE_AREA, PAINT_APP, low, 2, false},
		{"kernel", TIMELINE_AREA, PAINT_KERNEL, high, 2, false}};
	const struct timeline_panel panel = {.title = "CPU", .lines = lines, .lines_nr = 2};
	const struct figure_line *first = NULL, *second = NULL;

	(void)state;
	lay_out(&panel, 1, 10);
	for (size_t i = 0; i < figure.lines_nr; i++)
		if (figure.lines[i].is_area) {
			second = first ? &figure.lines[i] : NULL;
			first = first ? first : &figure.lines[i];
		}
	assert_non_null(second);
	assert_int_equal(first->fill.paint, PAINT_APP);
	assert_int_equal(second->fill.paint, PAINT_KERNEL);
	/* the second begins where the first ends, and is three times as high */
	assert_float_equal(point(second, second->nr - 1)->y, point(first, 0)->y, 1e-9);
	assert_float_equal(point(first, 0)->y - point(second, 0)->y,
			   3 * (point(first, first->nr - 1)->y - point(first, 0)->y), 1e-6);
}

static void many_points_are_as_many_as_can_be_seen(void **state)
{
	enum {
		NR = 200000
	};
	struct timeline_point *points = calloc(NR, sizeof(*points));
	struct timeline_line line = {"depth", TIMELINE_STEP, PAINT_APP, points, NR, false};
	const struct timeline_panel panel = {.title = "Items", .lines = &line, .lines_nr = 1};
	const struct figure_line *drawn;
	double least = 1e9, most = 0;

	(void)state;
	for (size_t i = 0; i < NR; i++)
		points[i] =
			(struct timeline_point){(double)i, (double)i, i == NR / 2 ? 100 : i % 2};
	lay_out(&panel, 1, NR);
	drawn = longest(FIGURE_FIRST);
	for (size_t i = 0; i < drawn->nr; i++) {
		if (point(drawn, i)->x < 0)
			continue;
		least = point(drawn, i)->y < least ? point(drawn, i)->y : least;
		most = point(drawn, i)->y > most ? point(drawn, i)->y : most;
	}
	assert_true(drawn->nr < 4 * 1000 / 0.6);
	/* the single high point is still there: 60 px high, less the room above it */
	assert_float_equal(most - least, 60 / 1.06, 0.01);
	free(points);
}

static void marks_of_one_time_are_one(void **state)
{
	const struct timeline_point points[] = {{1, 1, 4}, {9, 9, 2}};
	const struct timeline_line line = {"depth", TIMELINE_STEP, PAINT_APP, points, 2, false};
	const struct timeline_mark marks[] = {
		{4, 5, "onset"}, {4, 5, "at-capacity"}, {6, 6, "end"}};
	const struct timeline_panel panel = {
		.title = "Items", .lines = &line, .lines_nr = 1, .marks = marks, .marks_nr = 3};
	size_t lines = 0, words = 0;

	(void)state;
	lay_out(&panel, 1, 10);
	for (size_t i = 0; i < figure.lines_nr; i++)
		lines += figure.lines[i].stroke == FIGURE_MARK;
	for (size_t i = 0; i < figure.labels_nr; i++)
		words += strncmp(figure.labels[i].text.text, "onset, at-capacity", 18) == 0;
	assert_int_equal(lines, 2);
	assert_int_equal(words, 1);
}

static void phases_and_losses_can_be_pointed_at(void **state)
{
	const struct timeline_point points[] = {{0, 5, 1}, {5, 10, (double)NAN}};
	const struct timeline_line line = {"app", TIMELINE_AREA, PAINT_APP, points, 2, false};
	const struct timeline_mark lost = {5, 10, "samples were lost"};
	const struct timeline_mark phases[] = {{0, 4, "before"}, {4, 10, "after"}};
	const struct timeline_panel panel = {
		.title = "CPU", .lines = &line, .lines_nr = 1, .lost = &lost, .lost_nr = 1};
	struct timeline_chart chart = {.panels = &panel,
				       .panels_nr = 1,
				       .phases = phases,
				       .phases_nr = 2,
				       .duration_s = 10,
				       .width_px = 1000};
	size_t tips = 0, hatched = 0;

	(void)state;
	assert_true(timeline_layout(&chart, &figure));
	for (size_t i = 0; i < figure.boxes_nr; i++) {
		tips += figure.boxes[i].tip != NULL;
		hatched += figure.boxes[i].tip && figure.boxes[i].fill.hatch == HATCH_STRIPED;
	}
	assert_int_equal(tips, 3);
	assert_int_equal(hatched, 1);
}

/* 2 columns of 3 rows: none, some, most; lost, and none that was recorded. */
static const uint32_t heat_cells[] = {0, 0, 5, 10, TIMELINE_UNKNOWN, TIMELINE_NO_CELL};

static void lay_out_heat(void)
{
	const struct timeline_heat heat = {
		.title = "Samples",
		.few = "few",
		.many = "many",
		.lost = "lost",
		.column_s = 1,
		.columns = 2,
		.rows = 3,
		.samples = heat_cells,
		.most = 10,
	};
	struct timeline_chart chart = {.heat = &heat, .duration_s = 1.9, .width_px = 1000};

	assert_true(timeline_layout(&chart, &figure));
	figure.timeline = NULL;
}

static const struct figure_box *cell(size_t nr)
{
	for (size_t i = 0; i < figure.boxes_nr; i++)
		if ((figure.boxes[i].is_thin || figure.boxes[i].tip) && !nr--)
			return &figure.boxes[i];
	fail_msg("there are fewer cells");
	return NULL;
}

static void cells_are_painted_by_their_samples(void **state)
{
	(void)state;
	lay_out_heat();
	/* two without samples are one box */
	assert_float_equal(cell(0)->height, 2 * cell(1)->height, 1e-9);
	assert_int_equal(cell(0)->fill.paint, PAINT_HEAT_LOW);
	assert_int_equal(cell(0)->fill.shade, 0);
	assert_int_equal(cell(1)->fill.paint, PAINT_HEAT_HIGH);
	assert_int_equal(cell(1)->fill.shade, 0);
	assert_int_equal(cell(2)->fill.shade, PALETTE_SHADES - 1);
	assert_true(cell(2)->x > cell(1)->x && cell(2)->y == cell(0)->y);
}

static void what_is_lost_is_not_drawn_as_none(void **state)
{
	size_t nr = 0;

	(void)state;
	lay_out_heat();
	assert_int_equal(cell(3)->fill.hatch, HATCH_STRIPED);
	assert_string_equal(cell(3)->tip, "lost");
	for (size_t i = 0; i < figure.boxes_nr; i++)
		nr += figure.boxes[i].is_thin || figure.boxes[i].tip;
	/* and what was not recorded has no box */
	assert_int_equal(nr, 4);
}

static void levels_go_from_none_to_most(void **state)
{
	(void)state;
	assert_int_equal(timeline_heat_level(0, 0), 0);
	assert_int_equal(timeline_heat_level(0, 7), 0);
	for (uint32_t samples = 1; samples <= 7; samples++)
		assert_int_equal(timeline_heat_level(samples, 7), samples);
	assert_int_equal(timeline_heat_level(1, 1000000), 1);
	assert_int_equal(timeline_heat_level(UINT32_MAX - 2, UINT32_MAX - 2), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_step_holds_until_the_next_point, release),
		cmocka_unit_test_teardown(what_is_not_known_is_not_drawn, release),
		cmocka_unit_test_teardown(areas_lie_upon_each_other, release),
		cmocka_unit_test_teardown(many_points_are_as_many_as_can_be_seen, release),
		cmocka_unit_test_teardown(marks_of_one_time_are_one, release),
		cmocka_unit_test_teardown(phases_and_losses_can_be_pointed_at, release),
		cmocka_unit_test_teardown(cells_are_painted_by_their_samples, release),
		cmocka_unit_test_teardown(what_is_lost_is_not_drawn_as_none, release),
		cmocka_unit_test(levels_go_from_none_to_most),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
