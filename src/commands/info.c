/* info.c - tephra info: what is in a capture, what was lost, what is odd */
#include <inttypes.h>

#include "analysis/audit.h"
#include "analysis/summary.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/audit_rows.h"
#include "commands/chain_rows.h"
#include "commands/clock_rows.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/loss_rows.h"
#include "commands/machine_facts.h"
#include "commands/module_rows.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "commands/series_rows.h"
#include "store/captures.h"
#include "store/store.h"

struct info_options {
	struct profile_options profile;
	const char *output;
	int format;
	bool modules, series;
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct info_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct info_options, format, "table|csv|json", rows_format_words,
		      "form of the output"),
	OPTION_FLAG(0, "modules", struct info_options, modules,
		    "the modules alone: which file names each, and why"),
	OPTION_FLAG(0, "series", struct info_options, series,
		    "the counters alone: what each is, and how it is known"),
	PROFILE_READ_OPTIONS(struct info_options),
	SYMBOLS_OPTIONS(struct info_options, profile.symbols),
	OPTION_END,
};

static const struct info_options defaults = {.profile = {.wants_build = true}};

static const char *event_name(const struct capture *capture, uint32_t event)
{
	return events_display(&capture->events, &capture->names, event);
}

static const char *unit_word(const struct capture *capture, uint32_t event)
{
	switch (capture->events.list[event].unit) {
	case UNIT_NS:
		return "ns";
	case UNIT_SAMPLES:
		return "samples";
	case UNIT_EVENTS:
		break;
	}
	return event_name(capture, event);
}

/* ---- JSON */

/* A name that stands there more than once ("event") has an array of its values. */
static void write_meta(const struct facts *facts, struct json *json)
{
	unsigned char *is_done = mem_zalloc(facts->nr, 1);

	json_key(json, "meta");
	json_begin_object(json);
	for (size_t i = 0; i < facts->nr; i++) {
		size_t nr = 0;

		if (is_done[i])
			continue;
		for (size_t j = i; j < facts->nr; j++)
			nr += strcmp(facts->list[i].name, facts->list[j].name) == 0;
		json_key(json, facts->list[i].name);
		if (nr > 1)
			json_begin_array(json);
		for (size_t j = i; j < facts->nr; j++) {
			if (strcmp(facts->list[i].name, facts->list[j].name) != 0)
				continue;
			json_string(json, facts->list[j].value);
			is_done[j] = 1;
		}
		if (nr > 1)
			json_end_array(json);
	}
	json_end_object(json);
	free(is_done);
}

static void write_times(const struct summary *summary, struct json *json)
{
	json_key(json, "times");
	if (!summary->has_times) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_u64(json, "first_ns", summary->first_ns);
	json_member_u64(json, "last_ns", summary->last_ns);
	json_member_u64(json, "backwards", summary->backwards);
	json_end_object(json);
}

/* Paths of modules whose files here are others than those that ran. */
static void write_mismatches(const struct capture *capture, struct json *json)
{
	json_key(json, "build_id_mismatch");
	json_begin_array(json);
	for (uint32_t i = 0; i < capture->modules.nr; i++)
		if (capture->modules.list[i].status == MODULE_MISMATCH ||
		    capture->modules.list[i].status == MODULE_FORCED)
			json_string(json,
				    names_display(&capture->names, capture->modules.list[i].path));
	json_end_array(json);
}

/* The input ends before it says that it ends. */
static bool is_truncated(const struct notes *notes)
{
	return notes->list[NOTE_MISSING_BYTES].count || notes->list[NOTE_LOST_BYTES].count ||
	       notes->list[NOTE_DAMAGED_COMPRESSION].count;
}

static void write_stats(const struct profile *profile, const struct summary *summary,
			struct json *json)
{
	const struct capture *capture = &profile->capture;
	const char *arch = facts_find(&capture->facts, "arch");

	json_key(json, "stats");
	json_begin_object(json);
	json_member_weight(json, "samples", summary->samples);
	json_member_weight(json, "callchains", summary->callchains);
	json_member_weight(json, "without_chain", summary->without_chain);
	json_member_weight(json, "unnamed_leaf", summary_unnamed(summary));
	json_member_u64(json, "lost", capture->lost);
	json_member_u64(json, "lost_samples", capture->lost_samples);
	json_member_u64(json, "records", capture->records);
	json_key(json, "truncated");
	json_bool(json, is_truncated(&capture->notes));
	json_key(json, "unfinished");
	json_bool(json, capture->notes.list[NOTE_KILLED].count != 0);
	json_member_u64(json, "unknown_records", capture->notes.list[NOTE_UNKNOWN_RECORD].count);
	json_member_u64(json, "threads", capture->tasks.nr);
	json_member_u64(json, "stacks", stacks_distinct(&capture->stacks));
	json_member_string(json, "event", event_name(capture, capture->first_event));
	write_mismatches(capture, json);
	json_key(json, "arch");
	if (arch)
		json_string(json, arch);
	else
		json_null(json);
	json_end_object(json);
}

static void write_events(const struct capture *capture, const struct summary *summary,
			 struct json *json)
{
	json_key(json, "events");
	json_begin_array(json);
	for (uint32_t i = 0; i < capture->events.nr; i++) {
		json_begin_object(json);
		json_member_string(json, "name", event_name(capture, i));
		json_member_weight(json, "samples", summary_event(summary, i).samples);
		json_key(json, "period");
		if (capture->events.list[i].has_periods)
			json_weight(json, summary_event(summary, i).period);
		else
			json_null(json);
		json_member_string(json, "unit", unit_word(capture, i));
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_record_types(const struct counts *types, struct json *json)
{
	json_key(json, "record_types");
	json_begin_object(json);
	for (size_t i = 0; i < types->nr; i++) {
		json_member_u64(json, types->list[i].word, types->list[i].nr);
	}
	json_end_object(json);
}

static void write_notes(const struct notes *notes, struct json *json)
{
	json_key(json, "notes");
	json_begin_array(json);
	for (int i = 0; i < NOTE_NR; i++) {
		if (!notes->list[i].count)
			continue;
		json_begin_object(json);
		json_member_string(json, "code", notes_word(i));
		json_member_u64(json, "count", notes->list[i].count);
		json_member_u64(json, "first_line", notes->list[i].first_line);
		json_member_u64(json, "first_byte", notes->list[i].first_byte);
		json_member_string(json, "text", notes_text(i, notes->list[i].count));
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_audit(const struct capture *capture, const struct summary *summary,
			struct json *json)
{
	CLEANUP(audit_release) struct audit audit = {0};

	audit_run(capture, summary, &audit);
	audit_rows_write_json(&audit, json);
}

static void write_json(const struct profile *profile, const struct summary *summary, FILE *out)
{
	struct json json = {.out = out};

	json_begin_object(&json);
	json_member_string(&json, "format", profile->capture.format);
	write_meta(&profile->capture.facts, &json);
	write_times(summary, &json);
	clock_rows_write_json(&profile->capture, &json);
	write_stats(profile, summary, &json);
	write_events(&profile->capture, summary, &json);
	loss_rows_write_json(&profile->capture, &json);
	chain_rows_write_json(summary, &json);
	write_record_types(&profile->capture.record_types, &json);
	module_rows_write_json(&profile->capture, summary, NULL, &json);
	write_notes(&profile->capture.notes, &json);
	write_audit(&profile->capture, summary, &json);
	json_end_object(&json);
	json_finish(&json);
}

/* ---- table and CSV: three columns */

static const struct rows_column columns[] = {
	{.key = "about", .head = "about"},
	{.key = "what", .head = "what"},
	{.key = "value", .head = "value"},
};

static void add_row(struct rows *rows, const char *about, const char *what, struct text *value)
{
	rows_add(rows, about);
	rows_add(rows, what);
	rows_add(rows, text_string(value));
	text_clear(value);
}

static void add_count(struct rows *rows, const char *about, const char *what, weight count)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	weight_add_grouped(&value, count);
	add_row(rows, about, what, &value);
}

static void add_events(struct rows *rows, const struct capture *capture,
		       const struct summary *summary)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	for (uint32_t i = 0; i < capture->events.nr; i++) {
		const struct event *event = &capture->events.list[i];

		weight_add_grouped(&value, summary_event(summary, i).samples);
		text_add(&value,
			 summary_event(summary, i).samples == WEIGHT_ONE ? " sample" : " samples");
		if (event->has_periods && event->unit == UNIT_NS) {
			text_add(&value, ", ");
			units_add_time(&value, summary_event(summary, i).period);
		} else if (event->has_periods) {
			text_add(&value, ", ");
			weight_add_grouped(&value, summary_event(summary, i).period);
			text_addf(&value, " %s", unit_word(capture, i));
		}
		add_row(rows, "event", event_name(capture, i), &value);
	}
}

static void add_times(struct rows *rows, const struct summary *summary)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	if (!summary->has_times)
		return;
	units_add_seconds(&value, summary->first_ns);
	add_row(rows, "time", "first sample", &value);
	units_add_seconds(&value, summary->last_ns);
	add_row(rows, "time", "last sample", &value);
	units_add_time(&value, weight_of(summary->last_ns - summary->first_ns));
	add_row(rows, "time", "between them", &value);
	if (summary->backwards)
		add_count(rows, "time", "steps backwards", weight_of(summary->backwards));
}

static void add_notes(struct rows *rows, const struct notes *notes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	for (int i = 0; i < NOTE_NR; i++) {
		const struct note *note = &notes->list[i];

		if (!note->count)
			continue;
		text_addf(&value, "%" PRIu64 " %s", note->count, notes_text(i, note->count));
		if (note->first_line)
			text_addf(&value, "; the first is line %" PRIu64, note->first_line);
		add_row(rows, "note", notes_word(i), &value);
	}
}

static void add_audit(struct rows *rows, const struct capture *capture,
		      const struct summary *summary)
{
	CLEANUP(audit_release) struct audit audit = {0};

	audit_run(capture, summary, &audit);
	audit_rows_add(&audit, rows);
}

static void add_all(struct rows *rows, const struct profile *profile, const struct summary *summary)
{
	const struct capture *capture = &profile->capture;
	CLEANUP(text_release) struct text value = TEXT_INIT;

	text_add(&value, capture->format);
	add_row(rows, "capture", "format", &value);
	add_count(rows, "samples", "all", summary->samples);
	add_count(rows, "samples", "with callers", summary->callchains);
	add_count(rows, "samples", "without a call chain", summary->without_chain);
	add_count(rows, "samples", "without a name at the leaf", summary_unnamed(summary));
	for (int i = 0; i < SELECT_REASON_NR; i++)
		if (profile->select.count.left_out[i])
			add_count(rows, "samples left out", select_reason_word(i),
				  profile->select.count.left_out[i]);
	add_events(rows, capture, summary);
	add_times(rows, summary);
	clock_rows_add(capture, rows);
	chain_rows_add(summary, rows);
	loss_rows_add(capture, summary, rows);
	add_count(rows, "other records", "all", weight_of(capture->records));
	add_count(rows, "distinct", "threads and names", weight_of(capture->tasks.nr));
	add_count(rows, "distinct", "modules", weight_of(capture->modules.nr));
	add_audit(rows, capture, summary);
	add_notes(rows, &capture->notes);
	for (size_t i = 0; i < capture->facts.nr; i++) {
		text_add(&value, capture->facts.list[i].value);
		add_row(rows, "recorded", capture->facts.list[i].name, &value);
	}
}

/* With --modules: these alone, the most samples first. */
static void write_modules(const struct info_options *options, const struct profile *profile,
			  const struct summary *summary, FILE *out)
{
	const struct capture *capture = &profile->capture;
	uint32_t *order = module_rows_sorted(capture, summary);
	struct json json = {.out = out};

	if (options->format == ROWS_JSON) {
		json_begin_object(&json);
		module_rows_write_json(capture, summary, order, &json);
		json_end_object(&json);
		json_finish(&json);
	} else if (options->format == ROWS_CSV) {
		module_rows_write_csv(capture, summary, order, out);
	} else {
		module_rows_write_table(capture, summary, order, out);
	}
	free(order);
}

static struct error *write_info(const struct info_options *options, const struct profile *profile,
				const struct summary *summary)
{
	CLEANUP(rows_release) struct rows rows = {0};
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	rows_init(&rows, columns, ARRAY_NR(columns));
	if (options->modules) {
		write_modules(options, profile, summary, output.file);
	} else if (options->format == ROWS_JSON) {
		write_json(profile, summary, output.file);
	} else {
		add_all(&rows, profile, summary);
		if (options->format == ROWS_CSV)
			rows_write_csv(&rows, output.file);
		else
			rows_write_table(&rows, output.file);
	}
	return output_commit(&output);
}

/* ---- a profile of several captures: what there is */

static const struct rows_column capture_columns[] = {
	{.key = "name", .head = "capture"},
	{.key = "format", .head = "format"},
	{.key = "samples", .head = "samples", .is_number = true},
	{.key = "start_ns", .head = "from", .is_for_programs = true},
	{.key = "end_ns", .head = "to", .is_for_programs = true},
	{.key = "clock", .head = "clock"},
	{.key = "duration", .head = "duration", .is_for_people = true},
	{.key = "lost", .head = "lost", .is_number = true},
	{.key = "lost_samples", .head = "lost samples", .is_number = true},
	{.key = "size_bytes", .head = "bytes", .is_number = true},
	{.key = "sha256", .head = "SHA-256 of the file"},
};

static void add_u64(struct rows *rows, uint64_t number, bool is_known)
{
	if (is_known)
		rows_add_weight(rows, weight_of(number));
	else
		rows_add(rows, "");
}

static void add_capture(struct rows *rows, const struct store_capture *capture)
{
	CLEANUP(text_release) struct text duration = TEXT_INIT;

	rows_add(rows, capture->name);
	rows_add(rows, capture->format);
	rows_add_weight(rows, capture->samples);
	add_u64(rows, capture->start_ns, capture->has_times);
	add_u64(rows, capture->end_ns, capture->has_times);
	rows_add(rows, source_clock_word(capture->clock));
	if (capture->has_times)
		units_add_time(&duration, weight_of(capture->end_ns - capture->start_ns));
	rows_add(rows, text_string(&duration));
	add_u64(rows, capture->lost, true);
	add_u64(rows, capture->lost_samples, true);
	add_u64(rows, capture->size_bytes, true);
	rows_add(rows, capture->sha256);
}

static struct error *write_captures(const struct info_options *options,
				    const struct store_captures *captures)
{
	CLEANUP(rows_release) struct rows rows;
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	rows_init(&rows, capture_columns, ARRAY_NR(capture_columns));
	for (size_t i = 0; i < captures->nr; i++)
		add_capture(&rows, &captures->list[i]);
	rows_write(&rows, "captures", options->format, output.file);
	return output_commit(&output);
}

/* Where a profile holds several captures and none is named, the list of them is the answer. */
static struct error *list_captures(const struct info_options *options, const char *path,
				   bool *ret_done)
{
	struct store_captures captures = {0};
	struct store *store = NULL;
	struct error *err = store_open(path, &store);

	if (!err)
		err = store_captures(store, &captures);
	*ret_done = !err && captures.nr > 1;
	if (*ret_done)
		err = write_captures(options, &captures);
	store_captures_release(&captures);
	store_close(store);
	return err;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct info_options *options = options_of;
	CLEANUP(profile_release)
	struct profile profile = {.selection = {.all_events = true}, .needs_samples = true};
	CLEANUP(summary_release) struct summary summary = {0};
	struct error *err = NULL;
	bool is_done = false;

	(void)ret_status;
	if (options->series)
		return series_rows_run(&options->profile, argc, argv, options->output,
				       options->format);
	summary_init(&summary, &profile.capture);
	if (argc == 1 && !options->profile.capture && !options->modules &&
	    store_is_sqlite_file(argv[0]))
		err = list_captures(options, argv[0], &is_done);
	if (err || is_done)
		return err;
	err = profile_read(&options->profile, argc, argv, &profile, &summary.sink);
	/* a recording of counters or hardware traces has records, and that can be told */
	if (!err && !summary.events_nr &&
	    (profile.capture.has_first_event || !profile.capture.record_types.nr))
		err = profile_empty_selection(&profile);
	if (!err && !profile.is_stored)
		machine_facts_add(profile.operand, &profile.capture.facts);
	if (!err)
		err = profile_name(&profile, &options->profile);
	return err ? err : write_info(options, &profile, &summary);
}

const struct command command_info = {
	.name = "info",
	.args = "[<capture>]",
	.summary = "what is in a capture, what was lost, what is odd",
	.options = options_table,
	.size = sizeof(struct info_options),
	.defaults = &defaults,
	.run = run,
};
