/* counters.c - tephra counters: how much of each thing there was, per second or per unit of work */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/counters_rows.h"
#include "commands/counters_side.h"
#include "commands/counters_table.h"
#include "commands/output.h"
#include "commands/rows.h"

struct counters_options {
	struct profile_options profile; /* input format, capture, quiet */
	const char *output, *per;
	int format;
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct counters_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct counters_options, format, "table|csv|json",
		      rows_format_words, "form of the output"),
	OPTION_TEXT(0, "per", struct counters_options, per, "<series>",
		    "per unit of this series, or of this role; '1000 instructions': of 1000 each"),
	OPTION_TEXT(0, "capture", struct counters_options, profile.capture, "<name>",
		    "the capture of a profile whose start a range counts from"),
	OPTION_TEXT(0, "from", struct counters_options, profile.from, "<time>",
		    "only from this time on; +12.5 counts from that capture's start"),
	OPTION_TEXT(0, "to", struct counters_options, profile.to, "<time>",
		    "only before this time"),
	OPTION_TEXT(0, "input-format", struct counters_options, profile.input_format, "<format>",
		    "csv, perf-stat ...; otherwise found by looking"),
	OPTION_FLAG('q', "quiet", struct counters_options, profile.quiet, "print errors only"),
	OPTION_END,
};

/* "1000 instructions" or "completed_total". */
static struct counters_divisor divisor_of(const char *per)
{
	static const char thousand[] = "1000 ";

	if (strncmp(per, thousand, strlen(thousand)) == 0)
		return (struct counters_divisor){per + strlen(thousand), 1000};
	return (struct counters_divisor){per, 1};
}

static struct error *build(const struct counters_options *options, const char *operand,
			   struct counters_rows *ret)
{
	CLEANUP(counters_side_close) struct counters_side side;
	struct counters_divisor divisor = {0};
	struct error *err = counters_side_open(&options->profile, operand, &side);

	if (options->per)
		divisor = divisor_of(options->per);
	return err ? err : counters_rows_build(&side, options->per ? &divisor : NULL, ret);
}

static struct error *write_rows(const struct counters_options *options,
				const struct counters_rows *before,
				const struct counters_rows *after)
{
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	if (after)
		counters_table_write_two(before, after, options->format, output.file);
	else
		counters_table_write(before, options->format, output.file);
	return output_commit(&output);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct counters_options *options = options_of;
	CLEANUP(counters_rows_release) struct counters_rows before = {0}, after = {0};
	struct error *err;

	(void)ret_status;
	if (argc > 2)
		return error_new(ERROR_USAGE, "one profile, or two to compare, not %d", argc);
	err = build(options, argc ? argv[0] : "-", &before);
	if (!err && argc == 2)
		err = build(options, argv[1], &after);
	return err ? err : write_rows(options, &before, argc == 2 ? &after : NULL);
}

const struct command command_counters = {
	.name = "counters",
	.args = "<profile> [<profile>]",
	.summary = "how much of each thing, per second or per unit of work",
	.options = options_table,
	.size = sizeof(struct counters_options),
	.run = run,
};
