/* profile.c - what every command that reads a capture does first: read, select, name */
#include "commands/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"

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

static struct error *choose_importer(const struct profile_options *options, struct reader *reader,
				     const struct importer **ret)
{
	struct error *err;

	if (!options->input_format)
		return importers_sniff(reader, ret);
	*ret = importers_find(options->input_format);
	if (!*ret)
		return error_new(ERROR_USAGE,
				 "--input-format takes perf-script or folded, not '%s'",
				 options->input_format);
	err = reader_fill(reader, 1);
	if (!err && reader->begin == reader->end)
		err = error_new(ERROR_INPUT, "'%s' is empty", reader->name);
	return err;
}

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

static struct error *check_damage(const struct profile *profile, const struct reader *reader,
				  bool is_strict)
{
	static const enum note_code damages[] = {NOTE_DAMAGED_COMPRESSION, NOTE_UNRECOGNISED_LINE,
						 NOTE_INVALID_COUNT, NOTE_ORPHAN_STACK};

	for (size_t i = 0; is_strict && i < ARRAY_NR(damages); i++) {
		const struct note *note = &profile->capture.notes.list[damages[i]];

		if (!note->count)
			continue;
		if (!note->first_line)
			return error_new(ERROR_INPUT,
					 "%s: byte 0x%" PRIx64 ": %" PRIu64 " %s (--strict)",
					 reader->name, note->first_byte, note->count,
					 notes_text(damages[i]));
		return error_new(ERROR_INPUT, "%s: line %" PRIu64 ": %" PRIu64 " %s (--strict)",
				 reader->name, note->first_line, note->count,
				 notes_text(damages[i]));
	}
	return NULL;
}

struct error *profile_read(const struct profile_options *options, int argc, char **argv,
			   struct profile *ret, struct sink *sink)
{
	struct reader *reader = NULL;
	struct error *err = take_operand(argc, argv, ret);

	if (!err)
		err = take_selection(ret, options);
	if (!err)
		err = reader_open(ret->operand, &reader);
	if (err)
		return err;
	reader->progress = progress_new(reader->name, !options->quiet);
	err = choose_importer(options, reader, &ret->importer);
	if (!err) {
		ret->capture.format = ret->importer->name;
		if (!options->by)
			ret->tally.options.by = ret->importer->default_by;
		select_init(&ret->select, &ret->capture, &ret->selection, sink);
		err = ret->importer->read(reader, &ret->capture, &ret->select.sink);
	}
	progress_free(reader->progress);
	if (!err && reader_damage(reader))
		notes_add(&ret->capture.notes, NOTE_DAMAGED_COMPRESSION, 1, 0,
			  reader_offset(reader, reader->buf + reader->end));
	if (!err)
		err = check_damage(ret, reader, options->strict);
	reader_close(reader);
	return err;
}

/* ---- what was read */

static const char *name_of_event(const struct capture *capture, uint32_t event)
{
	uint32_t name = capture->events.list[event].name;

	return name == NAME_NONE ? "samples" : names_display(&capture->names, name);
}

static void add_events(const struct capture *capture, uint32_t but, struct text *text)
{
	uint32_t listed = 0;

	for (uint32_t i = 0; i < capture->events.nr && listed < LISTED_MAX; i++) {
		if (i == but)
			continue;
		text_addf(text, "%s%s (", listed++ ? ", " : "", name_of_event(capture, i));
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
	const struct select *select = &profile->select;
	const weight *left_out = select->count.left_out;

	if (is_left_out_by_event_alone(profile)) {
		add_events(&profile->capture, EVENT_NONE, text);
	} else if (left_out[SELECT_TIME] && !select->has_times) {
		text_add(text, "samples without times");
	} else if (left_out[SELECT_TIME]) {
		text_add(text, "time from ");
		units_add_seconds(text, select->first_time_ns);
		text_add(text, " to ");
		units_add_seconds(text, select->last_time_ns);
	} else if (left_out[SELECT_PID] && !has_pids(&profile->capture)) {
		text_add(text, "thread ids alone (--tid), the text has no process ids");
	} else {
		add_comms(&profile->capture, text);
	}
}

/* Nothing is left to be shown: says which selection did it, and what there is. */
static struct error *empty_selection(const struct profile *profile)
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

	profile->event = profile->select.first_event;
	if (!capture->events.nr || profile->event == EVENT_NONE)
		return empty_selection(profile);
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
	for (uint32_t i = 0; i < profile->tally.nr; i++) {
		const struct tally_entry *entry = &profile->tally.list[i];

		if (entry->key.event == profile->event)
			continue;
		profile->select.count.passed -= entry->count;
		profile->select.count.left_out[SELECT_EVENT] += entry->count;
	}
}

static void tell_notes(const struct profile *profile)
{
	const struct notes *notes = &profile->capture.notes;

	for (int i = 0; i < NOTE_NR; i++) {
		const struct note *note = &notes->list[i];

		if (!note->count)
			continue;
		fprintf(stderr, "%s: note: %" PRIu64 " %s", profile->operand, note->count,
			notes_text(i));
		if (note->first_line)
			fprintf(stderr, "; the first is line %" PRIu64, note->first_line);
		fputc('\n', stderr);
	}
}

static void tell(const struct profile *profile)
{
	const struct capture *capture = &profile->capture;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	tell_notes(profile);
	if (!profile->selection.event && capture->events.nr > 1) {
		add_events(capture, profile->event, &text);
		fprintf(stderr, "%s: note: shown is %s; other events: %s; choose with --event\n",
			profile->operand, name_of_event(capture, profile->event),
			text_string(&text));
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
	drop_other_events(profile);
	event = &profile->capture.events.list[profile->event];
	profile->counts_samples = options->weight == PROFILE_WEIGHT_SAMPLES || !event->has_periods;
	naming_init(&profile->naming, &profile->capture, &naming);
	paths_build(&profile->paths, &profile->tally, &profile->naming, profile->event,
		    &profile->filter);
	if (!profile->paths.nr)
		return empty_selection(profile);
	return NULL;
}

struct error *profile_load(const struct profile_options *options, int argc, char **argv,
			   struct profile *ret)
{
	struct error *err;

	*ret = (struct profile){.event = EVENT_NONE};
	err = load(options, argc, argv, ret);
	if (err && !options->quiet && !options->strict)
		tell_notes(ret);
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

/* ---- words for what is shown */

const char *profile_event_name(const struct profile *profile)
{
	return name_of_event(&profile->capture, profile->event);
}

const char *profile_unit(const struct profile *profile)
{
	if (profile->counts_samples)
		return "samples";
	switch (profile->capture.events.list[profile->event].unit) {
	case UNIT_SAMPLES:
		return "samples";
	case UNIT_NS:
		return "ns";
	case UNIT_EVENTS:
		break;
	}
	return profile_event_name(profile);
}

void profile_add_weight(const struct profile *profile, struct text *text, weight w)
{
	const char *unit = profile_unit(profile);

	if (strcmp(unit, "ns") == 0) {
		units_add_time(text, w);
		return;
	}
	weight_add_grouped(text, w);
	text_addf(text, " %s", w == WEIGHT_ONE && strcmp(unit, "samples") == 0 ? "sample" : unit);
}

void profile_add_facts(const struct profile *profile, struct text *text)
{
	const struct capture *capture = &profile->capture;
	const struct paths *paths = &profile->paths;
	weight read = 0;

	for (uint32_t i = 0; i < capture->events.nr; i++)
		read += capture->events.list[i].samples;
	weight_add_grouped(text, paths->count);
	if (read != paths->count) {
		text_add(text, " of ");
		weight_add_grouped(text, read);
	}
	text_add(text, read == WEIGHT_ONE ? " sample" : " samples");
	for (int i = 0; i < SELECT_REASON_NR; i++) {
		if (!profile->select.count.left_out[i])
			continue;
		text_addf(text, "; %s left out ",
			  i == SELECT_EVENT && !profile->selection.event ? "other events"
									 : select_reason_word(i));
		weight_add_grouped(text, profile->select.count.left_out[i]);
	}
	for (int i = 0; i < PATH_REASON_NR; i++) {
		if (!paths->left_out[i])
			continue;
		text_addf(text, "; %s left out ", paths_reason_word(i));
		weight_add_grouped(text, paths->left_out[i]);
	}
	if (paths->without_chain) {
		text_add(text, "; without a call chain ");
		weight_add_grouped(text, paths->without_chain);
	}
	if (capture->lost)
		text_addf(text, "; events lost %" PRIu64, capture->lost);
	if (capture->lost_samples)
		text_addf(text, "; samples lost %" PRIu64, capture->lost_samples);
}
