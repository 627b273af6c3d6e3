/* top.c - tephra top: self and total weight per function */
#include "analysis/top.h"

#include "base/mem.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "commands/trust_json.h"

struct top_options {
	struct profile_options profile;
	const char *output;
	int64_t limit;
	int format, sort;
	bool all;
};

static const char *const sort_words[] = {"self", "total", "name", NULL};
enum {
	SORT_SELF,
	SORT_TOTAL,
	SORT_NAME
};

/* Rows of a table for a terminal; programs get all. */
#define TABLE_ROWS 40

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct top_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_NUMBER('n', "limit", struct top_options, limit, "<rows>", 1, INT32_MAX,
		      "so many functions (40 in a table, all in csv and json)"),
	OPTION_FLAG(0, "all", struct top_options, all, "all functions"),
	OPTION_CHOICE(0, "sort", struct top_options, sort, "self|total|name", sort_words,
		      "order of the rows (self)"),
	OPTION_CHOICE(0, "format", struct top_options, format, "table|csv|json", rows_format_words,
		      "form of the output"),
	PROFILE_OPTIONS(struct top_options),
	OPTION_END,
};

static const struct rows_column columns[] = {
	{.head = "self %", .key = "self_percent", .is_number = true, .is_for_people = true},
	{.head = "total %", .key = "total_percent", .is_number = true, .is_for_people = true},
	{.head = "self", .key = "self_text", .is_number = true, .is_for_people = true},
	{.head = "total", .key = "total_text", .is_number = true, .is_for_people = true},
	{.head = "", .key = "self", .is_number = true, .is_for_programs = true},
	{.head = "", .key = "total", .is_number = true, .is_for_programs = true},
	{.head = "origin", .key = "origin"},
	{.head = "function", .key = "name"},
	{.head = "", .key = "lacks_caller", .is_number = true, .is_for_programs = true},
};

struct order {
	const struct profile *profile;
	int by;
};

/* Ties go to the name. By self they came sorted. */
static int compare_rows(const void *a, const void *b, void *order_of)
{
	const struct order *order = order_of;
	const struct top_row *x = a, *y = b;
	const struct function *functions = order->profile->naming.list;

	if (order->by == SORT_TOTAL && x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return names_compare(&order->profile->capture.names, functions[x->function].name,
			     functions[y->function].name);
}

static void sort(struct top *top, const struct profile *profile, int by)
{
	struct order order = {profile, by};

	if (by != SORT_SELF)
		qsort_r(top->rows, top->nr, sizeof(*top->rows), compare_rows, &order);
}

/* Times have a unit of their own in each cell, other weights the one of the headline. */
static void add_text(struct rows *rows, const struct profile *profile, weight w)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (strcmp(profile_unit(profile), "ns") == 0)
		units_add_time(&text, w);
	else
		weight_add_grouped(&text, w);
	rows_add(rows, text_string(&text));
}

static void add_row(struct rows *rows, const struct profile *profile, const struct top *top,
		    const struct top_row *row)
{
	const struct function *function = &profile->naming.list[row->function];

	rows_add_percent(rows, weight_share(row->self, top->total));
	rows_add_percent(rows, weight_share(row->total, top->total));
	add_text(rows, profile, row->self);
	add_text(rows, profile, row->total);
	rows_add_weight(rows, row->self);
	rows_add_weight(rows, row->total);
	rows_add(rows, origin_word(function->origin));
	rows_add(rows, names_display(&profile->capture.names, function->name));
	rows_add_weight(rows, row->lacks_caller);
}

static void write_json(const struct profile *profile, const struct rows *rows, weight total,
		       size_t left_out, FILE *out)
{
	struct json json = {.out = out};

	json_begin_object(&json);
	json_member_string(&json, "event", profile_event_name(profile));
	json_member_string(&json, "unit", profile_unit(profile));
	json_member_weight(&json, "total", total);
	json_member_weight(&json, "samples", profile->paths.count);
	json_member_u64(&json, "ignored_lines",
			profile->capture.notes.list[NOTE_INVALID_COUNT].count);
	json_member_u64(&json, "rows_left_out", left_out);
	trust_json_write(profile, &json);
	json_key(&json, "table");
	rows_write_json(rows, &json);
	json_end_object(&json);
	json_finish(&json);
}

static void write_table(const struct profile *profile, const struct rows *rows, weight total,
			size_t left_out, FILE *out)
{
	CLEANUP(text_release) struct text facts = TEXT_INIT;

	profile_add_headline(profile, &facts, total);
	fprintf(out, "# %s\n", text_string(&facts));
	rows_write_table(rows, out);
	if (left_out)
		fprintf(out, "# %zu more function%s left out; --all shows %s\n", left_out,
			left_out == 1 ? " is" : "s are", left_out == 1 ? "it" : "them");
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct top_options *options = options_of;
	CLEANUP(profile_release) struct profile profile;
	CLEANUP(top_release) struct top top = {0};
	CLEANUP(rows_release) struct rows rows = {0};
	struct output output;
	struct error *err = profile_load(&options->profile, argc, argv, &profile);
	size_t limit = options->limit ? (size_t)options->limit : SIZE_MAX, left_out;

	(void)ret_status;
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	top_build(&top, &profile.paths, profile.counts_samples);
	sort(&top, &profile, options->sort);
	if (!options->limit && options->format == ROWS_TABLE && !options->all)
		limit = TABLE_ROWS;
	rows_init(&rows, columns, ARRAY_NR(columns));
	for (size_t i = 0; i < top.nr && i < limit; i++)
		add_row(&rows, &profile, &top, &top.rows[i]);
	left_out = top.nr > limit ? top.nr - limit : 0;
	if (options->format == ROWS_JSON)
		write_json(&profile, &rows, top.total, left_out, output.file);
	else if (options->format == ROWS_CSV)
		rows_write_csv(&rows, output.file);
	else
		write_table(&profile, &rows, top.total, left_out, output.file);
	return output_commit(&output);
}

const struct command command_top = {
	.name = "top",
	.args = "[<capture>]",
	.summary = "self and total weight per function",
	.options = options_table,
	.size = sizeof(struct top_options),
	.run = run,
};
