/* profile.c - what every command that reads a capture does first: read, select, name */
#include "commands/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "analysis/trust.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "commands/choose.h"
#include "commands/range.h"
#include "commands/reading.h"
#include "importers/importer.h"
#include "model/recorder.h"
#include "model/tee.h"
#include "store/captures.h"
#include "store/clock_maps.h"
#include "store/replay.h"
#include "store/store.h"

/* How many commands or events a message lists. */
#define LISTED_MAX 12

const char *const profile_weight_words[] = {"auto", "period", "samples", NULL};
const char *const profile_by_words[] = {"auto", "none", "comm", "process", "thread", "cpu", NULL};

/* ---- options */

static struct error *take_selection(struct profile *profile, const struct profile_options *options)
{
	struct selection *selection = &profile->selection;
	struct error *err = range_take(profile->operand, &selection->from, &selection->to);

	if (!err)
		err = range_options(options->from, options->to, &selection->from, &selection->to);
	selection->event = options->event;
	selection->comms = options->comms.list;
	selection->comms_nr = options->comms.nr;
	selection->pids = options->pids.list;
	selection->pids_nr = options->pids.nr;
	selection->tids = options->tids.list;
	selection->tids_nr = options->tids.nr;
	selection->cpus = options->cpus.list;
	selection->cpus_nr = options->cpus.nr;
	return err;
}

/* ---- reading */

static struct error *take_operand(int argc, char **argv, struct profile *profile)
{
	if (argc > 1)
		return error_new(ERROR_USAGE, "one capture at a time, not %d ('%s', '%s' ...)",
				 argc, argv[0], argv[1]);
	if (!argc && isatty(STDIN_FILENO))
		return error_hint(error_new(ERROR_USAGE, "which capture? None was named, and "
							 "standard input is a terminal"),
				  "perf script | tephra flame -o profile.svg");
	profile->operand = mem_strdup(argc ? argv[0] : "-");
	return NULL;
}

static struct error *read_capture(const struct profile_options *options, struct profile *profile,
				  struct sink *sink)
{
	struct reader *reader;
	struct error *err = reader_open(profile->operand, &reader);

	if (err)
		return err;
	if (options->allows_empty) {
		err = reader_fill(reader, 1);
		if (err || reader->begin == reader->end) {
			reader_close(reader);
			return err;
		}
	}
	err = reading_choose(reader, options->input_format, &profile->importer);
	if (!err && options->capture)
		err = error_new(ERROR_USAGE, "--capture is for profiles, '%s' is a capture itself",
				profile->operand);
	if (!err) {
		if (!options->by)
			profile->tally.options.by = profile->importer->default_by;
		profile->capture.column = options->column;
		select_init(&profile->select, &profile->capture, &profile->selection, sink);
		err = reading_run(reader, profile->importer, &profile->files, options->quiet,
				  &profile->capture, &profile->select.sink);
	}
	reader_close(reader);
	return err;
}

/* ---- a profile */

static bool needs_addresses(const struct profile_options *options, const struct profile *profile)
{
	return profile->needs_samples || options->unknown == NAMING_UNKNOWN_ADDRESS ||
	       options->source_lines;
}

static bool needs_cpu(const struct profile_options *options, const struct profile *profile)
{
	return profile->needs_samples || profile->selection.cpus_nr ||
	       options->by == 1 + TALLY_BY_CPU;
}

/* What path weights cannot tell: when, on which CPU, at which address and line. */
static bool needs_samples(const struct profile_options *options, const struct profile *profile)
{
	const struct selection *selection = &profile->selection;

	return options->keeps_times || selection->from.is_set || selection->to.is_set ||
	       needs_cpu(options, profile) || needs_addresses(options, profile);
}

static struct error *replay_one(const struct profile_options *options, struct profile *profile,
				struct store *store, const struct store_capture *capture)
{
	const struct selection *selection = &profile->selection;
	struct replay_options replay = {
		.needs_samples = needs_samples(options, profile),
		.needs_addresses = needs_addresses(options, profile),
		.without_cpu = !needs_cpu(options, profile),
		.needs_all_stacks = profile->needs_samples,
		.has_range = selection->from.is_set || selection->to.is_set,
		.from_ns = range_ns(&selection->from, capture->start_ns, 0),
		.to_ns = range_ns(&selection->to, capture->start_ns, UINT64_MAX),
	};
	struct replay_count count;
	struct error *err = store_replay(store, capture, &replay, &profile->capture,
					 &profile->select.sink, &count);

	if (!err)
		profile->select.count.left_out[SELECT_TIME] += count.left_out;
	return err;
}

/* Those that are added up are on clocks of their own: a range is on that of the first. */
static struct error *replay_range(const struct profile_options *options, struct profile *profile,
				  struct store *store, const struct store_captures *all)
{
	struct moment from = profile->selection.from, to = profile->selection.to;
	uint32_t said_of = UINT32_MAX;
	struct store_clocks clocks = {0};
	struct error *err = store_clocks_read(store, all, &clocks);

	for (uint32_t i = 0; !err && i < all->nr; i++) {
		struct moment begin = {.is_set = true}, end = {.is_set = true};

		if (!all->list[i].samples)
			continue;
		if (said_of == UINT32_MAX)
			said_of = i;
		err = range_on_clock(&clocks.map, said_of, all->list[said_of].start_ns, i, &from,
				     &to, &begin.ns, &end.ns);
		profile->selection.from = begin;
		profile->selection.to = end;
		if (!err)
			err = replay_one(options, profile, store, &all->list[i]);
	}
	profile->selection.from = from;
	profile->selection.to = to;
	store_clocks_release(&clocks);
	return err;
}

static struct error *replay(const struct profile_options *options, struct profile *profile,
			    struct store *store, const struct store_captures *all)
{
	size_t first, nr;
	struct error *err = choose_captures(profile->operand, options->capture, all, &first, &nr);

	if (err)
		return err;
	profile->importer = importers_find(all->list[first].format);
	profile->capture.format = profile->importer ? profile->importer->name : "unknown";
	if (!options->by && profile->importer)
		profile->tally.options.by = profile->importer->default_by;
	if (nr > 1 && (profile->selection.from.is_set || profile->selection.to.is_set))
		return replay_range(options, profile, store, all);
	for (size_t i = 0; !err && i < nr; i++)
		if (nr == 1 || all->list[first + i].samples)
			err = replay_one(options, profile, store, &all->list[first + i]);
	return err;
}

static struct error *read_store(const struct profile_options *options, struct profile *profile,
				struct sink *sink)
{
	struct store_captures all = {0};
	struct store *store = NULL;
	struct error *err;

	if (options->input_format)
		return error_new(ERROR_USAGE, "--input-format is for captures, '%s' is a profile",
				 profile->operand);
	if (symbols_has_given(&options->symbols))
		return error_hint(error_new(ERROR_USAGE, "'%s' is a profile, whose names are in it",
					    profile->operand),
				  "tephra symbolize %s --debug-dir ... gives it new ones",
				  profile->operand);
	profile->is_stored = true;
	select_init(&profile->select, &profile->capture, &profile->selection, sink);
	err = store_open(profile->operand, &store);
	if (!err)
		err = store_captures(store, &all);
	if (!err)
		err = replay(options, profile, store, &all);
	store_captures_release(&all);
	store_close(store);
	return err;
}

struct error *profile_read(const struct profile_options *options, int argc, char **argv,
			   struct profile *ret, struct sink *sink)
{
	struct error *err = take_operand(argc, argv, ret);

	if (!err)
		err = take_selection(ret, options);
	if (err)
		return err;
	ret->files.options = &options->symbols;
	ret->files.capture_path = ret->operand;
	ret->bins.from = ret->selection.from;
	if (strcmp(ret->operand, "-") != 0 && store_is_sqlite_file(ret->operand))
		err = read_store(options, ret, sink);
	else
		err = read_capture(options, ret, sink);
	if (!err && options->strict)
		err = reading_check(ret->operand, &ret->capture);
	return err;
}

/* ---- what was read */

void profile_add_events(const struct capture *capture, uint32_t but, struct text *text)
{
	uint32_t listed = 0;

	for (uint32_t i = 0; i < capture->events.nr && listed < LISTED_MAX; i++) {
		if (i == but || !capture->events.list[i].samples)
			continue;
		text_addf(text, "%s%s (", listed++ ? ", " : "",
			  events_display(&capture->events, &capture->names, i));
		weight_add(text, capture->events.list[i].samples);
		text_add(text, ")");
	}
}

static struct error *resolve_event(struct profile *profile)
{
	struct capture *capture = &profile->capture;
	const char *wanted = profile->selection.event;
	CLEANUP(text_release) struct text there = TEXT_INIT;

	if (!capture->has_first_event)
		return profile_empty_selection(profile);
	profile->event = capture->first_event;
	if (!wanted)
		return NULL;
	profile->event = events_find(&capture->events, &capture->names, wanted);
	if (profile->event != EVENT_NONE)
		return NULL;
	profile_add_events(capture, EVENT_NONE, &there);
	return error_hint(
		error_new(ERROR_USAGE, "'%s' is not one event of '%s'", wanted, profile->operand),
		"there is: %s", text_string(&there));
}

/* Candidates of --event that were not it after all. */
static void drop_other_events(struct profile *profile)
{
	if (profile->capture.events.nr == 1)
		return;
	for (uint32_t i = 0; i < profile->tally.nr; i++) {
		const struct tally_entry *entry = &profile->tally.list[i];

		if (entry->key.event == profile->event)
			continue;
		profile->select.count.passed -= entry->count;
		profile->select.count.left_out[SELECT_EVENT] += entry->count;
	}
}

/* What is written has no head in most forms: it is said here, too. */
static void tell_doubts(const struct profile *profile)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct trust trust;

	trust_count(&trust, &profile->paths, profile->counts_samples);
	trust_add_doubts(&trust, "; ", &text);
	if (text.size)
		fprintf(stderr, "%s: note: %s\n", profile->operand, text_string(&text) + 2);
}

static void tell(const struct profile *profile)
{
	const struct capture *capture = &profile->capture;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_tell_notes(profile->operand, &profile->capture);
	tell_doubts(profile);
	if (!profile->selection.event && capture->events.nr > 1) {
		profile_add_events(capture, profile->event, &text);
		fprintf(stderr, "%s: note: shown is %s; other events: %s; choose with --event\n",
			profile->operand, profile_event_name(profile), text_string(&text));
	}
	if (!profile->paths.without_chain)
		return;
	text_clear(&text);
	weight_add(&text, profile->paths.without_chain);
	text_add(&text, " of ");
	weight_add(&text, profile->paths.count);
	text_add(&text, " samples (");
	units_add_percent(&text, weight_share(profile->paths.without_chain, profile->paths.count),
			  1);
	fprintf(stderr, "%s: note: %s) have no call chain\n", profile->operand, text_string(&text));
}

struct error *profile_name(struct profile *profile, const struct profile_options *options)
{
	if (profile->is_stored)
		return NULL;
	return symbols_name(&profile->files,
			    (options->inlined ? SYMBOLS_UNINLINED : 0) |
				    (options->wants_build ? SYMBOLS_BUILD_FACTS : 0) |
				    (options->quiet ? SYMBOLS_QUIET : 0),
			    &profile->capture);
}

/* What is added up and how it is called, once all of it was read. */
static void make_paths(const struct profile_options *options, struct profile *profile)
{
	const struct event *event = &profile->capture.events.list[profile->event];
	struct profile_names *names = &profile->names;

	drop_other_events(profile);
	profile->counts_samples = options->weight == PROFILE_WEIGHT_SAMPLES || !event->has_periods;
	names->filter.keeps_entries = options->keeps_times || options->recorder;
	names->filter.keeps_places = options->draws_calls && !transform_is_any(&names->transforms);
	naming_init(&profile->naming, &profile->capture, &names->naming);
	paths_build(&profile->paths, &profile->tally, &profile->naming, profile->event,
		    &names->filter);
	transform_paths(&profile->paths, &names->transforms);
}

/* No sample, and nobody who minds. */
static struct error *leave_empty(struct profile *profile)
{
	naming_init(&profile->naming, &profile->capture, &profile->names.naming);
	paths_build(&profile->paths, &profile->tally, &profile->naming, EVENT_NONE,
		    &profile->names.filter);
	return NULL;
}

static struct error *load(const struct profile_options *options, int argc, char **argv,
			  struct profile *profile)
{
	struct profile_names *names = &profile->names;
	struct sink *sink = &profile->tally.sink;
	struct tee tee;
	struct error *err = profile_names_take(options, names);

	if (err)
		return err;
	tally_init(&profile->tally, &profile->capture,
		   &(struct tally_options){
			   .by = (enum tally_by)(options->by ? options->by - 1 : 0),
			   .keeps_address = names->naming.unknown == NAMING_UNKNOWN_ADDRESS ||
					    names->naming.flags & NAMING_SOURCE_LINES,
			   .keeps_idle = options->no_idle,
		   });
	bins_init(&profile->bins, &profile->tally, &(struct moment){0});
	if (options->keeps_times)
		sink = &profile->bins.sink;
	if (options->recorder) {
		recorder_init(options->recorder, &profile->tally);
		profile->needs_samples = true;
		sink = &options->recorder->sink;
	}
	if (options->also) {
		tee_init(&tee, sink, options->also);
		profile->needs_samples = profile->selection.all_events = true;
		sink = &tee.sink;
	}
	err = profile_read(options, argc, argv, profile, sink);
	if (err)
		return err;
	if (options->allows_empty && !profile->capture.has_first_event)
		return leave_empty(profile);
	err = resolve_event(profile);
	if (!err)
		err = profile_name(profile, options);
	if (err)
		return err;
	make_paths(options, profile);
	if (!profile->paths.nr && !options->allows_empty)
		return profile_empty_selection(profile);
	return NULL;
}

struct error *profile_load(const struct profile_options *options, int argc, char **argv,
			   struct profile *ret)
{
	struct error *err;

	*ret = (struct profile){.event = EVENT_NONE};
	err = load(options, argc, argv, ret);
	if (err && !options->quiet && !options->strict)
		reading_tell_notes(ret->operand, &ret->capture);
	/* whoever hears all that there is shows it himself */
	if (!err && !options->quiet && !options->also)
		tell(ret);
	return err;
}

void profile_release(struct profile *profile)
{
	paths_release(&profile->paths);
	naming_release(&profile->naming);
	bins_release(&profile->bins);
	symbols_files_close(&profile->files);
	tally_release(&profile->tally);
	select_release(&profile->select);
	capture_release(&profile->capture);
	profile_names_release(&profile->names);
	free(profile->operand);
}
