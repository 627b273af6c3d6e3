/* look_compare.c - tephra look at two captures, or at counters alone */
#include "commands/look_compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "commands/json.h"
#include "commands/look_facts.h"
#include "commands/look_lines.h"
#include "commands/shell_word.h"

static void print_next(const char *head, const char *words, char **operands, int nr,
		       const char *more)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (int i = 0; i < nr; i++) {
		text_add_char(&text, ' ');
		shell_word_add(&text, operands[i]);
	}
	printf("%-*stephra %s%s%s\n", LOOK_HEAD, head, words, text_string(&text), more);
}

static void write_comparison(const struct look_options *options, char **two,
			     const struct diff_report *report)
{
	if (options->format == LOOK_JSON) {
		diff_json_write(report, stdout);
		return;
	}
	look_changes_write(report, LOOK_NEXT, stdout);
	print_next("next", "diff", two, 2, " -o diff.svg");
	print_next("", "look", two, 1, "");
	print_next("", "look", two + 1, 1, "");
}

struct error *look_compare(const struct look_options *options, char **two)
{
	CLEANUP(diff_sides_release) struct diff_sides sides = {0};
	CLEANUP(diff_report_release) struct diff_report report = {.sides = &sides};
	struct option_texts before = {0}, after = {0};
	struct diff_divisors divisors = {0};
	struct error *err = diff_sides_take(&options->profile, 2, two, &before, &after);

	if (!err)
		err = diff_sides_load(&options->profile, report.match, &before, &after, &sides);
	if (err)
		return err;
	diff_facts_find(&report);
	err = diff_load_find(&report);
	if (err)
		return err;
	diff_sides_join(&sides);
	diff_report_build(&report, &divisors, options->format == LOOK_JSON);
	write_comparison(options, two, &report);
	return NULL;
}

struct error *look_compare_counters(const struct look_options *options, int argc, char **argv)
{
	CLEANUP(look_queue_release) struct look_queue queue = {0};
	struct json json = {.out = stdout};
	struct error *err = look_queue_read(&options->profile, argc, argv, &queue);

	if (err)
		return err;
	if (options->format == LOOK_JSON) {
		json_begin_object(&json);
		look_queue_write_json(&queue, &json);
		json_end_object(&json);
		json_finish(&json);
		return NULL;
	}
	look_queue_write(&queue, stdout);
	print_next("next", "order", argv, argc, "");
	print_next("", "counters", argv, argc, "");
	return NULL;
}
