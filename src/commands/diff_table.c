/* diff_table.c - a comparison as a table for people, and as CSV */
#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "commands/rows.h"
#include "model/capture.h"

/* Lines about readings that disagree, and about what moved; all are in the JSON. */
#define CONTRADICTIONS_MAX 5
#define MOVES_MAX	   5

static const struct rows_column judged_columns[] = {
	{.head = "points", .key = "points_text", .is_number = true},
	{.head = "before", .key = "before_text", .is_number = true},
	{.head = "after", .key = "after_text", .is_number = true},
	{.head = "change", .key = "change_text", .is_number = true},
	{.head = "95 % interval", .key = "interval_text", .is_number = true},
	{.head = "smallest", .key = "smallest_text", .is_number = true},
	{.head = "verdict", .key = "verdict"},
	{.head = "state", .key = "state"},
	{.head = "function", .key = "name"},
};

static const struct rows_column plain_columns[] = {
	{.head = "points", .key = "points_text", .is_number = true},
	{.head = "before", .key = "before_text", .is_number = true},
	{.head = "after", .key = "after_text", .is_number = true},
	{.head = "change", .key = "change_text", .is_number = true},
	{.head = "state", .key = "state"},
	{.head = "function", .key = "name"},
};

static const struct rows_column csv_columns[] = {
	{.key = "name", .head = ""},
	{.key = "origin", .head = ""},
	{.key = "state", .head = ""},
	{.key = "verdict", .head = ""},
	{.key = "before", .head = ""},
	{.key = "after", .head = ""},
	{.key = "before_self", .head = ""},
	{.key = "after_self", .head = ""},
	{.key = "points", .head = ""},
	{.key = "reading", .head = ""},
	{.key = "before_value", .head = ""},
	{.key = "after_value", .head = ""},
	{.key = "difference", .head = ""},
	{.key = "low", .head = ""},
	{.key = "high", .head = ""},
	{.key = "smallest", .head = ""},
	{.key = "p", .head = ""},
	{.key = "q", .head = ""},
};

static double points_of(const struct diff_report *report, const struct diff_function *function)
{
	return diff_points(&report->diff, report->diff.leading, function->before_total,
			   function->after_total);
}

static void add_value(const struct diff_report *report, double value, bool is_signed,
		      struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	diff_words_add_value(report, report->diff.leading, value, is_signed, &text);
	rows_add(rows, text_string(&text));
}

static void add_judged(const struct diff_report *report, size_t row, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	const struct judge_row *judged = &report->judge.rows[row];
	const struct ratio_test *test = &judged->test[report->diff.leading];

	if (!judged->is_tested) {
		rows_add(rows, "-");
		rows_add(rows, "-");
	} else {
		diff_words_add_value(report, report->diff.leading, test->low, true, &text);
		text_add(&text, " to ");
		diff_words_add_value(report, report->diff.leading, test->high, true, &text);
		rows_add(rows, text_string(&text));
		add_value(report, test->smallest, false, rows);
	}
	rows_add(rows, judge_verdict_word(report->judge.basis, judged->verdict));
}

/* In the reading that the table shows. */
static const char *state_word(const struct diff_function *function, double points)
{
	enum diff_state state = diff_state(function->before_total, function->after_total);

	if (state != DIFF_NEW && state != DIFF_REMOVED)
		state = points == 0 ? DIFF_SAME : points > 0 ? DIFF_GROWN : DIFF_SHRUNK;
	return diff_state_word(state);
}

static void add_row(const struct diff_report *report, size_t row, struct rows *rows)
{
	CLEANUP(text_release) struct text points = TEXT_INIT;
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	double before = diff_before(diff, diff->leading, function->before_total);
	double after = diff_after(diff, diff->leading, function->after_total);

	diff_words_add_points(points_of(report, function), &points);
	rows_add(rows, text_string(&points));
	add_value(report, before, false, rows);
	add_value(report, after, false, rows);
	add_value(report, after - before, true, rows);
	if (report->judge.basis != JUDGE_NO_TIMES)
		add_judged(report, row, rows);
	rows_add(rows, state_word(function, points_of(report, function)));
	rows_add(rows, diff_report_name(report, row));
}

/* ---- the lines above */

static void write_side(const struct diff_report *report, bool is_after, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	diff_words_add_side(report, is_after, &text);
	fprintf(out, "# %s%s\n", is_after ? "after:  " : "before: ", text_string(&text));
}

static void write_facts(const struct diff_report *report, FILE *out)
{
	for (size_t i = 0; i < report->facts_nr; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;
		const struct diff_fact *fact = &report->facts[i];

		if (!fact->differs && !fact->doubt)
			continue;
		diff_facts_add(fact, &text);
		if (fact->doubt)
			fprintf(out, "# warning: %s: %s\n", text_string(&text), fact->doubt);
		else
			fprintf(out, "# %s\n", text_string(&text));
	}
}

static void write_readings(const struct diff_report *report, FILE *out)
{
	const struct diff *diff = &report->diff;

	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		if (!diff_has_reading(&diff->divisors, reading) || reading == DIFF_SHARE)
			continue;
		diff_words_add_whole(report, reading, &text);
		fprintf(out, "# %s\n", text_string(&text));
	}
}

static void write_contradictions(const struct diff_report *report, FILE *out)
{
	size_t nr = 0;

	for (size_t i = 0; i < report->diff.nr && nr < CONTRADICTIONS_MAX; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		if (!diff_words_add_contradiction(report, report->order[i], &text))
			continue;
		fprintf(out, "# %s\n", text_string(&text));
		nr++;
	}
}

static void write_moves(const struct diff_report *report, FILE *out)
{
	for (size_t i = 0; i < report->moves.nr && i < MOVES_MAX; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		diff_words_add_move(report, &report->moves.list[i], &text);
		fprintf(out, "# moved: %s\n", text_string(&text));
	}
}

static void write_head(const struct diff_report *report, FILE *out)
{
	CLEANUP(text_release)
	struct text sentence = TEXT_INIT, basis = TEXT_INIT, reading = TEXT_INIT;

	write_side(report, false, out);
	write_side(report, true, out);
	write_facts(report, out);
	write_readings(report, out);
	diff_words_add_basis(report, &basis);
	fprintf(out, "# %s\n", text_string(&basis));
	diff_words_add_sentence(report, &sentence);
	fprintf(out, "# %s\n", text_string(&sentence));
	write_moves(report, out);
	write_contradictions(report, out);
	diff_words_add_reading(report, report->diff.leading, &reading);
	fprintf(out, "# names matched: %s; below: %s\n", diff_match_words[report->match],
		text_string(&reading));
}

void diff_table_write(const struct diff_report *report, size_t rows_max, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;
	CLEANUP(text_release) struct text plan = TEXT_INIT;
	size_t nr = 0, left_out = 0, same = 0;
	bool is_judged = report->judge.basis != JUDGE_NO_TIMES;

	write_head(report, out);
	rows_init(&rows, is_judged ? judged_columns : plain_columns,
		  is_judged ? ARRAY_NR(judged_columns) : ARRAY_NR(plain_columns));
	for (size_t i = 0; i < report->diff.nr; i++) {
		size_t row = report->order[i];

		if (rows_max && points_of(report, &report->diff.functions[row]) == 0)
			same++;
		else if (rows_max && nr >= rows_max)
			left_out++;
		else {
			add_row(report, row, &rows);
			nr++;
		}
	}
	if (nr)
		rows_write_table(&rows, out);
	if (left_out)
		fprintf(out, "# %zu more changed; --all shows them\n", left_out);
	if (same)
		fprintf(out, "# %zu more %s the same\n", same, same == 1 ? "is" : "are");
	diff_words_add_plan(report, &plan);
	if (plan.size)
		fprintf(out, "# %s\n", text_string(&plan));
}

/* ---- CSV */

static void add_double(double value, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (isfinite(value))
		text_addf(&text, "%.12g", value);
	rows_add(rows, text_string(&text));
}

static void add_test(const struct diff_report *report, size_t row, struct rows *rows)
{
	const struct judge_row *judged = &report->judge.rows[row];
	enum diff_reading leading = report->diff.leading;
	const struct ratio_test *test = &judged->test[leading];
	double values[] = {test->low, test->high, test->smallest, test->p, judged->q[leading]};

	for (size_t i = 0; i < ARRAY_NR(values); i++)
		add_double(judged->is_tested ? values[i] : NAN, rows);
}

static void add_csv_row(const struct diff_report *report, size_t row, struct rows *rows)
{
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	double before = diff_before(diff, diff->leading, function->before_total);
	double after = diff_after(diff, diff->leading, function->after_total);

	rows_add(rows, diff_report_name(report, row));
	rows_add(rows, origin_word(report->sides->naming->list[function->function].origin));
	rows_add(rows, diff_state_word(diff_state(function->before_total, function->after_total)));
	rows_add(rows, judge_verdict_word(report->judge.basis, report->judge.rows[row].verdict));
	rows_add_weight(rows, function->before_total);
	rows_add_weight(rows, function->after_total);
	rows_add_weight(rows, function->before_self);
	rows_add_weight(rows, function->after_self);
	add_double(points_of(report, function), rows);
	rows_add(rows, diff_reading_word(diff->leading));
	add_double(before, rows);
	add_double(after, rows);
	add_double(after - before, rows);
	add_test(report, row, rows);
}

void diff_csv_write(const struct diff_report *report, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, csv_columns, ARRAY_NR(csv_columns));
	for (size_t i = 0; i < report->diff.nr; i++)
		add_csv_row(report, report->order[i], &rows);
	rows_write_csv(&rows, out);
}
