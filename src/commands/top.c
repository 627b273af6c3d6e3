/* top.c - tephra top: self and total weight per function */
#include "analysis/top.h"

#include "base/mem.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "commands/top_rows.h"

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

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct top_options *options = options_of;
	CLEANUP(profile_release) struct profile profile;
	CLEANUP(top_release) struct top top = {0};
	struct output output;
	struct error *err = profile_load(&options->profile, argc, argv, &profile);
	size_t limit = options->limit ? (size_t)options->limit : SIZE_MAX;

	(void)ret_status;
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	top_build(&top, &profile.paths, profile.counts_samples);
	sort(&top, &profile, options->sort);
	if (!options->limit && options->format == ROWS_TABLE && !options->all)
		limit = TABLE_ROWS;
	top_rows_write(&profile, &top, limit, (enum rows_format)options->format, output.file);
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
