/* profile.c - what every command that reads a capture does first: read, select, name */
#include "commands/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "analysis/trust.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "commands/reading.h"
#include "importers/importer.h"
#include "store/captures.h"
#include "store/replay.h"
#include "store/store.h"

/* How many commands or events a message lists. */
#define LISTED_MAX 12

const char *const profile_weight_words[] = {"auto", "period", "samples", NULL};
const char *const profile_tidy_words[] = {"no", "names", "hashes", NULL};
const char *const profile_inline_words[] = {"on", "off", NULL};
const char *const profile_unknown_words[] = {"module", "address", NULL};
const char *const profile_by_words[] = {"auto", "none", "comm", "process", "thread", "cpu", NULL};

/* ---- options */

static struct error *parse_moment(const char *option, const char *s, size_t size,
				  struct moment *ret)
{
	if (!select_parse_moment(s, size, ret))
		return error_hint(
			error_new(ERROR_USAGE, "%s takes a time, not '%.*s'", option, (int)size, s),
			"seconds as in the capture (701.25) or from its start (+12.5), or "
			"with a unit (+250ms)");
	return NULL;
}

/* "file@+4..+8": the range behind the last @, unless a file of the whole name is there. */
static struct error *take_range(struct profile *profile)
{
	char *at = strrchr(profile->operand, '@');
	char *dots = at ? strstr(at, "..") : NULL;
	struct error *err = NULL;

	if (!dots || access(profile->operand, F_OK) == 0)
		return NULL;
	if (dots > at + 1)
		err = parse_moment("a range", at + 1, (size_t)(dots - at) - 1,
				   &profile->selection.from);
	if (!err && dots[2])
		err = parse_moment("a range", dots + 2, strlen(dots + 2), &profile->selection.to);
	*at = '\0';
	return err;
}

static struct error *take_selection(struct profile *profile, const struct profile_options *options)
{
	struct selection *selection = &profile->selection;
	struct error *err = take_range(profile);

	if (!err && options->from)
		err = parse_moment("--from", options->from, strlen(options->from),
				   &selection->from);
	if (!err && options->to)
		err = parse_moment("--to", options->to, strlen(options->to), &selection->to);
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

static struct error *compile(const char *option, const struct option_texts *texts, regex_t **ret,
			     size_t *ret_nr)
{
	*ret = mem_zalloc(texts->nr, sizeof(**ret));
	*ret_nr = 0;
	for (size_t i = 0; i < texts->nr; i++) {
		char why[128];
		int status = regcomp(&(*ret)[i], texts->list[i], REG_EXTENDED | REG_NOSUB);

		if (status) {
			regerror(status, &(*ret)[i], why, sizeof(why));
			return error_new(ERROR_USAGE, "%s: '%s' is no regular expression: %s",
					 option, texts->list[i], why);
		}
		(*ret_nr)++;
	}
	return NULL;
}

static struct error *take_filter(struct path_filter *filter, const struct profile_options *options)
{
	struct error *err;

	filter->no_idle = options->no_idle;
	err = compile("--focus", &options->focus, &filter->focus, &filter->focus_nr);
	if (!err)
		err = compile("--ignore", &options->ignore, &filter->ignore, &filter->ignore_nr);
	if (!err)
		err = compile("--hide", &options->hide, &filter->hide, &filter->hide_nr);
	if (!err)
		err = compile("--show", &options->show, &filter->show, &filter->show_nr);
	return err;
}

static struct error *take_annotations(const char *kinds, unsigned *flags)
{
	static const struct {
		const char *word;
		unsigned flag;
	} known[] = {{"kernel", NAMING_ANNOTATE_KERNEL},
		     {"jit", NAMING_ANNOTATE_JIT},
		     {"inline", NAMING_ANNOTATE_INLINED}};

	while (kinds && *kinds) {
		size_t size = strcspn(kinds, ","), i = 0;

		while (i < ARRAY_NR(known) &&
		       (strlen(known[i].word) != size || memcmp(known[i].word, kinds, size) != 0))
			i++;
		if (i == ARRAY_NR(known))
			return error_new(ERROR_USAGE,
					 "--annotate takes kernel, jit and inline, not '%.*s'",
					 (int)size, kinds);
		*flags |= known[i].flag;
		kinds += size + (kinds[size] == ',');
	}
	return NULL;
}

static struct error *take_naming(const struct profile_options *options, struct naming_options *ret)
{
	*ret = (struct naming_options){
		.unknown = (enum naming_unknown)options->unknown,
		.tidy = (enum naming_tidy)options->tidy,
	};
	if (options->source_lines)
		ret->flags |= NAMING_SOURCE_LINES;
	if (options->mask)
		ret->flags |= NAMING_MASK;
	if (options->inlined == 1)
		ret->flags |= NAMING_NO_INLINED;
	return take_annotations(options->annotate, &ret->flags);
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
	err = reading_choose(reader, options->input_format, &profile->importer);
	if (!err && options->capture)
		err = error_new(ERROR_USAGE, "--capture is for profiles, '%s' is a capture itself",
				profile->operand);
	if (!err) {
		if (!options->by)
			profile->tally.options.by = profile->importer->default_by;
		select_init(&profile->select, &profile->capture, &profile->selection, sink);
		err = reading_run(reader, profile->importer, &options->symbols, options->quiet,
				  &profile->capture, &profile->select.sink);
	}
	reader_close(reader);
	return err;
}

/* ---- a profile */

static struct error *choose_captures(const struct profile *profile, const char *wanted,
				     const struct store_captures *all, size_t *ret_first,
				     size_t *ret_nr)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;
	struct error *err;

	*ret_first = 0;
	*ret_nr = all->nr;
	if (!all->nr)
		return error_new(ERROR_INPUT, "'%s' holds no capture", profile->operand);
	if (wanted ? strcmp(wanted, "all") == 0 : all->nr == 1)
		return NULL;
	*ret_nr = 1;
	for (size_t i = 0; i < all->nr; i++) {
		*ret_first = i;
		if (wanted && strcmp(wanted, all->list[i].name) == 0)
			return NULL;
		text_addf(&there, "%s%s (", i ? ", " : "", all->list[i].name);
		weight_add_grouped(&there, all->list[i].samples);
		text_add(&there, " samples)");
	}
	if (wanted)
		err = error_new(ERROR_USAGE, "there is no capture '%s' in '%s'", wanted,
				profile->operand);
	else
		err = error_new(ERROR_USAGE, "'%s' holds %zu captures, which one?",
				profile->operand, all->nr);
	return error_hint(err, "--capture=<name> or --capture=all; there is: %s",
			  text_string(&there));
}

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

	return selection->from.is_set || selection->to.is_set || needs_cpu(options, profile) ||
	       needs_addresses(options, profile);
}

static uint64_t moment_ns(const struct moment *moment, uint64_t start_ns, uint64_t otherwise)
{
	uint64_t ns = moment->ns;

	if (!moment->is_set)
		return otherwise;
	if (moment->is_relative && __builtin_add_overflow(ns, start_ns, &ns))
		return UINT64_MAX;
	return ns;
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
		.from_ns = moment_ns(&selection->from, capture->start_ns, 0),
		.to_ns = moment_ns(&selection->to, capture->start_ns, UINT64_MAX),
	};
	struct replay_count count;
	struct error *err = store_replay(store, capture, &replay, &profile->capture,
					 &profile->select.sink, &count);

	if (!err)
		profile->select.count.left_out[SELECT_TIME] += count.left_out;
	return err;
}

static struct error *replay(const struct profile_options *options, struct profile *profile,
			    struct store *store, const struct store_captures *all)
{
	size_t first, nr;
	struct error *err = choose_captures(profile, options->capture, all, &first, &nr);

	if (err)
		return err;
	if (nr > 1 && (profile->selection.from.is_set || profile->selection.to.is_set))
		return error_new(ERROR_USAGE,
				 "a range needs one capture: each of them has a clock of its own");
	profile->importer = importers_find(all->list[first].format);
	profile->capture.format = profile->importer ? profile->importer->name : "unknown";
	if (!options->by && profile->importer)
		profile->tally.options.by = profile->importer->default_by;
	for (size_t i = 0; !err && i < nr; i++)
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
	if (strcmp(ret->operand, "-") != 0 && store_is_sqlite_file(ret->operand))
		err = read_store(options, ret, sink);
	else
		err = read_capture(options, ret, sink);
	if (!err && options->strict)
		err = reading_check(ret->operand, &ret->capture);
	return err;
}

/* ---- what was read */

static void add_events(const struct capture *capture, uint32_t but, struct text *text)
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

static void add_comms(const struct capture *capture, struct text *text)
{
	unsigned char *is_listed = mem_zalloc(capture->names.nr, 1);
	uint32_t listed = 0;

	for (uint32_t i = 0; i < capture->tasks.nr && listed < LISTED_MAX; i++) {
		uint32_t comm = capture->tasks.list[i].comm;

		if (comm == NAME_NONE || is_listed[comm])
			continue;
		is_listed[comm] = 1;
		text_addf(text, "%s%s", listed++ ? ", " : "", names_display(&capture->names, comm));
	}
	free(is_listed);
}

/* The selections that left samples out, with their numbers. */
static void add_left_out(const struct profile *profile, struct text *text)
{
	for (int i = 0; i < SELECT_REASON_NR; i++) {
		if (!profile->select.count.left_out[i])
			continue;
		text_addf(text, "%s%s ", text->size ? ", " : "", select_reason_word(i));
		weight_add(text, profile->select.count.left_out[i]);
	}
	for (int i = 0; i < PATH_REASON_NR; i++) {
		if (!profile->paths.left_out[i])
			continue;
		text_addf(text, "%s%s ", text->size ? ", " : "", paths_reason_word(i));
		weight_add(text, profile->paths.left_out[i]);
	}
}

static bool has_pids(const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->tasks.nr; i++)
		if (capture->tasks.list[i].pid != TASK_ID_NONE)
			return true;
	return false;
}

/* Of a capture with several events all but one are left out anyhow. */
static bool is_left_out_by_event_alone(const struct profile *profile)
{
	for (int i = 0; i < SELECT_REASON_NR; i++)
		if (i != SELECT_EVENT && profile->select.count.left_out[i])
			return false;
	for (int i = 0; i < PATH_REASON_NR; i++)
		if (profile->paths.left_out[i])
			return false;
	return true;
}

/* What could have been selected instead. */
static void add_what_there_is(const struct profile *profile, struct text *text)
{
	const struct capture *capture = &profile->capture;
	const weight *left_out = profile->select.count.left_out;

	if (is_left_out_by_event_alone(profile)) {
		add_events(capture, EVENT_NONE, text);
	} else if (left_out[SELECT_TIME] && !capture->has_times) {
		text_add(text, "samples without times");
	} else if (left_out[SELECT_TIME]) {
		text_add(text, "time from ");
		units_add_seconds(text, capture->start_ns);
		text_add(text, " to ");
		units_add_seconds(text, capture->end_ns);
	} else if (left_out[SELECT_PID] && !has_pids(capture)) {
		text_add(text, "thread ids alone (--tid), the text has no process ids");
	} else {
		add_comms(capture, text);
	}
}

/* Nothing is left to be shown: says which selection did it, and what there is. */
struct error *profile_empty_selection(const struct profile *profile)
{
	CLEANUP(text_release) struct text why = TEXT_INIT;
	CLEANUP(text_release) struct text there = TEXT_INIT;
	struct error *err;

	add_left_out(profile, &why);
	if (!why.size)
		return error_new(ERROR_INPUT, "'%s' holds no sample", profile->operand);
	err = error_new(ERROR_INPUT, "no sample of '%s' is selected; left out by %s",
			profile->operand, text_string(&why));
	add_what_there_is(profile, &there);
	return there.size ? error_hint(err, "there is: %s", text_string(&there)) : err;
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
	add_events(capture, EVENT_NONE, &there);
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
		add_events(capture, profile->event, &text);
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
	return symbols_name(&options->symbols, profile->operand,
			    (options->inlined ? SYMBOLS_UNINLINED : 0) |
				    (options->quiet ? SYMBOLS_QUIET : 0),
			    &profile->capture);
}

static struct error *load(const struct profile_options *options, int argc, char **argv,
			  struct profile *profile)
{
	struct naming_options naming;
	struct error *err = take_naming(options, &naming);
	const struct event *event;

	if (!err)
		err = take_filter(&profile->filter, options);
	if (err)
		return err;
	tally_init(&profile->tally, &profile->capture,
		   &(struct tally_options){
			   .by = (enum tally_by)(options->by ? options->by - 1 : 0),
			   .keeps_address = naming.unknown == NAMING_UNKNOWN_ADDRESS ||
					    naming.flags & NAMING_SOURCE_LINES,
			   .keeps_idle = options->no_idle,
		   });
	err = profile_read(options, argc, argv, profile, &profile->tally.sink);
	if (!err)
		err = resolve_event(profile);
	if (err)
		return err;
	err = profile_name(profile, options);
	if (err)
		return err;
	drop_other_events(profile);
	event = &profile->capture.events.list[profile->event];
	profile->counts_samples = options->weight == PROFILE_WEIGHT_SAMPLES || !event->has_periods;
	naming_init(&profile->naming, &profile->capture, &naming);
	paths_build(&profile->paths, &profile->tally, &profile->naming, profile->event,
		    &profile->filter);
	if (!profile->paths.nr)
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
	if (!err && !options->quiet)
		tell(ret);
	return err;
}

static void free_regexes(regex_t *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		regfree(&list[i]);
	free(list);
}

void profile_release(struct profile *profile)
{
	struct path_filter *filter = &profile->filter;

	paths_release(&profile->paths);
	naming_release(&profile->naming);
	tally_release(&profile->tally);
	select_release(&profile->select);
	capture_release(&profile->capture);
	free_regexes(filter->focus, filter->focus_nr);
	free_regexes(filter->ignore, filter->ignore_nr);
	free_regexes(filter->hide, filter->hide_nr);
	free_regexes(filter->show, filter->show_nr);
	free(profile->operand);
}
