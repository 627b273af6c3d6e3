/* samples.c - tephra samples: one sample a line, on any machine */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/reading.h"
#include "commands/rows.h"
#include "model/details.h"
#include "model/fields.h"

struct samples_options {
	struct profile_options profile;
	const char *output;
	int64_t limit;
	int format;
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct samples_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_NUMBER('n', "limit", struct samples_options, limit, "<rows>", 1, INT64_MAX,
		      "so many samples (all)"),
	OPTION_CHOICE(0, "format", struct samples_options, format, "table|csv|json",
		      rows_format_words, "form of the output; json is one object a line"),
	PROFILE_READ_OPTIONS(struct samples_options),
	SYMBOLS_FOLDER_OPTIONS(struct samples_options, profile.symbols),
	OPTION_TEXTS(0, "accept-mismatch", struct samples_options, profile.symbols.accepted,
		     "<module>",
		     "unwind through this module by a file that is not the one that ran"),
	OPTION_CHOICE(0, "symbols", struct samples_options, profile.symbols.from, "auto|given|no",
		      symbols_from_words,
		      "unwind by what this machine has, by given files alone, or not at all"),
	OPTION_NUMBER(0, "jobs", struct samples_options, profile.symbols.jobs, "<n>", 0, 64,
		      "threads that unwind; 0: one per CPU"),
	OPTION_END,
};

/* A sink that writes each sample as it comes: nothing is kept. */
struct writer {
	struct sink sink;
	const struct profile *profile;
	const struct samples_options *options;
	FILE *out;
	int64_t written;
	struct text text; /* room for one field */
};

static const struct capture *capture_of(const struct writer *writer)
{
	return &writer->profile->capture;
}

/* ---- fields */

static const char *comm_of(const struct writer *writer, const struct sample *sample)
{
	const struct capture *capture = capture_of(writer);
	uint32_t comm;

	if (sample->task == TASK_NONE)
		return "";
	comm = capture->tasks.list[sample->task].comm;
	return comm == NAME_NONE ? "" : names_display(&capture->names, comm);
}

static const char *event_of(const struct writer *writer, const struct sample *sample)
{
	const struct capture *capture = capture_of(writer);
	uint32_t name = capture->events.list[sample->event].name;

	return name == NAME_NONE ? "" : names_display(&capture->names, name);
}

/* The sample's frames, 0 the leaf; LOCATION_NONE behind the last. */
static uint32_t frame_of(const struct writer *writer, const struct sample *sample, uint32_t depth)
{
	const struct stacks *stacks = &capture_of(writer)->stacks;
	uint32_t nr = stacks_depth(stacks, sample->callers);

	if (sample->leaf == LOCATION_NONE)
		return LOCATION_NONE;
	if (!depth)
		return sample->leaf;
	return depth > nr ? LOCATION_NONE : stacks_ids(stacks, sample->callers)[nr - depth];
}

static const char *module_path(const struct writer *writer, const struct location *location)
{
	const struct capture *capture = capture_of(writer);

	if (location->module == MODULE_NONE)
		return "[unknown]";
	return names_display(&capture->names, capture->modules.list[location->module].path);
}

static const char *module_base(const struct writer *writer, const struct location *location)
{
	const struct capture *capture = capture_of(writer);

	if (location->module == MODULE_NONE)
		return "unknown";
	return names_display(&capture->names, capture->modules.list[location->module].basename);
}

/*
 * What a place turned out to be, in a profile that was named: its functions, at 0 the innermost. A
 * place without any is its own. NULL behind the last.
 */
static const struct location *function_of(const struct writer *writer, uint32_t place, uint32_t at)
{
	const struct capture *capture = capture_of(writer);
	uint32_t nr;
	const struct frame *frames = frames_of(&capture->frames, place, &nr);

	if (!nr)
		return at ? NULL : locations_get(&capture->locations, place);
	return at < nr ? locations_get(&capture->locations, frames[nr - 1 - at].function) : NULL;
}

/* ---- JSON: one object a line */

/* Where the name is doubted, or missing since the file is another. */
static void write_json_status(const struct writer *writer, const struct location *place,
			      struct json *json)
{
	const struct capture *capture = capture_of(writer);
	enum module_status status;

	if (place->module == MODULE_NONE)
		return;
	status = capture->modules.list[place->module].status;
	if (status == MODULE_UNVERIFIED || status == MODULE_FORCED ||
	    status == MODULE_CONTRADICTED || status == MODULE_MISMATCH)
		json_member_string(json, "status", module_status_word(status));
}

/* What frame `depth` was found by; FOUND_BY_NR where the input does not say. */
static enum found_by found_by_of(const struct writer *writer, const struct sample *sample,
				 uint32_t depth)
{
	const struct unwindings *unwindings = &capture_of(writer)->unwindings;

	if (!(sample->flags & SAMPLE_HAS_UNWINDING))
		return walked_found_by(capture_of(writer), sample->event,
				       frame_of(writer, sample, depth), depth == 0);
	if (depth >= unwindings->list[sample->unwinding].nr)
		return FOUND_BY_NR;
	return found_by_of_letter(unwindings_found(
		unwindings, sample->unwinding)[unwindings->list[sample->unwinding].nr - 1 - depth]);
}

static void write_json_frame(const struct writer *writer, const struct location *place,
			     const struct location *location, enum found_by found,
			     bool lacks_caller, struct json *json)
{
	const struct capture *capture = capture_of(writer);

	json_begin_object(json);
	json_member_string(json, "module", module_path(writer, place));
	json_key(json, "address");
	if (place->flags & LOCATION_HAS_ADDRESS)
		json_u64(json, place->address);
	else
		json_null(json);
	json_key(json, "name");
	if (location->name == NAME_NONE)
		json_null(json);
	else
		json_string(json, names_display(&capture->names, location->name));
	if (location->line != NAME_NONE) {
		json_member_string(json, "line", names_display(&capture->names, location->line));
	}
	if (location->flags & LOCATION_INLINED) {
		json_key(json, "inlined");
		json_bool(json, true);
	}
	if (found != FOUND_BY_NR)
		json_member_string(json, "found_by", found_by_word(found));
	if (lacks_caller) {
		json_key(json, "lacks_caller");
		json_bool(json, true);
	}
	write_json_status(writer, place, json);
	json_end_object(json);
}

static void write_json_stack(const struct writer *writer, const struct sample *sample,
			     struct json *json)
{
	const struct event *event = &capture_of(writer)->events.list[sample->event];
	bool is_by_fp = event->walked_by == WALKED_FRAME_POINTERS;
	const struct location *function;
	uint32_t place;

	json_key(json, "stack");
	json_begin_array(json);
	for (uint32_t i = 0; (place = frame_of(writer, sample, i)) != LOCATION_NONE; i++)
		for (uint32_t j = 0; (function = function_of(writer, place, j)); j++)
			write_json_frame(writer,
					 locations_get(&capture_of(writer)->locations, place),
					 function, found_by_of(writer, sample, i),
					 is_by_fp && function->flags & LOCATION_LACKS_CALLER, json);
	json_end_array(json);
}

static void write_json_id(struct json *json, const char *key, int64_t id, int64_t none)
{
	json_key(json, key);
	if (id == none)
		json_null(json);
	else
		json_i64(json, id);
}

/* "1,2,3" as an array */
static void write_numbers(struct json *json, const char *list)
{
	json_begin_array(json);
	while (*list) {
		size_t size = strcspn(list, ",");
		char *number = mem_memdup(list, size + 1);

		number[size] = '\0';
		json_number(json, number);
		free(number);
		list += size + (list[size] == ',');
	}
	json_end_array(json);
}

/* A name that two fields have is written once, with the first of them. */
static void write_json_fields(const struct sample *sample, struct json *json)
{
	const struct fields *fields = sample->fields;

	if (!fields)
		return;
	json_key(json, "fields");
	json_begin_object(json);
	for (size_t i = 0; i < fields->nr; i++) {
		const struct field *field = &fields->list[i];
		CLEANUP(text_release) struct text clean = TEXT_INIT;

		if (fields_find(fields, field->name) != field)
			continue;
		json_key(json, field->name);
		utf8_add_clean(&clean, fields->text.bytes + field->text_begin, field->text_size);
		if (field->kind == FIELD_UNSIGNED)
			json_u64(json, field->number);
		else if (field->kind == FIELD_SIGNED)
			json_i64(json, (int64_t)field->number);
		else if (field->kind == FIELD_TEXT)
			json_string(json, text_string(&clean));
		else
			write_numbers(json, text_string(&clean));
	}
	json_end_object(json);
}

static void write_json_details(const struct writer *writer, const struct sample *sample,
			       struct json *json)
{
	const struct details *details = sample->details;

	for (int i = 0; details && i < DETAIL_NR; i++)
		if (details->has >> i & 1)
			json_member_u64(json, details_key(i), details->values[i]);
	if (details && details->cgroup_path != NAME_NONE)
		json_member_string(json, "cgroup_path",
				   names_display(&capture_of(writer)->names, details->cgroup_path));
}

static void write_json(const struct writer *writer, const struct sample *sample)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct capture *capture = capture_of(writer);
	const struct task *task =
		sample->task == TASK_NONE ? &nobody : &capture->tasks.list[sample->task];
	struct json json = {.out = writer->out, .is_one_line = true};

	json_begin_object(&json);
	json_key(&json, "time_ns");
	if (sample->flags & SAMPLE_HAS_TIME)
		json_u64(&json, sample->time_ns);
	else
		json_null(&json);
	json_member_string(&json, "comm", comm_of(writer, sample));
	write_json_id(&json, "pid", task->pid, TASK_ID_NONE);
	write_json_id(&json, "tid", task->tid, TASK_ID_NONE);
	write_json_id(&json, "cpu", sample->cpu, CPU_NONE);
	json_member_string(&json, "event", event_of(writer, sample));
	json_member_weight(&json, "count", sample->count);
	json_member_weight(&json, "period", sample->period);
	write_json_details(writer, sample, &json);
	write_json_fields(sample, &json);
	if (sample->flags & SAMPLE_HAS_UNWINDING)
		json_member_string(
			&json, "unwind_stop",
			unwind_stop_word(capture->unwindings.list[sample->unwinding].stop));
	write_json_stack(writer, sample, &json);
	json_end_object(&json);
	json_finish(&json);
}

/* ---- table and CSV */

/* "name (module+0x12)"; of what is inlined at a place, in front of it, "name (inlined)" */
static void add_frame(const struct writer *writer, const struct location *place,
		      const struct location *location, struct text *text)
{
	const struct capture *capture = capture_of(writer);

	if (location->name != NAME_NONE)
		text_addf(text, "%s (", names_display(&capture->names, location->name));
	if (location != place && location->flags & LOCATION_INLINED) {
		text_add(text, location->name == NAME_NONE ? "(inlined)" : "inlined)");
		return;
	}
	text_add(text, module_base(writer, place));
	if (place->flags & LOCATION_HAS_ADDRESS)
		text_addf(text, "+0x%" PRIx64, place->address);
	if (location->name != NAME_NONE)
		text_add_char(text, ')');
}

/* All frames, leaf first, joined by "; " */
static void add_stack(const struct writer *writer, const struct sample *sample, struct text *text)
{
	const struct locations *locations = &capture_of(writer)->locations;
	const struct location *function;
	uint32_t place;

	for (uint32_t i = 0; (place = frame_of(writer, sample, i)) != LOCATION_NONE; i++)
		for (uint32_t j = 0; (function = function_of(writer, place, j)); j++) {
			text_add(text, i || j ? "; " : "");
			add_frame(writer, locations_get(locations, place), function, text);
		}
}

static void add_number(struct text *text, int64_t number, int64_t none)
{
	if (number != none)
		text_addf(text, "%" PRId64, number);
}

/* "name=value name=value" */
static void add_fields(const struct fields *fields, struct text *text)
{
	for (size_t i = 0; fields && i < fields->nr; i++) {
		const struct field *field = &fields->list[i];

		text_addf(text, "%s%s=", i ? " " : "", field->name);
		if (field->kind == FIELD_UNSIGNED)
			text_addf(text, "%" PRIu64, field->number);
		else if (field->kind == FIELD_SIGNED)
			text_addf(text, "%" PRId64, (int64_t)field->number);
		else
			utf8_add_clean(text, fields->text.bytes + field->text_begin,
				       field->text_size);
	}
}

static void end_field(struct writer *writer, bool is_last)
{
	if (writer->options->format == ROWS_CSV)
		rows_write_csv_field(writer->out, text_string(&writer->text));
	else
		fputs(writer->text.size ? text_string(&writer->text) : "-", writer->out);
	fputs(is_last ? "\n" : writer->options->format == ROWS_CSV ? "," : "\t", writer->out);
	text_clear(&writer->text);
}

static void write_row(struct writer *writer, const struct sample *sample)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct capture *capture = capture_of(writer);
	const struct task *task =
		sample->task == TASK_NONE ? &nobody : &capture->tasks.list[sample->task];
	struct text *text = &writer->text;

	if (sample->flags & SAMPLE_HAS_TIME)
		units_add_seconds(text, sample->time_ns);
	end_field(writer, false);
	text_add(text, comm_of(writer, sample));
	end_field(writer, false);
	add_number(text, task->pid, TASK_ID_NONE);
	end_field(writer, false);
	add_number(text, task->tid, TASK_ID_NONE);
	end_field(writer, false);
	add_number(text, sample->cpu, CPU_NONE);
	end_field(writer, false);
	text_add(text, event_of(writer, sample));
	end_field(writer, false);
	weight_add(text, sample->count);
	end_field(writer, false);
	weight_add(text, sample->period);
	end_field(writer, false);
	add_fields(sample->fields, text);
	end_field(writer, false);
	add_stack(writer, sample, text);
	end_field(writer, true);
}

static void write_head(const struct writer *writer)
{
	static const char *const words[] = {"time",  "comm",  "pid",	"tid",	  "cpu",
					    "event", "count", "period", "fields", "stack"};

	if (writer->options->format == ROWS_JSON)
		return;
	for (size_t i = 0; i < ARRAY_NR(words); i++)
		fprintf(writer->out, "%s%s", words[i],
			i + 1 == ARRAY_NR(words)	      ? "\n"
			: writer->options->format == ROWS_CSV ? ","
							      : "\t");
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct writer *writer = (struct writer *)sink;

	if (writer->options->limit && writer->written >= writer->options->limit)
		return NULL;
	/* an input that is refused leaves nothing on standard output */
	if (!writer->written)
		write_head(writer);
	writer->written++;
	if (writer->options->format == ROWS_JSON)
		write_json(writer, sample);
	else
		write_row(writer, sample);
	/* a full disk is told at once, not after the whole capture */
	return ferror(writer->out) ? error_os("cannot write the samples") : NULL;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct samples_options *options = options_of;
	CLEANUP(profile_release)
	struct profile profile = {.selection = {.all_events = true}, .needs_samples = true};
	struct writer writer = {
		.sink = {.sample = on_sample}, .profile = &profile, .options = options};
	struct output output;
	struct error *err = output_open(options->output, &output);

	(void)ret_status;
	if (err)
		return err;
	writer.out = output.file;
	profile.capture.wants_fields = true;
	err = profile_read(&options->profile, argc, argv, &profile, &writer.sink);
	if (!err && !writer.written)
		err = profile_empty_selection(&profile);
	text_release(&writer.text);
	if (err) {
		output_abort(&output);
		return err;
	}
	if (!options->profile.quiet)
		reading_tell_notes(profile.operand, &profile.capture);
	return output_commit(&output);
}

const struct command command_samples = {
	.name = "samples",
	.args = "[<capture>]",
	.summary = "print each sample, one a line",
	.options = options_table,
	.size = sizeof(struct samples_options),
	.run = run,
};
