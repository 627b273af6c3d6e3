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

static void add_stack(const struct profile *profile, uint32_t path, struct text *line)
{
	const struct paths *paths = &profile->paths;
	uint32_t function;

	for (uint32_t i = 0; (function = paths_function(paths, path, i)) != FUNCTION_NONE; i++) {
		if (i)
			text_add_char(line, ';');
		fold_add_name(line, names_get(&profile->capture.names,
					      profile->naming.list[function].name));
	}
}

/* Paths of the same names stand next to each other: they are one line. */
static uint32_t same_names(const struct profile *profile, const uint32_t *sorted, uint32_t at)
{
	const struct paths *paths = &profile->paths;
	const struct function *functions = profile->naming.list;
	uint32_t end = at + 1;

	for (; end < paths->nr; end++) {
		uint32_t f, g, i = 0;

		do {
			f = paths_function(paths, sorted[at], i);
			g = paths_function(paths, sorted[end], i++);
		} while (f != FUNCTION_NONE && g != FUNCTION_NONE &&
			 functions[f].name == functions[g].name);
		if (f != FUNCTION_NONE || g != FUNCTION_NONE)
			break;
	}
	return end;
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
	CLEANUP(text_release) struct text line = TEXT_INIT;
	CLEANUP(rows_release) struct rows rows;
	uint32_t *sorted = paths_sorted(&profile->paths);

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (uint32_t i = 0; i < profile->paths.nr;) {
		uint32_t end = same_names(profile, sorted, i);
		weight value = 0;

		text_clear(&line);
		add_stack(profile, sorted[i], &line);
		for (; i < end; i++)
			value += paths_weight(&profile->paths, sorted[i], profile->counts_samples);
		if (format == FORMAT_FOLDED)
			write_folded(out, &line, value);
		else
			write_row(&rows, &line, value);
	}
	free(sorted);
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
