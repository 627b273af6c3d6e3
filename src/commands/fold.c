/* fold.c - tephra fold: folded stacks, for other tools */
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/fold_diff.h"
#include "commands/fold_words.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "commands/trust_json.h"

struct fold_options {
	struct profile_options profile;
	const char *output;
	int format;
	bool diff, normalize;
};

static const char *const format_words[] = {"folded", "csv", "json", NULL};
enum {
	FORMAT_FOLDED,
	FORMAT_CSV,
	FORMAT_JSON
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct fold_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct fold_options, format, "folded|csv|json", format_words,
		      "folded lines, or rows of stack and weight"),
	OPTION_FLAG(0, "diff", struct fold_options, diff,
		    "of two captures, a line with both weights"),
	OPTION_FLAG(0, "normalize", struct fold_options, normalize,
		    "with --diff: as if both had the total of the second"),
	PROFILE_OPTIONS(struct fold_options),
	OPTION_END,
};

/* Those names of a path that are not in the line yet. */
static void add_stack(const struct profile *profile, uint32_t path, uint32_t shared,
		      struct fold_line *line)
{
	const struct paths *paths = &profile->paths;
	uint32_t function;

	fold_line_cut(line, shared);
	for (uint32_t i = shared; (function = paths_function(paths, path, i)) != FUNCTION_NONE; i++)
		fold_line_put(
			line, i,
			names_get(&profile->capture.names, profile->naming.list[function].name));
}

/* Paths of the same names stand next to each other: they are one line. */
static uint32_t same_names(const struct paths *paths, const uint32_t *sorted,
			   const uint32_t *shared, uint32_t at)
{
	uint32_t depth = paths_depth(paths, sorted[at]);

	do
		at++;
	while (at < paths->nr && shared[at] == depth && paths_depth(paths, sorted[at]) == depth);
	return at;
}

static void write_folded(FILE *out, struct text *line, weight value)
{
	text_add_char(line, ' ');
	weight_add(line, value);
	text_add_char(line, '\n');
	fwrite(line->bytes, 1, line->size, out);
}

static void write_row(struct rows *rows, struct text *line, weight value)
{
	struct text clean = TEXT_INIT;

	utf8_add_clean(&clean, text_string(line), line->size);
	rows_add(rows, text_string(&clean));
	rows_add_weight(rows, value);
	text_release(&clean);
}

static const struct rows_column columns[] = {
	{.key = "stack", .head = "stack"},
	{.key = "weight", .head = "weight", .is_number = true},
};

static void write_rows(const struct profile *profile, const struct rows *rows, int format,
		       FILE *out)
{
	struct json json = {.out = out};

	if (format == FORMAT_CSV) {
		rows_write_csv(rows, out);
		return;
	}
	json_begin_object(&json);
	json_member_string(&json, "unit", profile_unit(profile));
	json_member_string(&json, "event", profile_event_name(profile));
	trust_json_write(profile, &json);
	json_key(&json, "stacks");
	rows_write_json(rows, &json);
	json_end_object(&json);
	json_finish(&json);
}

static void write_stacks(const struct profile *profile, int format, FILE *out)
{
	CLEANUP(fold_line_release) struct fold_line line = {0};
	CLEANUP(rows_release) struct rows rows;
	uint32_t *shared, *sorted = paths_sorted_shared(&profile->paths, &shared);

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (uint32_t i = 0; i < profile->paths.nr;) {
		uint32_t end = same_names(&profile->paths, sorted, shared, i);
		weight value = 0;

		add_stack(profile, sorted[i], shared[i], &line);
		for (; i < end; i++)
			value += paths_weight(&profile->paths, sorted[i], profile->counts_samples);
		if (format == FORMAT_FOLDED)
			write_folded(out, &line.text, value);
		else
			write_row(&rows, &line.text, value);
	}
	free(sorted);
	free(shared);
	if (format != FORMAT_FOLDED)
		write_rows(profile, &rows, format, out);
}

static struct error *run_diff(const struct fold_options *options, int argc, char **argv)
{
	if (!options->diff)
		return error_new(ERROR_USAGE, "--normalize is for --diff");
	if (options->format != FORMAT_FOLDED)
		return error_hint(error_new(ERROR_USAGE, "--diff writes folded lines alone"),
				  "tephra diff --format=json has more of it");
	return fold_diff_run(&options->profile, argc, argv, options->normalize, options->output);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct fold_options *options = options_of;
	CLEANUP(profile_release) struct profile profile = {0};
	struct output output;
	struct error *err;

	if (options->diff || options->normalize)
		return run_diff(options, argc, argv);
	err = profile_load(&options->profile, argc, argv, &profile);

	(void)ret_status;
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	write_stacks(&profile, options->format, output.file);
	return output_commit(&output);
}

const struct command command_fold = {
	.name = "fold",
	.args = "[<capture>]",
	.summary = "print folded stacks, for other tools",
	.options = options_table,
	.size = sizeof(struct fold_options),
	.run = run,
};
