/* import.c - tephra import: captures into a profile */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/audit.h"
#include "analysis/summary.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/audit_stored.h"
#include "commands/command.h"
#include "commands/machine_clock.h"
#include "commands/machine_facts.h"
#include "commands/reading.h"
#include "commands/series_words.h"
#include "commands/symbols.h"
#include "model/capture.h"
#include "model/counter_options.h"
#include "model/select.h"
#include "model/tee.h"
#include "store/store.h"
#include "store/write.h"

struct import_options {
	const char *output, *name, *input_format;
	struct option_texts facts, maps;
	struct symbols_options symbols;
	int keep_stacks; /* index into keep_words */
	const char *scrape;
	bool add, strict, keep_going, quiet;
};

static const char *const keep_words[] = {"auto", "no", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct import_options, output, "<profile>",
		    "the profile; otherwise the first capture's name with .tephra behind"),
	OPTION_FLAG(0, "add", struct import_options, add, "add to a profile that is there"),
	OPTION_TEXT(0, "name", struct import_options, name, "<name>",
		    "what the capture is called; otherwise its file's name without ending"),
	OPTION_TEXTS(0, "fact", struct import_options, facts, "<name>=<value>",
		     "what else is to be known of it: deployment, build, load"),
	OPTION_TEXT(0, "input-format", struct import_options, input_format, "<format>",
		    "perf-data, perf-script, folded, csv ...; otherwise found by looking"),
	OPTION_TEXTS(0, "map", struct import_options, maps, "<column>=<role>,<unit>,<kind>",
		     "what a column of counters is; otherwise guessed from its name"),
	OPTION_TEXT(0, "scrape-interval", struct import_options, scrape, "<time>",
		    "how often a server that was asked (Prometheus) reads its sources"),
	OPTION_FLAG(0, "keep-going", struct import_options, keep_going,
		    "leave out what is damaged in a counter file, with a note"),
	SYMBOLS_OPTIONS(struct import_options, symbols),
	OPTION_CHOICE(0, "keep-stacks", struct import_options, keep_stacks, "auto|no", keep_words,
		      "keep stack dumps that lack a file, for symbolize to unwind"),
	OPTION_FLAG(0, "strict", struct import_options, strict,
		    "refuse an input that is damaged or holds odd lines"),
	OPTION_FLAG('q', "quiet", struct import_options, quiet, "print errors only"),
	OPTION_END,
};

/* ---- names */

static bool cut_ending(struct text *name, const char *ending)
{
	size_t size = strlen(ending);

	if (name->size <= size || strcmp(name->bytes + name->size - size, ending) != 0)
		return false;
	name->size -= size;
	name->bytes[name->size] = '\0';
	return true;
}

/* "captures/run.script.gz" is called "run". */
static void default_name(const char *path, struct text *name)
{
	static const char *const packings[] = {".gz", ".zst", ".xz"};
	const char *base = strrchr(path, '/');
	const char *dot;

	base = base ? base + 1 : path;
	utf8_add_clean(name, strcmp(path, "-") == 0 ? "stdin" : base,
		       strlen(strcmp(path, "-") == 0 ? "stdin" : base));
	for (size_t i = 0; i < ARRAY_NR(packings); i++)
		if (cut_ending(name, packings[i]))
			break;
	dot = strrchr(text_string(name), '.');
	if (dot && dot > name->bytes) {
		name->size = (size_t)(dot - name->bytes);
		name->bytes[name->size] = '\0';
	}
}

/* The name that was asked for, or the default one with a number if that is taken. */
static struct error *choose_name(const struct import_options *options, struct store *store,
				 const char *path, struct text *name)
{
	bool is_taken;
	struct error *err;

	if (options->name) {
		utf8_add_clean(name, options->name, strlen(options->name));
		err = store_has_name(store, text_string(name), &is_taken);
		if (!err && is_taken)
			err = error_new(ERROR_USAGE, "there is a capture '%s' in '%s' already",
					text_string(name), store->path);
		return err;
	}
	for (int number = 1;; number++) {
		text_clear(name);
		default_name(path, name);
		if (number > 1)
			text_addf(name, "-%d", number);
		/* "all" is not one of them: --capture=all means every one */
		err = store_has_name(store, text_string(name), &is_taken);
		if (err || (!is_taken && strcmp(text_string(name), "all") != 0))
			return err;
	}
}

/* ---- one capture */

struct import {
	const struct import_options *options;
	struct store *store;
	const char *path;
	struct reader *reader;
	struct symbols_files files; /* that stacks and names come from */
	struct capture capture;
	struct selection everything;
	struct select select;
	struct counter_options counters;
	struct store_writer *writer;
	struct summary summary; /* for the audit */
	struct tee tee;
	struct text name;
	struct trust trust;
	char **facts; /* owned: "NAME=VALUE" */
	size_t facts_nr, facts_alloc;
	char sha256[DIGEST_HEX_SIZE];
	uint64_t size_bytes;
};

static void import_release(struct import *import)
{
	reader_close(import->reader);
	symbols_files_close(&import->files);
	select_release(&import->select);
	summary_release(&import->summary);
	capture_release(&import->capture);
	text_release(&import->name);
	for (size_t i = 0; i < import->facts_nr; i++)
		free(import->facts[i]);
	free(import->facts);
}

static struct error *read_samples(struct import *import)
{
	const struct import_options *options = import->options;
	const struct importer *importer;
	struct error *err = reading_choose(import->reader, options->input_format, &importer);

	if (err)
		return err;
	import->counters = (struct counter_options){
		.maps = options->maps.list,
		.maps_nr = options->maps.nr,
		.keeps_going = options->keep_going,
	};
	if (options->scrape)
		units_parse_time(options->scrape, strlen(options->scrape),
				 &import->counters.scrape_ns);
	import->capture.counter_options = &import->counters;
	import->everything.all_events = true;
	summary_init(&import->summary, &import->capture);
	tee_init(&import->tee, store_write_sink(import->writer), &import->summary.sink);
	select_init(&import->select, &import->capture, &import->everything, &import->tee.sink);
	import->files.options = &options->symbols;
	import->files.capture_path = import->path;
	err = reading_run(import->reader, importer, &import->files, options->quiet,
			  &import->capture, &import->select.sink);
	if (!err && options->strict)
		err = reading_check(import->path, &import->capture);
	if (!err && !import->capture.has_first_event && !import->capture.series.nr)
		err = error_new(ERROR_INPUT, "'%s' holds no sample", import->path);
	return err ? err : reader_hash(import->reader, import->sha256, &import->size_bytes);
}

/* "1 event", "2 events" */
static void add_count(struct text *text, uint64_t count, const char *what)
{
	text_addf(text, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

/* What was guessed of counters, and the line of facts of them. */
static void tell_series(const struct import *import)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	series_words_tell_guesses(import->path, &import->capture);
	series_words_add_facts(&import->capture, &text);
	fprintf(stderr, "%s: capture '%s': %s\n", import->store->path, text_string(&import->name),
		text_string(&text));
}

/* The one line of facts at the end. */
static void tell(const struct import *import, weight samples)
{
	const struct capture *capture = &import->capture;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_tell_notes(import->path, capture);
	if (capture->series.nr)
		tell_series(import);
	if (!capture->has_first_event)
		return;
	weight_add_grouped(&text, samples);
	text_add(&text, samples == WEIGHT_ONE ? " sample" : " samples");
	if (capture->has_times) {
		text_add(&text, " in ");
		units_add_time(&text, weight_of(capture->end_ns - capture->start_ns));
	}
	text_add(&text, ", ");
	add_count(&text, capture->events.nr, "event");
	text_add(&text, ", ");
	add_count(&text, capture->tasks.nr, "thread");
	text_add(&text, ", ");
	add_count(&text, stacks_distinct(&capture->stacks), "stack");
	text_add(&text, "; lost: ");
	add_count(&text, capture->lost, "event");
	text_add(&text, ", ");
	add_count(&text, capture->lost_samples, "sample");
	if (capture->has_offsets) {
		text_add(&text, "; ");
		trust_add_counts(&import->trust, &text);
	}
	fprintf(stderr, "%s: capture '%s': %s\n", import->store->path, text_string(&import->name),
		text_string(&text));
}

static void take_clock(struct import *import, const struct facts *facts)
{
	struct capture *capture = &import->capture;
	struct clock_tie tie;

	switch (machine_clock_find(facts, capture->clock, capture->end_ns, &tie)) {
	case MACHINE_CLOCK_TIED:
		clock_ties_add(&capture->ties, &tie);
		break;
	case MACHINE_CLOCK_BEFORE:
		if (!import->options->quiet)
			machine_clock_tell(import->path);
		break;
	case MACHINE_CLOCK_NONE:
		break;
	}
}

/* Those that were typed, and behind them those of the script that ran on the machine. */
static void take_facts(struct import *import, struct store_about *about)
{
	struct facts facts = {0};

	machine_facts_add(import->path, &facts);
	take_clock(import, &facts);
	for (size_t i = 0; i < import->options->facts.nr; i++) {
		GROW(import->facts, import->facts_nr + 1, import->facts_alloc);
		import->facts[import->facts_nr++] = mem_strdup(import->options->facts.list[i]);
	}
	for (size_t i = 0; i < facts.nr; i++) {
		struct text fact = TEXT_INIT;

		text_addf(&fact, "%s=%s", facts.list[i].name, facts.list[i].value);
		GROW(import->facts, import->facts_nr + 1, import->facts_alloc);
		import->facts[import->facts_nr++] = text_take(&fact);
	}
	facts_release(&facts);
	about->facts = (const char *const *)import->facts;
	about->facts_nr = import->facts_nr;
}

/* Of the names that were found. */
static struct error *write_audit(const struct import *import)
{
	CLEANUP(audit_release) struct audit audit = {0};

	audit_run(&import->capture, &import->summary, &audit);
	return audit_stored_last(import->store, &audit);
}

static struct error *write_capture(struct import *import)
{
	struct store_about about = {
		.sha256 = import->sha256,
		.size_bytes = import->size_bytes,
	};
	weight samples = store_write_samples(import->writer);
	char *twin;
	struct error *err = store_write_drop_twin(import->writer, import->sha256, &twin);

	if (err)
		return err;
	if (twin) {
		CLEANUP(text_release) struct text name = TEXT_INIT;

		utf8_add_clean(&name, twin, strlen(twin));
		import->writer = NULL;
		fprintf(stderr,
			"%s: note: '%s' is in it already, as capture '%s'; not added again\n",
			import->store->path, import->path, text_string(&name));
		free(twin);
		return NULL;
	}
	err = symbols_name(&import->files,
			   SYMBOLS_DIGESTS | SYMBOLS_BUILD_FACTS |
				   (import->options->quiet ? SYMBOLS_QUIET : 0),
			   &import->capture);
	if (!err)
		err = choose_name(import->options, import->store, import->path, &import->name);
	trust_count_all(&import->trust, store_write_tally(import->writer));
	about.name = text_string(&import->name);
	take_facts(import, &about);
	err = store_write_end(import->writer, &about, err);
	import->writer = NULL;
	if (!err)
		err = write_audit(import);
	if (!err && !import->options->quiet)
		tell(import, samples);
	return err;
}

static struct error *import_one(const struct import_options *options, struct store *store,
				const char *path)
{
	CLEANUP(import_release)
	struct import import = {.options = options, .store = store, .path = path};
	struct error *err;

	if (strcmp(path, "-") != 0 && store_is_sqlite_file(path))
		return error_new(ERROR_INPUT,
				 "'%s' is a profile or another SQLite file, no capture", path);
	err = reader_open_hashed(path, &import.reader);
	if (err)
		return err;
	err = store_write_begin(store, &import.capture, &import.writer);
	if (err)
		return err;
	if (options->keep_stacks)
		store_write_drop_stacks(import.writer);
	err = read_samples(&import);
	if (err)
		return store_write_end(import.writer, NULL, err);
	return write_capture(&import);
}

/* ---- the command */

static struct error *check_options(const struct import_options *options, int argc, char **argv)
{
	uint64_t scrape_ns;

	for (size_t i = 0; i < options->facts.nr; i++) {
		const char *equals = strchr(options->facts.list[i], '=');

		if (!equals || equals == options->facts.list[i] ||
		    !utf8_is_clean(options->facts.list[i], strlen(options->facts.list[i])))
			return error_new(ERROR_USAGE, "--fact takes <name>=<value>, not '%s'",
					 options->facts.list[i]);
	}
	if (options->scrape &&
	    !units_parse_time(options->scrape, strlen(options->scrape), &scrape_ns))
		return error_new(ERROR_USAGE,
				 "--scrape-interval takes a time such as 15s, not '%s'",
				 options->scrape);
	if (options->name && (!*options->name || strcmp(options->name, "all") == 0))
		return error_new(ERROR_USAGE, "'%s' cannot be the name of a capture",
				 options->name);
	if (options->name && argc > 1)
		return error_new(ERROR_USAGE, "--name is for one capture, not %d", argc);
	if (!argc && isatty(STDIN_FILENO))
		return error_new(ERROR_USAGE, "which capture? None was named, and standard input "
					      "is a terminal");
	if (!options->output && (!argc || strcmp(argv[0], "-") == 0))
		return error_new(ERROR_USAGE, "standard input has no name: say -o <profile>");
	return NULL;
}

static struct error *import_all(const struct import_options *options, struct store *store, int argc,
				char **argv)
{
	struct error *err = NULL;

	if (!argc)
		err = import_one(options, store, "-");
	for (int i = 0; !err && i < argc; i++)
		err = import_one(options, store, argv[i]);
	return err ? err : store_commit(store);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct import_options *options = options_of;
	CLEANUP(text_release) struct text path = TEXT_INIT;
	struct store *store = NULL;
	struct error *err = check_options(options, argc, argv);

	(void)ret_status;
	if (err)
		return err;
	if (options->output)
		text_add(&path, options->output);
	else
		text_addf(&path, "%s.tephra", argv[0]);
	if (options->add)
		err = store_add(text_string(&path), &store);
	else
		err = store_create(text_string(&path), &store);
	if (!err)
		err = import_all(options, store, argc, argv);
	store_close(store);
	return err;
}

const struct command command_import = {
	.name = "import",
	.args = "[<capture>...]",
	.summary = "keep captures in a profile",
	.options = options_table,
	.size = sizeof(struct import_options),
	.run = run,
};
