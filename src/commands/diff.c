/* diff.c - tephra diff: what changed between two captures, and how sure that is */
#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "commands/command.h"
#include "commands/diff_picture.h"
#include "commands/diff_report.h"
#include "commands/diff_work.h"
#include "commands/output.h"
#include "commands/rows.h"
#include "renderers/draw.h"

struct diff_options {
	struct profile_options profile;
	struct option_texts before, after;
	const char *output, *fail_above, *per, *work_before, *work_after, *work_name;
	int64_t limit;
	int match, format;
	bool all;
	struct diff_picture_options picture;
};

static const char *const format_words[] = {"auto", "table", "csv", "json", "svg", NULL};
enum {
	FORMAT_AUTO,
	FORMAT_TABLE,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_SVG
};

/* Rows of a table for a terminal; programs get all. */
#define TABLE_ROWS 40

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct diff_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_TEXTS(0, "before", struct diff_options, before, "<capture>",
		     "a capture of the before side; several are replicates"),
	OPTION_TEXTS(0, "after", struct diff_options, after, "<capture>",
		     "the same of the after side"),
	OPTION_CHOICE(0, "match", struct diff_options, match, "tidy|exact|masked", diff_match_words,
		      "how names are made equal (tidy); masked: numbers as *"),
	OPTION_TEXT(0, "per", struct diff_options, per, "<series>",
		    "the counter of a profile that says what was done: completed_total"),
	OPTION_TEXT(0, "work-before", struct diff_options, work_before, "<number>",
		    "what was done on the before side: items completed, bytes sent"),
	OPTION_TEXT(0, "work-after", struct diff_options, work_after, "<number>",
		    "the same of the after side"),
	OPTION_TEXT(0, "work-name", struct diff_options, work_name, "<word>",
		    "what one of it is called (unit of work)"),
	OPTION_TEXT(0, "fail-above", struct diff_options, fail_above, "<percent>",
		    "status 1 where a function surely grew by more of the whole"),
	OPTION_NUMBER('n', "limit", struct diff_options, limit, "<rows>", 1, INT32_MAX,
		      "so many functions (40 in a table, all in csv and json)"),
	OPTION_FLAG(0, "all", struct diff_options, all,
		    "all functions, also those that are the same"),
	OPTION_CHOICE(0, "format", struct diff_options, format, "table|csv|json|svg", format_words,
		      "form of the output; otherwise by its ending, or a table"),
	OPTION_CHOICE(0, "widths", struct diff_options, picture.widths, "both|after|before",
		      diff_widths_words,
		      "how wide a frame is drawn: as its larger side (both), or as one of them"),
	OPTION_NUMBER('w', "width", struct diff_options, picture.width, "<px>", 200, 20000,
		      "width of the picture (1200)"),
	OPTION_TEXT(0, "title", struct diff_options, picture.title, "<text>", "its headline"),
	OPTION_TEXT(0, "subtitle", struct diff_options, picture.subtitle, "<text>",
		    "a line below it"),
	OPTION_TEXT(0, "min-width", struct diff_options, picture.least, "<px or percent>",
		    "narrower frames become '+ n more' (0.25)"),
	OPTION_FLAG(0, "icicle", struct diff_options, picture.icicle, "root at the top"),
	OPTION_CHOICE(0, "theme", struct diff_options, picture.theme, "auto|light|dark",
		      diff_theme_words, "for pictures that stand in a page of one colour"),
	OPTION_FLAG(0, "still", struct diff_options, picture.still,
		    "a picture alone: without the whole tree, and the script to walk in it"),
	OPTION_NUMBER(0, "max-size", struct diff_options, picture.max_size, "<MB>", 1, 1000,
		      "size of the file (8); the smallest frames are left out of it"),
	PROFILE_OPTIONS(struct diff_options),
	OPTION_END,
};

static const struct diff_options defaults = {.picture = {.width = 1200, .max_size = 8}};

/* ---- what is compared */

static struct error *take_number(const char *option, const char *s, double *ret)
{
	weight number;

	if (!s)
		return NULL;
	if (!weight_parse(s, strlen(s), &number))
		return error_new(ERROR_USAGE, "%s takes a number, not '%s'", option, s);
	if (!number)
		return error_new(ERROR_USAGE,
				 "%s is 0: where nothing was done there is no cost of it", option);
	*ret = weight_number(number);
	return NULL;
}

static struct error *take_work(const struct diff_options *options, struct diff_report *report,
			       struct diff_divisors *divisors)
{
	struct error *err = take_number("--work-before", options->work_before,
					&divisors->before[DIFF_PER_WORK]);

	if (!err)
		err = take_number("--work-after", options->work_after,
				  &divisors->after[DIFF_PER_WORK]);
	if (!err && options->per && (options->work_before || options->work_after))
		err = error_new(ERROR_USAGE,
				"work is --per a counter or given as numbers, not both");
	if (!err && !options->work_before != !options->work_after)
		err = error_new(ERROR_USAGE, "work is given of one side alone: %s is missing",
				options->work_before ? "--work-after" : "--work-before");
	report->work_name = options->work_name ? options->work_name
			    : options->per     ? options->per
					       : "unit of work";
	return err;
}

static struct error *take_percent(const char *s, double *ret)
{
	size_t size = s ? strlen(s) : 0;
	weight number;

	*ret = INFINITY;
	if (!s)
		return NULL;
	if (size && s[size - 1] == '%')
		size--;
	if (!weight_parse(s, size, &number))
		return error_new(ERROR_USAGE, "--fail-above takes a percentage as 5%%, not '%s'",
				 s);
	*ret = weight_number(number);
	return NULL;
}

/* ---- for scripts */

/* Did a function surely grow by more: is the low end of its interval above? */
static struct error *check_growth(const struct diff_report *report, double most, int *ret_status)
{
	const struct diff *diff = &report->diff;
	double whole = diff_before(diff, diff->leading, diff->before_total);

	if (!isfinite(most))
		return NULL;
	if (report->judge.basis == JUDGE_NO_TIMES || report->judge.basis == JUDGE_TOO_SHORT) {
		CLEANUP(text_release) struct text why = TEXT_INIT;

		diff_words_add_basis(report, &why);
		return error_new(ERROR_INPUT, "--fail-above cannot be answered: %s",
				 text_string(&why));
	}
	for (size_t i = 0; i < diff->nr; i++) {
		const struct judge_row *row = &report->judge.rows[i];

		if (row->verdict == JUDGE_CHANGED &&
		    100 * row->test[diff->leading].low > most * whole)
			*ret_status = 1;
	}
	return NULL;
}

/* What is written: as asked for, else as the ending of the output's name says. */
static int format_of(const struct diff_options *options)
{
	const char *dot = options->output ? strrchr(options->output, '.') : NULL;

	if (options->format != FORMAT_AUTO)
		return options->format;
	for (int format = FORMAT_CSV; dot && format_words[format]; format++)
		if (strcmp(dot + 1, format_words[format]) == 0)
			return format;
	return draw_format_of(options->output) == DRAW_SVG ? FORMAT_TABLE : FORMAT_SVG;
}

static void write(const struct diff_options *options, const struct diff_report *report, int format,
		  FILE *out)
{
	size_t limit = options->limit ? (size_t)options->limit : options->all ? 0 : TABLE_ROWS;

	if (format == FORMAT_JSON)
		diff_json_write(report, out);
	else if (format == FORMAT_CSV)
		diff_csv_write(report, out);
	else
		diff_table_write(report, limit, out);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct diff_options *options = options_of;
	CLEANUP(diff_sides_release) struct diff_sides sides = {0};
	CLEANUP(diff_report_release)
	struct diff_report report = {.sides = &sides, .match = (enum diff_match)options->match};
	struct option_texts before = options->before, after = options->after;
	struct diff_divisors divisors = {0};
	struct output output;
	double most;
	struct error *err = diff_sides_take(&options->profile, argc, argv, &before, &after);

	if (!err)
		err = take_work(options, &report, &divisors);
	if (!err)
		err = take_percent(options->fail_above, &most);
	if (!err)
		err = diff_sides_load(&options->profile, report.match, &before, &after, &sides);
	if (err)
		return err;
	if (options->per)
		err = diff_work_read(options->per, &sides);
	if (err)
		return err;
	if (options->per) {
		divisors.before[DIFF_PER_WORK] = diff_work_done(&sides, false);
		divisors.after[DIFF_PER_WORK] = diff_work_done(&sides, true);
	}
	diff_facts_find(&report);
	err = diff_load_find(&report);
	if (err)
		return err;
	diff_sides_join(&sides);
	diff_report_build(&report, &divisors, format_of(options) == FORMAT_JSON);
	err = check_growth(&report, most, ret_status);
	if (!err && format_of(options) == FORMAT_SVG)
		return diff_picture_write(&report, &options->picture, options->output,
					  options->profile.quiet);
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	write(options, &report, format_of(options), output.file);
	return output_commit(&output);
}

const struct command command_diff = {
	.name = "diff",
	.args = "<before> <after>",
	.summary = "compare two captures, and say how sure each change is",
	.options = options_table,
	.size = sizeof(struct diff_options),
	.defaults = &defaults,
	.run = run,
};
