/* test_flame.c - where frames, head and legend of a flamegraph are put */
#include "tests/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/flame_layout.h"
#include "renderers/label.h"
#include "renderers/number.h"

/* all 10: app 8 (parse 6, "+ 3 more" 1), kernel work 2; a row after the other. */
static const struct flame_frame frames[] = {
	{"all", "10 samples", NULL, 10, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, HATCH_NONE},
	{"app", "8 samples", "application", 8, 0, 0.8, 0, 1, 0, PAINT_APP, HATCH_NONE},
	{"work", "2 samples", "kernel", 2, 0.8, 0.2, 0, 1, 0, PAINT_KERNEL, HATCH_NONE},
	{"parse", "6 samples", "library libx.so", 6, 0, 0.6, 1, 2, 0, PAINT_LIBRARY, HATCH_NONE},
	{"", "1 sample", NULL, 1, 0.6, 0.1, 1, 2, 3, PAINT_MORE, HATCH_NONE},
};

static const struct flame_chart chart = {
	.head = "width: samples, 10 in all",
	.frames = frames,
	.frames_nr = sizeof(frames) / sizeof(*frames),
	.width_px = 220,
};

static void dump_label(FILE *out, const struct label *label)
{
	fprintf(out, " \"%.*s%s\"", (int)label->size, label->text,
		label->is_cut ? LABEL_ELLIPSIS : "");
}

/* One line for each label and symbol; of swatches only where a legend entry begins. */
static char *dump(const struct figure *figure)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "%g x %g\n", figure->width_px, figure->height_px);
	for (size_t i = 0; i < figure->labels_nr; i++) {
		fprintf(out, "label %g,%g", figure->labels[i].x, figure->labels[i].y);
		dump_label(out, &figure->labels[i].text);
		fprintf(out, "\n");
	}
	for (size_t i = 0; i < figure->boxes_nr; i++) {
		const struct figure_box *box = &figure->boxes[i];

		if (!box->tip && i % PALETTE_SHADES)
			continue;
		fprintf(out, "%c%u %g,%g %gx%g", palette_letter(box->fill.paint), box->fill.shade,
			box->x, box->y, box->width, box->height);
		if (box->tip) {
			dump_label(out, &box->label);
			fprintf(out, " %s%s", box->tip, box->tip_rest ? box->tip_rest : "");
		}
		fprintf(out, "\n");
	}
	fclose(out);
	return text;
}

static void assert_layout(const struct flame_chart *drawn, const char *expected)
{
	struct figure figure;
	char *found;

	assert_true(flame_layout(drawn, &figure));
	found = dump(&figure);
	assert_string_equal(found, expected);
	free(found);
	figure_release(&figure);
}

static void frames_stand_upon_their_parents(void **state)
{
	(void)state;
	assert_layout(
		&chart,
		"220 x 169\n"
		"label 10,25 \"Flame graph\"\n"
		"label 10,42 \"width: samples, 10 in all\"\n"
		"label 32,61 \"application\"\n"
		"label 151.53,61 \"library\"\n"
		"label 32,78 \"kernel\"\n"
		"label 32,95 \"+ n more: frames too na…\"\n"
		"a0 10,51 16x12\n"
		"l0 129.53,51 16x12\n"
		"k0 10,68 16x12\n"
		"m0 10,85 16x12\n"
		"r1 10,142 199x16 \"all\" all, 10 samples, 100 %\n"
		"a2 10,125 159x16 \"app\" app, 8 samples, 80 %, application\n"
		"l3 10,108 119x16 \"parse\" parse, 6 samples, 60 %, library libx.so\n"
		"m0 130,108 19x16 \"\" + 3 more (3 frames too narrow to draw), 1 sample, 10 %\n"
		"k0 170,125 39x16 \"work\" work, 2 samples, 20 %, kernel\n");
}

/* f called by a and b, and what it calls: the row of f stands alone in the middle. */
/* Of what stands upon a leaf nothing is self weight: f is the leaf of all, main calls it. */
static void self_weight_is_that_of_leaves_in_a_picture_from_them(void **state)
{
	static const struct flame_frame from_leaf[] = {
		{"all", "4", NULL, 4, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, HATCH_NONE},
		{"f", "3", NULL, 3, 0, 0.75, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"main", "3", NULL, 3, 0, 0.75, 1, 2, 0, PAINT_APP, HATCH_NONE},
		{"g", "1", NULL, 1, 0.75, 0.25, 0, 1, 0, PAINT_APP, HATCH_NONE},
	};
	struct flame_chart callers = {
		.frames = from_leaf, .frames_nr = 4, .width_px = 220, .flags = FLAME_FROM_LEAF};
	struct figure figure;

	(void)state;
	assert_true(flame_layout(&callers, &figure));
	assert_string_equal(figure.description, "Largest by self weight: f 75 %, g 25 %.");
	figure_release(&figure);
}

static void a_sandwich_has_callers_above_and_callees_below(void **state)
{
	static const struct flame_frame callees[] = {
		{"all", "4", NULL, 4, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, HATCH_NONE},
		{"f", "4", NULL, 4, 0, 1, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"x", "2", NULL, 2, 0, 0.5, 1, 2, 0, PAINT_APP, HATCH_NONE},
	};
	static const struct flame_frame callers[] = {
		{"all", "4", NULL, 4, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, HATCH_NONE},
		{"f", "4", NULL, 4, 0, 1, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"a", "1", NULL, 1, 0, 0.25, 1, 2, 0, PAINT_KERNEL, HATCH_NONE},
		{"b", "3", NULL, 3, 0.25, 0.75, 1, 2, 0, PAINT_APP, HATCH_NONE},
		{"c", "1", NULL, 1, 0, 0.25, 2, 3, 0, PAINT_APP, HATCH_NONE},
	};
	struct flame_chart sandwich = {
		.frames = callees,
		.frames_nr = 3,
		.callers = callers,
		.callers_nr = 5,
		.width_px = 220,
	};

	(void)state;
	assert_layout(&sandwich, "220 x 147\n"
				 "label 10,25 \"Flame graph\"\n"
				 "label 32,44 \"application\"\n"
				 "label 151.53,44 \"kernel\"\n"
				 "a0 10,34 16x12\n"
				 "k0 129.53,34 16x12\n"
				 "k0 10,74 49x16 \"a\" a, 1, 25 %\n"
				 "a2 10,57 49x16 \"c\" c, 1, 25 %\n"
				 "a1 60,74 149x16 \"b\" b, 3, 75 %\n"
				 "a1 10,97 199x16 \"f\" f, 4, 100 %\n"
				 "a3 10,120 99x16 \"x\" x, 2, 50 %\n");
}

static void an_icicle_hangs_from_its_root(void **state)
{
	struct flame_chart icicle = chart;

	(void)state;
	icicle.flags = FLAME_ICICLE;
	assert_layout(
		&icicle,
		"220 x 169\n"
		"label 10,25 \"Flame graph\"\n"
		"label 10,42 \"width: samples, 10 in all\"\n"
		"label 32,61 \"application\"\n"
		"label 151.53,61 \"library\"\n"
		"label 32,78 \"kernel\"\n"
		"label 32,95 \"+ n more: frames too na…\"\n"
		"a0 10,51 16x12\n"
		"l0 129.53,51 16x12\n"
		"k0 10,68 16x12\n"
		"m0 10,85 16x12\n"
		"r1 10,108 199x16 \"all\" all, 10 samples, 100 %\n"
		"a2 10,125 159x16 \"app\" app, 8 samples, 80 %, application\n"
		"l3 10,142 119x16 \"parse\" parse, 6 samples, 60 %, library libx.so\n"
		"m0 130,142 19x16 \"\" + 3 more (3 frames too narrow to draw), 1 sample, 10 %\n"
		"k0 170,125 39x16 \"work\" work, 2 samples, 20 %, kernel\n");
}

static void a_chart_without_frames_is_only_a_head(void **state)
{
	struct flame_chart empty = {.title = "Nothing", .width_px = 300};

	(void)state;
	assert_layout(&empty, "300 x 48\n"
			      "label 10,25 \"Nothing\"\n");
}

static void what_is_too_thin_to_be_pointed_at_has_no_words(void **state)
{
	static struct flame_frame thin[1200] = {
		{"all", "1000 samples", NULL, 1000, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, 0},
		{"thin", "4 samples", NULL, 4, 0.995, 0.004, 0, 1, 0, PAINT_APP, 0},
		{"wide", "995 samples", NULL, 995, 0, 0.995, 0, 1, 0, PAINT_APP, 0},
	};
	struct flame_chart drawn = {.frames = thin, .frames_nr = 3, .width_px = 220};
	struct figure figure;
	size_t thin_nr = 0;

	(void)state;
	/* of few frames even thin ones have words */
	assert_true(flame_layout(&drawn, &figure));
	for (size_t i = 0; i < figure.boxes_nr; i++)
		assert_false(figure.boxes[i].is_thin);
	assert_true(flame_has_words(&drawn, &thin[1]));
	figure_release(&figure);
	/* a tower of wide ones makes them many */
	drawn.frames_nr = sizeof(thin) / sizeof(*thin);
	for (uint32_t i = 3; i < drawn.frames_nr; i++) {
		thin[i] = thin[2];
		thin[i].parent = i - 1;
		thin[i].depth = i - 1;
	}
	assert_true(flame_has_words(&drawn, &thin[0]));
	assert_false(flame_has_words(&drawn, &thin[1]));
	thin[1].value = NULL; /* nobody asks for it */
	assert_true(flame_layout(&drawn, &figure));
	for (size_t i = 0; i < figure.boxes_nr; i++) {
		const struct figure_box *box = &figure.boxes[i];

		if (!box->is_thin)
			continue;
		thin_nr++;
		assert_null(box->tip);
		assert_int_equal(box->label.size, 0);
		assert_true(box->width > 0.6 && box->width < 0.8);
	}
	assert_int_equal(thin_nr, 1);
	figure_release(&figure);
}

static void a_still_picture_says_how_many_levels_it_leaves_out(void **state)
{
	enum {
		LEVELS = FLAME_LEVELS_MAX + 3
	};
	static struct flame_frame deep[LEVELS];
	struct flame_chart drawn = {.frames = deep, .frames_nr = LEVELS, .width_px = 1200};

	(void)state;
	for (uint32_t i = 0; i < LEVELS; i++)
		deep[i] = (struct flame_frame){
			"recurse", "1 sample", NULL,	  1, 0, 1, i ? i - 1 : FLAME_NO_PARENT, i,
			0,	   PAINT_APP,  HATCH_NONE};
	for (int is_icicle = 0; is_icicle < 2; is_icicle++) {
		struct figure figure;
		const struct figure_label *label;
		size_t drawn_nr = 0;

		drawn.flags = is_icicle ? FLAME_ICICLE : 0;
		assert_true(flame_layout(&drawn, &figure));
		for (size_t i = 0; i < figure.boxes_nr; i++) {
			drawn_nr += figure.boxes[i].tip != NULL;
			assert_true(figure.boxes[i].y + 16 < figure.height_px);
		}
		assert_int_equal(drawn_nr, FLAME_LEVELS_MAX);
		label = &figure.labels[figure.labels_nr - 1];
		assert_int_equal(label->style, FIGURE_LEFT);
		assert_string_equal(label->text.text, "+ 3 levels more, too deep to be drawn here");
		assert_true(is_icicle ? label->y > figure.height_px - 30 : label->y < 100);
		figure_release(&figure);
	}
}

static void the_description_names_the_five_largest_by_self_weight(void **state)
{
	static const struct flame_frame many[] = {
		{"all", "100", NULL, 100, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, HATCH_NONE},
		{"f", "30", NULL, 30, 0, 0.3, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"e", "25", NULL, 25, 0.3, 0.25, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"d", "20", NULL, 20, 0.55, 0.2, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"c", "12", NULL, 12, 0.75, 0.12, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"b", "12", NULL, 12, 0.87, 0.12, 0, 1, 0, PAINT_APP, HATCH_NONE},
		{"d", "28", NULL, 28, 0, 0.28, 1, 2, 0, PAINT_APP, HATCH_NONE},
	};
	struct flame_chart chart_of_many = {
		.head = "Width: samples", .frames = many, .frames_nr = 7, .width_px = 300};
	struct figure figure;

	(void)state;
	assert_true(flame_layout(&chart_of_many, &figure));
	assert_string_equal(figure.description, "Width: samples. Largest by self weight: d 48 %, "
						"e 25 %, b 12 %, c 12 %, f 2 %.");
	figure_release(&figure);
}

static void only_paints_that_occur_are_in_the_legend(void **state)
{
	struct flame_chart worded = chart;
	struct figure figure;
	char *found;

	(void)state;
	worded.width_px = 2000;
	worded.origin_words[PAINT_ROOT] = "process";
	worded.origin_words[PAINT_APP] = "server";
	worded.origin_words[PAINT_JIT] = "java";
	assert_true(flame_layout(&worded, &figure));
	found = dump(&figure);
	assert_non_null(strstr(found, "\"process\""));
	assert_non_null(strstr(found, "\"server\""));
	assert_non_null(strstr(found, "\"+ n more: frames too narrow to draw\""));
	assert_null(strstr(found, "\"java\""));
	assert_null(strstr(found, "\"unknown\""));
	free(found);
	figure_release(&figure);
}

static void hues_by_name_have_no_legend_of_origins(void **state)
{
	struct flame_chart by_name = chart;
	struct figure figure;
	char *found;

	(void)state;
	by_name.width_px = 1200;
	by_name.flags = FLAME_PAINT_NAME;
	assert_true(flame_layout(&by_name, &figure));
	found = dump(&figure);
	assert_null(strstr(found, "\"application\""));
	assert_non_null(strstr(found, "more: frames"));
	free(found);
	figure_release(&figure);
}

static void marks_are_hatched_and_told_in_the_legend(void **state)
{
	struct flame_frame marked[sizeof(frames) / sizeof(*frames)];
	struct flame_chart worded = chart;
	struct figure figure;
	char *found;

	(void)state;
	memcpy(marked, frames, sizeof(frames));
	marked[3].mark = HATCH_CROSSED;
	marked[4].mark = HATCH_STRIPED; /* "+ n more" stands for no name */
	worded.frames = marked;
	worded.width_px = 2000;
	worded.mark_words[HATCH_STRIPED] = "doubted";
	worded.mark_words[HATCH_CROSSED] = "no name";
	assert_true(flame_layout(&worded, &figure));
	found = dump(&figure);
	assert_non_null(strstr(found, "\"no name\""));
	assert_null(strstr(found, "\"doubted\""));
	for (size_t i = 0; i < figure.boxes_nr; i++)
		if (figure.boxes[i].tip)
			assert_int_equal(figure.boxes[i].fill.hatch,
					 strcmp(figure.boxes[i].tip, "parse") == 0 ? HATCH_CROSSED
										   : HATCH_NONE);
	free(found);
	figure_release(&figure);
}

static void assert_cut(const char *text, size_t cells, const char *expected)
{
	struct label label = label_cut(text, cells);
	char found[256];

	snprintf(found, sizeof(found), "%.*s%s", (int)label.size, label.text,
		 label.is_cut ? LABEL_ELLIPSIS : "");
	assert_string_equal(found, expected);
}

static void labels_are_cut_between_characters(void **state)
{
	(void)state;
	assert_cut("function", 8, "function");
	assert_cut("function", 7, "functi…");
	assert_cut("function", 1, "");
	assert_cut("中中中中", 8, "中中中中");
	assert_cut("中中中中", 7, "中中中…");
	assert_cut("中中中中", 6, "中中…");
	assert_cut("éééé", 3, "éé…");
	assert_cut("e\xcc\x81"
		   "e\xcc\x81"
		   "e\xcc\x81",
		   2, "e\xcc\x81…");
	assert_cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3,
		   "👩‍👩‍👧‍👦…");
	assert_cut("🇩🇪🇫🇷", 4, "🇩🇪🇫🇷");
	assert_cut("🇩🇪🇫🇷", 3, "🇩🇪…");
	assert_cut("bad\xff\xc3", 5, "bad\xff\xc3");
	assert_cut("", 3, "");
}

static void lines_break_at_blanks(void **state)
{
	(void)state;
	assert_int_equal(label_line("one two three", 9).size, 7);
	assert_int_equal(label_line("one two three", 13).size, 13);
	assert_int_equal(label_line("unbreakable", 4).size, 4);
	assert_int_equal(label_line("中", 1).size, 3);
}

static void assert_share(double share, const char *expected)
{
	char found[NUMBER_SIZE];

	assert_int_equal(number_share(found, share), strlen(expected));
	assert_string_equal(found, expected);
}

static void numbers_are_short(void **state)
{
	char found[NUMBER_SIZE];

	(void)state;
	assert_share(0, "0 %");
	assert_share(0.00001, "<0.01 %");
	assert_share(0.0007, "0.07 %");
	assert_share(1.0 / 3, "33.3 %");
	assert_share(1, "100 %");
	assert_share(-1, "0 %");
	number_px(found, 10.004);
	assert_string_equal(found, "10");
	number_px(found, 10.05);
	assert_string_equal(found, "10.05");
	number_px(found, 9.999);
	assert_string_equal(found, "10");
	number_exact(found, 9007199254740991.0);
	assert_string_equal(found, "9007199254740991");
	number_exact(found, 0.5);
	assert_string_equal(found, "0.5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_stand_upon_their_parents),
		cmocka_unit_test(an_icicle_hangs_from_its_root),
		cmocka_unit_test(a_sandwich_has_callers_above_and_callees_below),
		cmocka_unit_test(self_weight_is_that_of_leaves_in_a_picture_from_them),
		cmocka_unit_test(a_chart_without_frames_is_only_a_head),
		cmocka_unit_test(what_is_too_thin_to_be_pointed_at_has_no_words),
		cmocka_unit_test(a_still_picture_says_how_many_levels_it_leaves_out),
		cmocka_unit_test(the_description_names_the_five_largest_by_self_weight),
		cmocka_unit_test(only_paints_that_occur_are_in_the_legend),
		cmocka_unit_test(hues_by_name_have_no_legend_of_origins),
		cmocka_unit_test(marks_are_hatched_and_told_in_the_legend),
		cmocka_unit_test(labels_are_cut_between_characters),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(numbers_are_short),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("flame", tests, NULL, NULL);
}
