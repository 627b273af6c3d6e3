/* look_changes.c - tephra look at two captures: the screen of what changed */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "commands/look_compare.h"
#include "commands/look_lines.h"
#include "commands/rows.h"

/* Lines that a part of the screen takes at most. */
#define FACT_LINES     4
#define BASIS_LINES    4
#define SENTENCE_LINES 6
#define MOVES_LINES    2
#define PLAN_LINES     2
#define ROWS_MAX       8

/* The name stands last: where a line is cut it is the name that is cut. */
static const struct rows_column columns[] = {
	{.key = "points", .head = "points", .is_number = true},
	{.key = "before", .head = "before", .is_number = true},
	{.key = "after", .head = "after", .is_number = true},
	{.key = "verdict", .head = "verdict"},
	{.key = "name", .head = "function"},
};

static int write_sides(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT, whole = TEXT_INIT;

	diff_words_add_side(report, false, &before);
	diff_words_add_side(report, true, &after);
	look_line(out, "before", text_string(&before));
	look_line(out, "after", text_string(&after));
	if (report->diff.leading == DIFF_SHARE)
		return 2;
	diff_words_add_whole(report, report->diff.leading, &whole);
	look_line(out, "whole", text_string(&whole));
	return 3;
}

/* What makes numbers doubtful stands first. */
static void add_facts(const struct diff_report *report, bool is_doubt, struct text *text)
{
	for (size_t i = 0; i < report->facts_nr; i++) {
		const struct diff_fact *fact = &report->facts[i];

		if (!fact->doubt == is_doubt || (!fact->differs && !fact->doubt))
			continue;
		text_add(text, text->size ? "; " : "");
		diff_facts_add(fact, text);
		if (fact->doubt)
			text_addf(text, ": %s", fact->doubt);
	}
}

static int write_facts(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release) struct text doubts = TEXT_INIT, others = TEXT_INIT;
	int lines;

	add_facts(report, true, &doubts);
	add_facts(report, false, &others);
	lines = look_wrapped(out, "beware", text_string(&doubts), FACT_LINES - 1);
	return lines + look_wrapped(out, "differ", text_string(&others), FACT_LINES - lines);
}

static int write_words(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release) struct text basis = TEXT_INIT, sentence = TEXT_INIT;
	int lines;

	diff_words_add_basis(report, &basis);
	diff_words_add_sentence(report, &sentence);
	lines = look_wrapped(out, "how sure", text_string(&basis), BASIS_LINES);
	return lines + look_wrapped(out, "found", text_string(&sentence), SENTENCE_LINES);
}

/* The first of each, and how many more there are: tephra diff says all. */
static int write_moves(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!report->moves.nr)
		return 0;
	if (report->moves.nr > 1)
		text_addf(&text, "%zu, first: ", report->moves.nr);
	diff_words_add_move(report, &report->moves.list[0], &text);
	return look_wrapped(out, "moved", text_string(&text), MOVES_LINES);
}

static int write_contradictions(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < report->diff.nr; i++) {
		CLEANUP(text_release) struct text one = TEXT_INIT;

		if (diff_words_add_contradiction(report, i, &one))
			nr++;
	}
	if (!nr)
		return 0;
	text_addf(&text, "readings disagree on %zu function%s; tephra diff says how", nr,
		  nr == 1 ? "" : "s");
	look_line(out, "unclear", text_string(&text));
	return 1;
}

/* ---- the largest changes */

static double points_of(const struct diff_report *report, size_t row)
{
	const struct diff_function *function = &report->diff.functions[row];

	return diff_points(&report->diff, report->diff.leading, function->before_total,
			   function->after_total);
}

static void add_row(const struct diff_report *report, size_t row, struct rows *rows)
{
	CLEANUP(text_release)
	struct text points = TEXT_INIT, before = TEXT_INIT, after = TEXT_INIT;
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];

	diff_words_add_points(points_of(report, row), &points);
	diff_words_add_value(report, diff->leading,
			     diff_before(diff, diff->leading, function->before_total), false,
			     &before);
	diff_words_add_value(report, diff->leading,
			     diff_after(diff, diff->leading, function->after_total), false, &after);
	rows_add(rows, text_string(&points));
	rows_add(rows, text_string(&before));
	rows_add(rows, text_string(&after));
	rows_add(rows, judge_verdict_word(report->judge.basis, report->judge.rows[row].verdict));
	rows_add(rows, diff_report_name(report, row));
}

/* Each line of the table cut to the screen. */
static void write_rows(const struct rows *rows, FILE *out)
{
	char *table = NULL, *rest, *line;
	size_t size;
	FILE *memory = open_memstream(&table, &size);
	const char *head = "changes";

	if (!memory) { /* rather too wide than not at all */
		rows_write_table(rows, out);
		return;
	}
	rows_write_table(rows, memory);
	fclose(memory);
	for (rest = table; (line = strsep(&rest, "\n")) && rest; head = "")
		look_line(out, head, line);
	free(table);
}

static void write_left_out(size_t changed, size_t same, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (changed)
		text_addf(&text, "%zu more changed", changed);
	if (same)
		text_addf(&text, "%s%zu %s the same", changed ? ", " : "", same,
			  same == 1 ? "is" : "are");
	if (text.size)
		look_line(out, "", text_string(&text));
}

static void write_changes(const struct diff_report *report, size_t rows_max, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;
	size_t nr = 0, changed = 0, same = 0;

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (size_t i = 0; i < report->diff.nr; i++) {
		size_t row = report->order[i];

		if (points_of(report, row) == 0)
			same++;
		else if (nr == rows_max)
			changed++;
		else {
			add_row(report, row, &rows);
			nr++;
		}
	}
	if (nr)
		write_rows(&rows, out);
	write_left_out(changed, same, out);
}

void look_changes_write(const struct diff_report *report, int below, FILE *out)
{
	CLEANUP(text_release) struct text plan = TEXT_INIT;
	int lines = write_sides(report, out), room;

	lines += write_facts(report, out);
	lines += write_words(report, out);
	lines += write_moves(report, out);
	lines += write_contradictions(report, out);
	/* the head of the table, and the line below it */
	room = LOOK_LINES - lines - below - PLAN_LINES - 2;
	write_changes(report, (size_t)(room < ROWS_MAX ? room : ROWS_MAX), out);
	diff_words_add_plan(report, &plan);
	look_wrapped(out, "plan", text_string(&plan), PLAN_LINES);
}
