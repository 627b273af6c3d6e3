/* audit.c - tephra audit: what a capture cannot say, and where it misleads */
#include "analysis/audit.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/summary.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "store/captures.h"
#include "store/store.h"

struct audit_options {
	struct profile_options profile;
	const char *output;
	int format;
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct audit_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct audit_options, format, "table|csv|json",
		      rows_format_words, "form of the output"),
	PROFILE_READ_OPTIONS(struct audit_options),
	SYMBOLS_OPTIONS(struct audit_options, profile.symbols),
	OPTION_END,
};

static const struct rows_column columns[] = {
	{.key = "file", .head = "file", .is_for_programs = true},
	{.key = "capture", .head = "capture", .is_for_programs = true},
	{.key = "verdict", .head = "verdict"},
	{.key = "finding", .head = "finding"},
	{.key = "share", .head = "share", .is_number = true, .is_for_programs = true},
	{.key = "what", .head = "what was found"},
	{.key = "answers", .head = "answers", .is_for_programs = true},
	{.key = "avoid", .head = "avoid", .is_for_programs = true},
};

struct auditing {
	const struct audit_options *options;
	struct rows rows;
	bool is_many; /* files or captures: each line says of which it is */
	bool has_found;
};

/* ---- rows */

static void add_line(struct rows *rows, const char *head, const char *words)
{
	CLEANUP(text_release) struct text line = TEXT_INIT;

	text_addf(&line, "    %s %s", head, words);
	rows_add_line(rows, text_string(&line));
}

static void add_finding(struct auditing *auditing, const char *file, const char *capture,
			const struct audit_finding *finding)
{
	struct rows *rows = &auditing->rows;
	CLEANUP(text_release) struct text clean = TEXT_INIT, share = TEXT_INIT;

	utf8_add_clean(&clean, file, strlen(file));
	rows_add(rows, text_string(&clean));
	rows_add(rows, capture);
	rows_add(rows, audit_verdict_word(audit_verdict(finding->code)));
	rows_add(rows, audit_word(finding->code));
	if (finding->share >= 0)
		text_addf(&share, "%.6f", finding->share);
	rows_add(rows, text_string(&share));
	rows_add(rows, finding->what);
	rows_add(rows, audit_answers(finding->code));
	rows_add(rows, audit_avoid(finding->code));
	add_line(rows, "answers:", audit_answers(finding->code));
	add_line(rows, "avoid:  ", audit_avoid(finding->code));
	if (auditing->is_many) {
		if (*capture)
			text_addf(&clean, ", capture '%s'", capture);
		add_line(rows, "in:     ", text_string(&clean));
	}
	auditing->has_found = true;
}

/* ---- one capture */

/* A recording of counters or hardware traces has records, and that can be told. */
static bool is_empty(const struct profile *profile, const struct summary *summary)
{
	return !summary->events_nr && !profile->capture.series.nr &&
	       (profile->capture.has_first_event || !profile->capture.record_types.nr);
}

static struct error *audit_capture(struct auditing *auditing, char *file, const char *capture)
{
	CLEANUP(profile_release)
	struct profile profile = {.selection = {.all_events = true}, .needs_samples = true};
	CLEANUP(summary_release) struct summary summary;
	CLEANUP(audit_release) struct audit audit = {0};
	struct profile_options options = auditing->options->profile;
	struct error *err;

	if (capture)
		options.capture = capture;
	summary_init(&summary, &profile.capture);
	err = profile_read(&options, file ? 1 : 0, &file, &profile, &summary.sink);
	if (!err && is_empty(&profile, &summary))
		err = profile_empty_selection(&profile);
	if (!err)
		err = profile_name(&profile, &options);
	if (err)
		return err;
	audit_run(&profile.capture, &summary, &audit);
	for (size_t i = 0; i < audit.nr; i++)
		add_finding(auditing, profile.operand, capture ? capture : "", &audit.list[i]);
	return NULL;
}

/* A profile: each of its captures, unless one is named. */
static struct error *audit_profile(struct auditing *auditing, char *file)
{
	CLEANUP(store_captures_release) struct store_captures captures = {0};
	struct store *store = NULL;
	struct error *err = store_open(file, &store);

	if (!err)
		err = store_captures(store, &captures);
	store_close(store);
	auditing->is_many |= captures.nr > 1;
	for (size_t i = 0; !err && i < captures.nr; i++)
		err = audit_capture(auditing, file, captures.list[i].name);
	return err;
}

static struct error *audit_file(struct auditing *auditing, char *file)
{
	if (file && strcmp(file, "-") != 0 && !auditing->options->profile.capture &&
	    store_is_sqlite_file(file))
		return audit_profile(auditing, file);
	return audit_capture(auditing, file, auditing->options->profile.capture);
}

/* ---- the command */

static struct error *write_rows(const struct auditing *auditing)
{
	struct output output;
	struct error *err = output_open(auditing->options->output, &output);

	if (err)
		return err;
	/* a sound capture has no table */
	if (auditing->options->format != ROWS_TABLE || auditing->has_found)
		rows_write(&auditing->rows, "findings", auditing->options->format, output.file);
	return output_commit(&output);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	struct auditing auditing = {.options = options_of, .is_many = argc > 1};
	struct error *err = NULL;

	rows_init(&auditing.rows, columns, ARRAY_NR(columns));
	if (!argc)
		err = audit_file(&auditing, NULL);
	for (int i = 0; !err && i < argc; i++)
		err = audit_file(&auditing, argv[i]);
	if (!err)
		err = write_rows(&auditing);
	if (!err && auditing.has_found)
		*ret_status = 1;
	rows_release(&auditing.rows);
	return err;
}

const struct command command_audit = {
	.name = "audit",
	.args = "[<capture>...]",
	.summary = "what a capture cannot say, and where it misleads",
	.options = options_table,
	.size = sizeof(struct audit_options),
	.run = run,
};
