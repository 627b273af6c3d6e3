/* symbolize.c - tephra symbolize: new names for a profile, or for plain addresses */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/trust.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/addresses.h"
#include "commands/audit_stored.h"
#include "commands/command.h"
#include "commands/dumps.h"
#include "commands/machine_clock.h"
#include "commands/machine_facts.h"
#include "commands/rows.h"
#include "commands/symbols.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/clock_maps.h"
#include "store/facts.h"
#include "store/rename.h"
#include "store/restack.h"
#include "store/say_dumps.h"
#include "store/store.h"
#include "symbols/build_facts.h"

struct symbolize_options {
	const char *addresses, *capture, *output;
	struct symbols_options symbols;
	int format;  /* enum rows_format */
	int inlined; /* index into inline_words */
	bool quiet;
};

static const char *const inline_words[] = {"on", "off", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT(0, "addresses", struct symbolize_options, addresses, "<file>",
		    "name these addresses of the one --binary, a hexadecimal one a line"),
	OPTION_TEXT(0, "capture", struct symbolize_options, capture, "<name>",
		    "only this capture of the profile; otherwise all"),
	OPTION_TEXT('o', "output", struct symbolize_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct symbolize_options, format, "table|csv|json",
		      rows_format_words, "form of the output; json is one object a line"),
	OPTION_CHOICE(0, "inline", struct symbolize_options, inlined, "on|off", inline_words,
		      "show inlined frames (on)"),
	SYMBOLS_OPTIONS(struct symbolize_options, symbols),
	OPTION_FLAG('q', "quiet", struct symbolize_options, quiet, "print errors only"),
	OPTION_END,
};

/* A capture of the profile while it is named. */
struct renaming {
	const struct symbolize_options *options;
	const char *profile;
	struct symbols_files files; /* that stacks and names come from */
	struct trial trial;	    /* of files that its dumps were unwound by */
	struct trust trust;
	struct facts built; /* how the main executable was built; none where that is not told */
	bool has_offsets;
};

static struct error *name(void *context, struct capture *capture, const struct tally *tally)
{
	struct renaming *renaming = context;
	const struct facts *facts = &capture->facts;
	size_t stored_nr = facts->nr;
	struct error *err;

	dumps_tell_refuted(&renaming->trial, capture);
	err = symbols_name(&renaming->files,
			   SYMBOLS_DIGESTS | SYMBOLS_BUILD_FACTS |
				   (renaming->options->quiet ? SYMBOLS_QUIET : 0),
			   capture);
	for (size_t i = stored_nr; i < facts->nr; i++)
		facts_add(&renaming->built, facts->list[i].name, strlen(facts->list[i].name),
			  facts->list[i].value, strlen(facts->list[i].value));
	renaming->has_offsets = capture->has_offsets;
	trust_count_all(&renaming->trust, tally);
	return err;
}

static void tell(const struct renaming *renaming, const struct store_capture *capture)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (renaming->options->quiet)
		return;
	if (renaming->has_offsets)
		trust_add_counts(&renaming->trust, &text);
	else
		text_add(&text, "has names of its own and no addresses in files");
	fprintf(stderr, "%s: capture '%s': %s\n", renaming->profile, capture->name,
		text_string(&text));
}

static bool is_known(const struct clock_ties *ties, const struct clock_tie *tie)
{
	for (size_t i = 0; i < ties->nr; i++)
		if (ties->list[i].how == tie->how && ties->list[i].first_ns == tie->first_ns &&
		    ties->list[i].offset_ns == tie->offset_ns)
			return true;
	return false;
}

static struct error *take_clock(const struct renaming *renaming, struct store *store,
				const struct store_capture *capture, const struct facts *facts)
{
	CLEANUP(clock_ties_release) struct clock_ties known = {0};
	struct clock_tie tie;
	enum machine_clock found = machine_clock_find(facts, capture->clock, capture->end_ns, &tie);
	struct error *err;

	if (found == MACHINE_CLOCK_BEFORE && !renaming->options->quiet)
		machine_clock_tell(renaming->profile);
	if (found != MACHINE_CLOCK_TIED)
		return NULL;
	err = store_clocks_of(store, capture->id, &known);
	if (err || is_known(&known, &tie))
		return err;
	return store_clocks_write(store, capture->id, &(struct clock_ties){&tie, 1, 1});
}

/*
 * What the script noted is of the one machine that it ran on; of several captures nobody knows
 * which were recorded there.
 */
static struct error *take_facts(const struct renaming *renaming, struct store *store,
				const struct store_captures *captures,
				const struct store_capture *capture)
{
	struct facts facts = {0};
	struct error *err = NULL;

	if (renaming->built.nr)
		err = store_facts_replace(store, capture, "capture", BUILD_FACTS_PREFIX,
					  &renaming->built);
	if (err)
		return err;
	machine_facts_add(renaming->profile, &facts);
	if (facts.nr && (captures->nr == 1 || renaming->options->capture)) {
		err = store_facts_replace(store, capture, "user", MACHINE_FACTS_PREFIX, &facts);
		if (!err)
			err = take_clock(renaming, store, capture, &facts);
	}
	if (facts.nr && captures->nr > 1 && !renaming->options->capture &&
	    capture == captures->list && !renaming->options->quiet)
		fprintf(stderr,
			"%s: note: %s.symbols/facts was not taken: there are %zu captures, and "
			"--capture does not say which was recorded there\n",
			renaming->profile, renaming->profile, captures->nr);
	facts_release(&facts);
	return err;
}

/* The capture's own dumps, while it is unwound again. */
struct dumped {
	struct store *store;
	const struct store_capture *from;
};

static bool is_over(const void *trial)
{
	return trial_is_over(trial);
}

static void say_dumps(void *context, struct unwinder *unwinder, const struct trial *trial)
{
	const struct dumped *dumped = context;

	error_free(store_say_dumps(dumped->store, dumped->from, unwinder, is_over, trial));
}

/* First the stacks: other places are named than before where more of them are known. */
static struct error *unwind_again(struct renaming *renaming, struct store *store,
				  struct store_captures *captures, size_t nr)
{
	struct dumped dumped = {store, &captures->list[nr]};
	/* ids of modules are those of one capture */
	CLEANUP(dumps_close) struct dumps dumps = {.source = {say_dumps, &dumped}};
	bool is_changed = false;
	struct error *err;

	if (renaming->options->symbols.from == SYMBOLS_NO)
		return NULL;
	err = dumps_open(&renaming->files, &dumps);
	if (!err)
		err = store_restack(store, &captures->list[nr], dumps.unwinder, &is_changed);
	renaming->trial = dumps.trial;
	dumps.trial = (struct trial){0};
	if (err || !is_changed)
		return err;
	store_captures_release(captures);
	return store_captures(store, captures);
}

static struct error *rename_captures(struct renaming *renaming, struct store *store,
				     struct store_captures *captures)
{
	const char *wanted = renaming->options->capture;
	bool is_there = false;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < captures->nr; i++) {
		if (wanted && strcmp(wanted, captures->list[i].name) != 0)
			continue;
		is_there = true;
		err = unwind_again(renaming, store, captures, i);
		if (!err)
			err = store_rename(store, &captures->list[i], name, renaming);
		trial_release(&renaming->trial);
		if (!err)
			err = take_facts(renaming, store, captures, &captures->list[i]);
		facts_release(&renaming->built);
		if (!err)
			err = audit_stored(store, &captures->list[i]);
		if (!err)
			tell(renaming, &captures->list[i]);
	}
	if (!err && !is_there)
		err = error_new(ERROR_USAGE, "there is no capture '%s' in '%s'",
				wanted ? wanted : "", renaming->profile);
	return err;
}

static struct error *rename_profile(const struct symbolize_options *options, const char *path)
{
	struct renaming renaming = {
		.options = options,
		.profile = path,
		.files = {.options = &options->symbols, .capture_path = path},
	};
	struct store_captures captures = {0};
	struct store *store = NULL;
	struct error *err;

	if (access(path, R_OK) != 0)
		return error_os("cannot open '%s'", path);
	if (!store_is_sqlite_file(path))
		return error_hint(error_new(ERROR_USAGE, "'%s' is no profile", path),
				  "'tephra import %s' makes one, with names", path);
	err = store_change(path, &store);
	if (!err)
		err = store_captures(store, &captures);
	if (!err)
		err = rename_captures(&renaming, store, &captures);
	if (!err)
		err = store_commit(store);
	store_captures_release(&captures);
	store_close(store);
	symbols_files_close(&renaming.files);
	return err;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct symbolize_options *options = options_of;

	(void)ret_status;
	if (options->addresses && argc)
		return error_new(ERROR_USAGE,
				 "--addresses names those of one --binary, and no "
				 "profile ('%s')",
				 argv[0]);
	if (argc > 1)
		return error_new(ERROR_USAGE, "one profile at a time, not %d ('%s', '%s' ...)",
				 argc, argv[0], argv[1]);
	if (argc)
		return rename_profile(options, argv[0]);
	if (!options->addresses)
		return error_hint(error_new(ERROR_USAGE, "needs a profile, or --addresses"),
				  "tephra symbolize run.tephra --debug-dir=<folder>");
	return addresses_run(&(struct addresses_options){
		.list = options->addresses,
		.output = options->output,
		.format = options->format,
		.symbols = &options->symbols,
		.is_uninlined = options->inlined,
	});
}

const struct command command_symbolize = {
	.name = "symbolize",
	.args = "[<profile>]",
	.summary = "name the frames of a profile, or addresses of a file",
	.options = options_table,
	.size = sizeof(struct symbolize_options),
	.run = run,
};
