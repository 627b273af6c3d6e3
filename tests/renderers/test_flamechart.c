/* test_flamechart.c - where lanes, runs and ticks of a flame chart are put */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flamechart.h"
#include "renderers/flamechart_layout.h"
#include "renderers/label.h"

static const struct flamechart_box boxes[] = {
	{"run", "8 s from 0 s on", 0, 0.8, 0, 0, PAINT_APP, HATCH_NONE},
	{"parse<int>", "4 s from 0 s on", 0, 0.4, 1, 0, PAINT_APP, HATCH_NONE},
	{"3 short runs", "1 s from 4 s on", 0.4, 0.5, 1, 3, PAINT_MORE, HATCH_NONE},
	{"read", "0 s from 9 s on", 0.9, 0.9001, 0, 0, PAINT_KERNEL, HATCH_NONE},
};

static const struct flamechart_row rows[] = {
	{"one 1/1", "8 samples", 0, 3, 2},
	{"two 1/2", NULL, 3, 1, 1},
};

static const struct flamechart_chart chart = {
	.foot = "+ 2 more threads with 9 samples",
	.rows = rows,
	.rows_nr = 2,
	.boxes = boxes,
	.duration_s = 10,
	.width_px = 1020,
};

static char *dump(const struct figure *figure)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "%g x %g\n", figure->width_px, figure->height_px);
	for (size_t i = 0; i < figure->labels_nr; i++)
		fprintf(out, "label %g,%g \"%.*s\"\n", figure->labels[i].x, figure->labels[i].y,
			(int)figure->labels[i].text.size, figure->labels[i].text.text);
	for (size_t i = 0; i < figure->boxes_nr; i++) {
		const struct figure_box *box = &figure->boxes[i];

		if (box->tip)
			fprintf(out, "%c %g,%g %gx%g %s\n", palette_letter(box->fill.paint), box->x,
				box->y, box->width, box->height, box->tip);
		else if (box->fill.paint == PAINT_MORE)
			fprintf(out, "line %g,%g %gx%g\n", box->x, box->y, box->width, box->height);
	}
	fclose(out);
	return text;
}

static void lanes_stand_below_each_other_under_one_axis(void **state)
{
	struct figure figure;
	char *found;
	static const char expected[] = "1020 x 198\n"
				       "label 10,25 \"Flame chart\"\n"
				       "label 32,44 \"application\"\n"
				       "label 151.53,44 \"kernel\"\n"
				       "label 13,69 \"0 s\"\n"
				       "label 213,69 \"2 s\"\n"
				       "label 413,69 \"4 s\"\n"
				       "label 613,69 \"6 s\"\n"
				       "label 813,69 \"8 s\"\n"
				       "label 10,86 \"one 1/1\"\n"
				       "label 77.61,86 \"8 samples\"\n"
				       "label 10,143 \"two 1/2\"\n"
				       "label 10,183 \"+ 2 more threads with 9 samples\"\n"
				       "line 10,69 1x102\n"
				       "line 210,69 1x102\n"
				       "line 410,69 1x102\n"
				       "line 610,69 1x102\n"
				       "line 810,69 1x102\n"
				       "line 1010,69 1x102\n"
				       "a 10,91 799x16 run, 8 s from 0 s on\n"
				       "a 10,108 399x16 parse<int>, 4 s from 0 s on\n"
				       "m 410,108 99x16 3 short runs, 1 s from 4 s on\n"
				       "k 910,148 0.6x16 read, 0 s from 9 s on\n";

	(void)state;
	assert_true(flamechart_layout(&chart, &figure));
	found = dump(&figure);
	assert_string_equal(found, expected);
	free(found);
	figure_release(&figure);
}

static void what_is_deeper_than_a_lane_is_not_drawn(void **state)
{
	static const struct flamechart_row shallow[] = {{"one", "and more", 0, 3, 1}};
	struct flamechart_chart cut = chart;
	struct figure figure;
	size_t drawn = 0;

	(void)state;
	cut.rows = shallow;
	cut.rows_nr = 1;
	assert_true(flamechart_layout(&cut, &figure));
	for (size_t i = 0; i < figure.boxes_nr; i++)
		drawn += figure.boxes[i].tip != NULL;
	assert_int_equal(drawn, 1);
	figure_release(&figure);
}

/* Steps are 1, 2 or 5 times a power of ten, and no two labels touch. */
static void ticks_are_round_and_apart(void **state)
{
	struct flamechart_chart other = chart;

	(void)state;
	other.rows_nr = 0;
	other.foot = NULL;
	for (double duration = 3e-9; duration < 1e6; duration *= 1.7) {
		struct figure figure;
		const char *step = NULL;
		int ticks = 0;
		double x = -1000;

		other.duration_s = duration;
		assert_true(flamechart_layout(&other, &figure));
		assert_true(figure.labels_nr >= 3 && figure.labels_nr < 20);
		for (size_t i = 0; i < figure.labels_nr; i++) {
			const struct figure_label *label = &figure.labels[i];

			if (label->style != FIGURE_QUIET)
				continue;
			assert_true(label->x - x >= 100);
			x = label->x;
			if (++ticks == 2)
				step = label->text.text;
		}
		assert_non_null(step);
		assert_non_null(strchr("125", step[0]));
		figure_release(&figure);
	}
}

static void a_time_of_nothing_is_drawn(void **state)
{
	struct flamechart_chart nothing = {.width_px = 200};
	struct figure figure;

	(void)state;
	assert_true(flamechart_layout(&nothing, &figure));
	assert_true(figure.boxes_nr < 10);
	figure_release(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_stand_below_each_other_under_one_axis),
		cmocka_unit_test(what_is_deeper_than_a_lane_is_not_drawn),
		cmocka_unit_test(ticks_are_round_and_apart),
		cmocka_unit_test(a_time_of_nothing_is_drawn),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("flamechart", tests, NULL, NULL);
}
