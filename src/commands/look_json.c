/* look_json.c - tephra look for programs */
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/audit_rows.h"
#include "commands/json.h"
#include "commands/look_facts.h"

/* Equal parts of the time. */
#define PARTS 40

static void member_share(struct json *json, const char *key, double share)
{
	json_key(json, key);
	json_share(json, share);
}

static void write_recording(const struct look *look, struct json *json)
{
	const struct capture *capture = &look->profile.capture;
	const struct recording_event *event = &look->recording.events[look->profile.event];
	CLEANUP(text_release) struct text date = TEXT_INIT, file = TEXT_INIT;

	utf8_add_clean(&file, look->profile.operand, strlen(look->profile.operand));
	json_member_string(json, "file", text_string(&file));
	json_member_string(json, "format", capture->format);
	json_member_words(json, "program", look->recording.program);
	json_member_words(json, "host", facts_find(&capture->facts, "hostname"));
	look_add_date(look, &date);
	json_member_words(json, "recorded", text_string(&date));
	json_member_string(json, "event", profile_event_name(&look->profile));
	json_member_string(json, "unit", profile_unit(&look->profile));
	json_key(json, "frequency_hz");
	if (event->is_known && event->is_frequency)
		json_u64(json, event->rate);
	else
		json_null(json);
	json_member_string(json, "scope", recording_scope_text(look->recording.scope));
	json_member_weight(json, "samples", look->profile.paths.count);
	json_member_weight(json, "total", look->top.total);
	json_key(json, "seconds");
	if (look->summary.has_times)
		json_share(json, look->seconds);
	else
		json_null(json);
	json_member_u64(json, "lost", capture->lost);
	json_member_u64(json, "lost_samples", capture->lost_samples);
	member_share(json, "unnamed",
		     weight_share(summary_unnamed(&look->summary), look->summary.samples));
}

static void write_process(const struct look *look, const struct activity_process *process,
			  struct json *json)
{
	const struct capture *capture = &look->profile.capture;
	uint32_t comm = capture->tasks.list[process->task].comm;
	double parts[PARTS];

	json_begin_object(json);
	json_member_words(json, "comm",
			  comm == NAME_NONE ? NULL : names_display(&capture->names, comm));
	json_key(json, "pid");
	if (process->pid == TASK_ID_NONE)
		json_null(json);
	else
		json_i64(json, process->pid);
	json_member_weight(json, "value", process->weight);
	json_key(json, "parts");
	json_begin_array(json);
	if (look->activity.has_times) {
		activity_parts(&look->activity, process, parts, PARTS);
		for (size_t i = 0; i < PARTS; i++)
			json_share(json, parts[i]);
	}
	json_end_array(json);
	json_end_object(json);
}

static void write_function(const struct look *look, size_t row, struct json *json)
{
	json_begin_object(json);
	json_member_string(json, "name", look_function(look, row));
	json_member_weight(json, "self", look->top.rows[row].self);
	json_member_weight(json, "value", look->top.rows[row].total);
	json_end_object(json);
}

static void write_functions(const struct look *look, struct json *json)
{
	json_key(json, "self_functions");
	json_begin_array(json);
	for (size_t i = 0; i < look->top.nr && i < LOOK_FUNCTIONS; i++)
		if (look->top.rows[i].self)
			write_function(look, i, json);
	json_end_array(json);
	json_key(json, "inclusive_functions");
	json_begin_array(json);
	for (size_t i = 0; i < look->notable_nr; i++)
		write_function(look, look->notable[i], json);
	json_end_array(json);
}

static void write_kinds(const struct look *look, struct json *json)
{
	enum kind kinds[KIND_NR];
	size_t nr = kinds_sorted(&look->kinds, kinds);

	json_key(json, "kinds");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++) {
		json_begin_object(json);
		json_member_string(json, "kind", kind_word(kinds[i]));
		json_member_weight(json, "value", look->kinds.by_kind[kinds[i]]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_next(const struct look *look, struct json *json)
{
	CLEANUP(text_release) struct text clean = TEXT_INIT;

	utf8_add_clean(&clean, text_string(&look->picture), look->picture.size);
	json_member_words(json, "picture", text_string(&clean));
	json_member_words(json, "no_picture", text_string(&look->no_picture));
	json_key(json, "next");
	json_begin_array(json);
	for (size_t i = 0; i < LOOK_NEXT && look->next[i].size; i++) {
		text_clear(&clean);
		utf8_add_clean(&clean, look->next[i].bytes, look->next[i].size);
		json_string(json, text_string(&clean));
	}
	json_end_array(json);
}

void look_write_json(const struct look *look, FILE *out)
{
	struct json json = {.out = out};

	json_begin_object(&json);
	write_recording(look, &json);
	json_key(&json, "processes");
	json_begin_array(&json);
	for (uint32_t i = 0; i < look->activity.nr; i++)
		write_process(look, look->activity.list[i], &json);
	json_end_array(&json);
	write_functions(look, &json);
	write_kinds(look, &json);
	look_queue_write_json(&look->queue, &json);
	audit_rows_write_json(&look->audit, &json);
	write_next(look, &json);
	json_end_object(&json);
	json_finish(&json);
}
