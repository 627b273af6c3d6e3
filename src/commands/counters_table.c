/* counters_table.c - rows of tephra counters written: of one operand, or of two compared */
#include "commands/counters_table.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/counters_rows.h"
#include "commands/rows.h"

/* How numbers of a row are shown to people. */
struct shown {
	double scale;
	const char *unit;
};

static const struct rows_column columns[] = {
	{.key = "capture", .head = "capture", .is_for_programs = true},
	{.key = "series", .head = "series"},
	{.key = "role", .head = "role", .is_for_programs = true},
	{.key = "measure", .head = "measure"},
	{.key = "value", .head = "value", .is_number = true},
	{.key = "low", .head = "95 % from", .is_number = true},
	{.key = "high", .head = "to", .is_number = true},
	{.key = "unit", .head = "unit"},
	{.key = "intervals", .head = "intervals", .is_number = true},
	{.key = "left_out", .head = "left out", .is_number = true, .is_for_programs = true},
	{.key = "running_least", .head = "ran", .is_number = true, .is_for_programs = true},
	{.key = "running_most", .head = "ran", .is_number = true, .is_for_programs = true},
	{.key = "remark", .head = "remark"},
};

static const struct rows_column compared_columns[] = {
	{.key = "capture", .head = "capture", .is_for_programs = true},
	{.key = "series", .head = "series"},
	{.key = "role", .head = "role", .is_for_programs = true},
	{.key = "measure", .head = "measure"},
	{.key = "before", .head = "before", .is_number = true},
	{.key = "after", .head = "after", .is_number = true},
	{.key = "difference", .head = "difference", .is_number = true},
	{.key = "low", .head = "95 % from", .is_number = true},
	{.key = "high", .head = "to", .is_number = true},
	{.key = "unit", .head = "unit"},
	{.key = "relative", .head = "change", .is_number = true, .is_for_programs = true},
	{.key = "change", .head = "change", .is_for_people = true},
	{.key = "p", .head = "p", .is_number = true, .is_for_programs = true},
	{.key = "remark", .head = "remark"},
};

/* About four digits. */
static void add_short(struct text *text, double number)
{
	double size = fabs(number);

	if (size == 0)
		text_add_char(text, '0');
	else if (size >= 1e15 || size < 0.0001)
		text_addf(text, "%.3g", number);
	else
		text_addf(text, "%.*f",
			  size >= 1000	? 0
			  : size >= 100 ? 1
			  : size >= 10	? 2
					: 4,
			  number);
}

/* More digits than these are noise of the sums. */
static void add_exact(struct text *text, double number)
{
	text_addf(text, "%.12g", number);
}

/* Nothing where there is none. For people it is in the unit that the row is shown in. */
static void add_number(struct rows *rows, bool is_known, double number, const struct shown *shown)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (is_known && isfinite(number) && shown)
		add_short(&text, number * shown->scale);
	else if (is_known && isfinite(number))
		add_exact(&text, number);
	rows_add(rows, text_string(&text));
}

/* A time in the unit that its value reads well in: ns become ms. */
static struct shown shown_of(const struct counters_row *row, double value)
{
	static const struct {
		double seconds;
		const char *unit, *rate;
	} units[] = {
		{1, "s", "s/s"}, {1e-3, "ms", "ms/s"}, {1e-6, "us", "us/s"}, {1e-9, "ns", "ns/s"}};
	bool is_rate = strchr(row->unit, '/') != NULL;
	size_t i = 0;

	if (row->seconds <= 0)
		return (struct shown){1, row->unit};
	while (i + 1 < ARRAY_NR(units) && fabs(value) * row->seconds < units[i].seconds)
		i++;
	return (struct shown){row->seconds / units[i].seconds,
			      is_rate ? units[i].rate : units[i].unit};
}

/* What a remark is written with: control characters of names are gone already. */
static void add_row(struct rows *rows, const struct counters_row *row, int format)
{
	const struct per_unit *result = &row->result;
	const struct shown for_people = shown_of(row, result->ratio.value);
	const struct shown *shown = format == ROWS_TABLE ? &for_people : NULL;

	rows_add(rows, row->capture);
	rows_add(rows, row->series);
	rows_add(rows, row->role);
	rows_add(rows, row->measure);
	add_number(rows, row->has_value, result->ratio.value, shown);
	add_number(rows, row->has_interval, result->low, shown);
	add_number(rows, row->has_interval, result->high, shown);
	rows_add(rows, shown ? shown->unit : row->unit);
	rows_add_weight(rows, weight_of(result->intervals));
	rows_add_weight(rows, weight_of(result->left_out));
	add_number(rows, result->intervals > 0, result->running_least, NULL);
	add_number(rows, result->intervals > 0, result->running_most, NULL);
	rows_add(rows, row->remark);
}

void counters_table_write(const struct counters_rows *rows, int format, FILE *out)
{
	CLEANUP(rows_release) struct rows cells;

	rows_init(&cells, columns, ARRAY_NR(columns));
	for (size_t i = 0; i < rows->nr; i++)
		add_row(&cells, &rows->list[i], format);
	rows_write(&cells, "counters", format, out);
}

/* ---- two of them */

static bool is_same(const struct counters_row *a, const struct counters_row *b, bool by_role)
{
	if (strcmp(a->measure, b->measure) != 0 || strcmp(a->unit, b->unit) != 0)
		return false;
	if (!by_role)
		return strcmp(a->series, b->series) == 0;
	return *a->role && strcmp(a->role, b->role) == 0;
}

/* The row of the other side: of the same name or, where there is none, the only one of its role. */
static const struct counters_row *other_of(const struct counters_rows *rows,
					   const struct counters_row *row)
{
	const struct counters_row *found = NULL;

	for (size_t i = 0; i < rows->nr; i++)
		if (is_same(&rows->list[i], row, false))
			return &rows->list[i];
	for (size_t i = 0; i < rows->nr; i++) {
		if (!is_same(&rows->list[i], row, true))
			continue;
		if (found)
			return NULL;
		found = &rows->list[i];
	}
	return found;
}

static void add_change(struct rows *rows, const struct ratio_test *test)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (test && isfinite(test->relative))
		text_addf(&text, "%+.1f %% (%+.1f to %+.1f)", test->relative * 100,
			  test->relative_low * 100, test->relative_high * 100);
	rows_add(rows, text_string(&text));
}

static void add_remarks(struct rows *rows, const struct counters_row *before,
			const struct counters_row *after)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!before || !after)
		text_add(&text, before ? "only before" : "only after");
	if (before && *before->remark)
		text_addf(&text, "%sbefore: %s", text.size ? "; " : "", before->remark);
	if (after && *after->remark)
		text_addf(&text, "%safter: %s", text.size ? "; " : "", after->remark);
	rows_add(rows, text_string(&text));
}

static double largest_of(const struct counters_row *before, const struct counters_row *after)
{
	double a = before ? fabs(before->result.ratio.value) : 0;
	double b = after ? fabs(after->result.ratio.value) : 0;

	return a > b ? a : b;
}

static void add_compared(struct rows *rows, const struct counters_row *before,
			 const struct counters_row *after, int format)
{
	const struct counters_row *named = before ? before : after;
	bool has_both = before && after && before->has_value && after->has_value;
	bool has_test = has_both && before->has_interval && after->has_interval;
	const struct shown for_people = shown_of(named, largest_of(before, after));
	const struct shown *shown = format == ROWS_TABLE ? &for_people : NULL;
	struct ratio_test test = {0};

	if (has_test)
		test = per_unit_compare(&before->result, &after->result);
	rows_add(rows, named->capture);
	rows_add(rows, named->series);
	rows_add(rows, named->role);
	rows_add(rows, named->measure);
	add_number(rows, before && before->has_value, before ? before->result.ratio.value : 0,
		   shown);
	add_number(rows, after && after->has_value, after ? after->result.ratio.value : 0, shown);
	add_number(rows, has_both,
		   has_both ? after->result.ratio.value - before->result.ratio.value : 0, shown);
	add_number(rows, has_test, test.low, shown);
	add_number(rows, has_test, test.high, shown);
	rows_add(rows, shown ? shown->unit : named->unit);
	add_number(rows, has_test, test.relative, NULL);
	add_change(rows, has_test ? &test : NULL);
	add_number(rows, has_test, test.p, NULL);
	add_remarks(rows, before, after);
}

void counters_table_write_two(const struct counters_rows *before, const struct counters_rows *after,
			      int format, FILE *out)
{
	CLEANUP(rows_release) struct rows cells;

	rows_init(&cells, compared_columns, ARRAY_NR(compared_columns));
	for (size_t i = 0; i < before->nr; i++)
		add_compared(&cells, &before->list[i], other_of(after, &before->list[i]), format);
	for (size_t i = 0; i < after->nr; i++)
		if (!other_of(before, &after->list[i]))
			add_compared(&cells, NULL, &after->list[i], format);
	rows_write(&cells, "counters", format, out);
}
