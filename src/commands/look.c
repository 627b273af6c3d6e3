/* look.c - tephra look: one screen of a capture, and what to do next */
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "commands/command.h"
#include "commands/look_compare.h"
#include "commands/look_facts.h"
#include "commands/output.h"
#include "commands/range.h"
#include "commands/reading.h"
#include "importers/importer.h"
#include "store/store.h"

static const char *const format_words[] = {"table", "json", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct look_options, output, "<file>",
		    "the picture's file; otherwise the capture's name with .svg behind"),
	OPTION_FLAG(0, "no-picture", struct look_options, no_picture, "draw no picture"),
	OPTION_CHOICE(0, "format", struct look_options, format, "table|json", format_words,
		      "form of what is printed: a screen (table), or json"),
	PROFILE_READ_OPTIONS(struct look_options),
	SYMBOLS_OPTIONS(struct look_options, profile.symbols),
	OPTION_END,
};

/* Operands by what they hold. A profile may hold both, and is asked for its counters, too. */
struct operands {
	char **samples; /* owned array of borrowed words */
	int samples_nr, counters_nr;
	bool has_profile;
};

static struct error *sniff(const struct look_options *options, const char *operand, bool *ret)
{
	char *file = mem_strdup(operand);
	struct moment from, to;
	struct reader *reader = NULL;
	const struct importer *importer;
	struct error *err = range_take(file, &from, &to);

	if (!err)
		err = reader_open(file, &reader);
	if (!err)
		err = reading_choose(reader, options->profile.input_format, &importer);
	if (!err)
		*ret = importer->is_counters;
	reader_close(reader);
	free(file);
	return err;
}

static bool is_profile(const char *operand)
{
	char *file = mem_strdup(operand);
	struct moment from, to;
	bool is;

	error_free(range_take(file, &from, &to));
	is = store_is_sqlite_file(file);
	free(file);
	return is;
}

/* Standard input can be read once, and is taken to be samples. */
static struct error *sort_operands(const struct look_options *options, int argc, char **argv,
				   struct operands *ret)
{
	struct error *err = NULL;

	ret->samples = mem_zalloc((size_t)argc, sizeof(*ret->samples));
	for (int i = 0; !err && i < argc; i++) {
		bool is_counters = false;

		if (strcmp(argv[i], "-") != 0 && is_profile(argv[i]))
			ret->has_profile = true;
		else if (strcmp(argv[i], "-") != 0)
			err = sniff(options, argv[i], &is_counters);
		if (is_counters)
			ret->counters_nr++;
		else
			ret->samples[ret->samples_nr++] = argv[i];
	}
	return err;
}

/* What nothing can be said of is left out of a screen, and said. */
static void read_queue(const struct look_options *options, int argc, char **argv,
		       struct look_queue *queue)
{
	struct error *err = look_queue_read(&options->profile, argc, argv, queue);

	if (err && !options->profile.quiet)
		fprintf(stderr, "note: counters were not read: %s\n", error_text(err));
	error_free(err);
}

static struct error *look_at_one(const struct look_options *options,
				 const struct operands *operands, int argc, char **argv)
{
	struct look *look = mem_zalloc(1, sizeof(*look));
	struct error *err;

	look->options = options;
	err = look_gather(look, operands->samples[0]);
	if (!err && (operands->counters_nr || operands->has_profile))
		read_queue(options, argc, argv, &look->queue);
	if (!err) {
		look_choose_next(look, argc, argv);
		if (options->format == LOOK_JSON)
			look_write_json(look, stdout);
		else
			look_write_screen(look, stdout);
	}
	look_release(look);
	free(look);
	return err;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct look_options *options = options_of;
	struct operands operands = {0};
	char dash[] = "-", *input[] = {dash};
	struct error *err = NULL;

	(void)ret_status;
	if (!argc) {
		argc = 1;
		argv = input;
	}
	err = sort_operands(options, argc, argv, &operands);
	if (!err && operands.samples_nr > 2)
		err = error_new(ERROR_USAGE, "one capture, or two to be compared, not %d",
				operands.samples_nr);
	else if (!err && !operands.samples_nr)
		err = look_compare_counters(options, argc, argv);
	else if (!err && operands.samples_nr == 2)
		err = look_compare(options, operands.samples);
	else if (!err)
		err = look_at_one(options, &operands, argc, argv);
	free(operands.samples);
	return err;
}

const struct command command_look = {
	.name = "look",
	.args = "<capture>...",
	.summary = "one screen of a capture, and what to do next",
	.options = options_table,
	.size = sizeof(struct look_options),
	.run = run,
};
