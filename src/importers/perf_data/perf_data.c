/* perf_data.c - the files that `perf record` writes, of any age, machine and mode */
#include "importers/perf_data/perf_data.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/events.h"
#include "importers/perf_data/features.h"
#include "importers/perf_data/file.h"
#include "importers/perf_data/order.h"
#include "importers/perf_data/record_types.h"
#include "importers/perf_data/records.h"
#include "importers/perf_data/sample.h"
#include "importers/perf_data/threads.h"
#include "importers/perf_data/tracing.h"
#include "importers/perf_data/values.h"
#include "model/capture.h"
#include "model/fields.h"
#include "model/sink.h"

/* Files of a directory that are read. */
#define STREAMS_MAX 4096

/*
 * Samples are under way: read, their stacks looked for half of this later, said after all of
 * it. What each step needs from memory is fetched by the one before (measured: a third of the
 * time was waiting).
 */
#define AHEAD 16

struct pending {
	struct perf_record record; /* its chunk is held */
	uint32_t attr;
	uint32_t callers, leaf;
	struct perf_sample sample;
	struct perf_chain_hint hint;
};

struct perf_data {
	struct reader *reader;
	struct capture *capture;
	struct sink *sink;
	struct perf_file file;
	struct perf_events events;
	struct perf_threads threads;
	struct perf_chains chains;
	struct perf_values values;
	struct order order;
	uint64_t type_counts[PERF_RECORD_USER_TYPE * 2]; /* of types below it */
	struct perf_tracing *tracing; /* owned, NULL where the file has no formats */
	struct fields fields;
	struct pending pending[AHEAD];
	uint64_t taken, found, said; /* samples; the pending ones are from said to taken */
	bool is_named;		     /* by simpleperf's META_INFO */
};

static void note(struct perf_data *data, enum note_code code, uint64_t count, uint64_t offset)
{
	if (count)
		notes_add(&data->capture->notes, code, count, 0, offset);
}

/* ---- events */

/*
 * Makes the attr an event of the capture. In a pipe its name may come behind it, so this waits
 * for the first sample, or the end.
 */
static void name_event(struct perf_data *data, struct perf_attr *attr)
{
	struct capture *capture = data->capture;
	CLEANUP(text_release) struct text name = TEXT_INIT;

	if (attr->event != EVENT_NONE)
		return;
	if (attr->name)
		text_add(&name, attr->name);
	else if (!data->tracing || attr->type != PERF_TYPE_TRACEPOINT ||
		 !perf_tracing_add_name(data->tracing, attr->config, &name))
		perf_attr_add_name(attr, &name);
	attr->event = events_add(&capture->events, &capture->names,
				 names_add(&capture->names, text_string(&name), name.size));
	/* "cpu-clock" may be called anything; what it counts stays */
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config <= 1)
		capture->events.list[attr->event].unit = UNIT_NS;
}

/* Version 1 and old pipes have the names of events in records {u64 id, char name[64]}. */
static void name_by_config(struct perf_data *data, struct bytes bytes)
{
	struct bytes name;
	uint64_t config;

	while (bytes_u64(&bytes, &config) && bytes_part(&bytes, 64, &name)) {
		const char *s;
		size_t size = bytes_string(&name, &s);

		for (uint32_t i = 0; i < data->events.nr; i++)
			if (data->events.list[i].config == config)
				perf_events_name(&data->events, i, s, size);
	}
}

static void name_by_type(struct perf_data *data, uint64_t type, uint64_t config, const char *name,
			 size_t size)
{
	for (uint32_t i = 0; i < data->events.nr; i++)
		if (data->events.list[i].type == type && data->events.list[i].config == config)
			perf_events_name(&data->events, i, name, size);
}

/*
 * simpleperf: lines "name,type,config". Hardware and software events keep the names that perf
 * gives them (cycles, where simpleperf says cpu-cycles), so that captures of both compare.
 */
static void name_by_lines(struct perf_data *data, const char *at, size_t size)
{
	/* more lines than there can be events are none of simpleperf's */
	for (unsigned lines = 0; size && lines < PERF_ATTRS_MAX; lines++) {
		const char *end = memchr(at, '\n', size);
		size_t line_size = end ? (size_t)(end - at) : size;
		char line[256], name[200];
		uint64_t type, config;

		if (line_size < sizeof(line)) {
			memcpy(line, at, line_size);
			line[line_size] = '\0';
			if (sscanf(line, "%199[^,],%" SCNu64 ",%" SCNu64, name, &type, &config) ==
				    3 &&
			    type >= PERF_TYPE_TRACEPOINT)
				name_by_type(data, type, config, name, strlen(name));
		}
		line_size += !!end;
		at += line_size;
		size -= line_size;
	}
}

/* key NUL value NUL ... */
static void name_by_meta_info(struct perf_data *data, struct bytes bytes)
{
	static const char wanted[] = "event_type_info";
	const char *key, *value;

	while (bytes_left(&bytes)) {
		size_t key_size = bytes_string(&bytes, &key), value_size;

		if (!bytes_skip(&bytes, key_size + 1))
			return;
		value_size = bytes_string(&bytes, &value);
		if (key_size == strlen(wanted) && memcmp(key, wanted, key_size) == 0) {
			name_by_lines(data, value, value_size);
			data->is_named = true;
			return;
		}
		if (!bytes_skip(&bytes, value_size + 1))
			return;
	}
}

/* The hex form of a build ID as a name. All zeros is none. */
static uint32_t build_id_name(struct perf_data *data, struct bytes id, unsigned size)
{
	enum {
		BUILD_ID_MAX = 20
	};
	char hex[2 * BUILD_ID_MAX + 1];
	unsigned any = 0;

	if (!size || size > BUILD_ID_MAX || size > bytes_left(&id))
		return NAME_NONE;
	for (unsigned i = 0; i < size; i++) {
		snprintf(hex + 2 * i, 3, "%02x", id.at[i]);
		any |= id.at[i];
	}
	return any ? names_add(&data->capture->names, hex, 2 * (size_t)size) : NAME_NONE;
}

/*
 * An entry of the BUILD_ID table, which is a record, too: s32 pid, u8 id[20], u8 size, name.
 * Before 2.6.34 there was no pid; then the name seems to begin inside the kernel's.
 */
static bool take_build_id(struct perf_data *data, struct bytes *bytes, enum id_source source)
{
	struct bytes entry = *bytes, name;
	uint32_t type, pid;
	uint16_t misc, size;
	struct bytes id;
	uint8_t id_size = 0;
	const char *path;
	size_t path_size;
	uint32_t build_id;

	if (!bytes_u32(&entry, &type) || !bytes_u16(&entry, &misc) || !bytes_u16(&entry, &size) ||
	    size < 36 || !bytes_part(bytes, size, &entry))
		return false;
	bytes_skip(&entry, 8);
	bytes_u32(&entry, &pid);
	bytes_part(&entry, 20, &id);
	bytes_u8(&entry, &id_size);
	bytes_skip(&entry, 3);
	name = entry;
	path_size = bytes_string(&name, &path);
	if (path_size >= 4 && memcmp(path, "nel.", 4) == 0)
		return true; /* of the oldest kind; its ids stand elsewhere */
	build_id = build_id_name(data, id, misc & PERF_MISC_BUILD_ID_SIZE ? id_size : 20);
	if (build_id != NAME_NONE && path_size)
		perf_chains_build_id(&data->chains, path, path_size, build_id, source);
	return true;
}

static void take_tracing_data(struct perf_data *data, struct bytes bytes, uint64_t offset)
{
	bool is_good;

	if (data->tracing || !bytes_left(&bytes))
		return;
	data->tracing = perf_tracing_new(bytes, &is_good);
	note(data, NOTE_DAMAGED_FEATURE, !is_good, offset);
}

static void take_feature(struct perf_data *data, unsigned feature, struct bytes bytes,
			 uint64_t offset)
{
	struct bytes table = bytes;
	bool is_good;

	if (!bytes_left(&bytes)) /* some are flags alone, some were not to be had */
		return;
	is_good = perf_feature_facts(feature, bytes, &data->capture->facts);
	if (feature == PERF_FEATURE_EVENT_DESC)
		is_good = perf_events_describe(&data->events, bytes);
	while (feature == PERF_FEATURE_BUILD_ID && bytes_left(&table))
		if (!take_build_id(data, &table, ID_HEADER))
			break;
	if (feature == PERF_FEATURE_TRACING_DATA)
		take_tracing_data(data, bytes, offset);
	note(data, NOTE_DAMAGED_FEATURE, !is_good, offset);
	if (feature == PERF_FEATURE_SIMPLEPERF_META_INFO && !data->is_named)
		name_by_meta_info(data, bytes);
}

static void take_attr_table(struct perf_data *data)
{
	struct perf_file *file = &data->file;
	struct bytes table = perf_file_section(file, file->attrs), entry;

	while (bytes_part(&table, file->attr_size, &entry)) {
		struct bytes attr_bytes;
		struct perf_section ids;
		struct perf_attr attr;

		bytes_part(&entry, file->attr_size - 16, &attr_bytes);
		bytes_u64(&entry, &ids.offset);
		bytes_u64(&entry, &ids.size);
		if (perf_attr_read(attr_bytes, &attr))
			perf_events_add(&data->events, &attr, perf_file_section(file, ids));
	}
}

/* HEADER_ATTR: the attr has its own size, ids follow up to the end. */
static void take_attr_record(struct perf_data *data, struct bytes body)
{
	struct bytes size_at = body, attr_bytes;
	struct perf_attr attr;
	uint32_t size;

	if (!bytes_skip(&size_at, 4) || !bytes_u32(&size_at, &size))
		return;
	if (!size)
		size = PERF_ATTR_SIZE_LEAST;
	if (!bytes_part(&body, size, &attr_bytes) || !perf_attr_read(attr_bytes, &attr))
		return;
	perf_events_add(&data->events, &attr, body);
}

/* EVENT_UPDATE: u64 type, u64 id, and for type 2 the name. */
static void take_event_update(struct perf_data *data, struct bytes body)
{
	uint64_t type, id;
	uint32_t attr;
	const char *name;
	size_t size;

	if (!bytes_u64(&body, &type) || !bytes_u64(&body, &id) || type != 2)
		return;
	attr = perf_events_find(&data->events, id);
	if (attr == UINT32_MAX)
		return;
	size = bytes_string(&body, &name);
	perf_events_name(&data->events, attr, name, size);
}

/* ---- records in the order of time */

static bool begins_with_one_of(const char *path, size_t size, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (size >= strlen(words[i]) && memcmp(path, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/*
 * Memory of no file that is executed holds code that a runtime made. perf calls it after the
 * file that runtimes write the names of such code to.
 */
static bool is_generated_code(const char *path, size_t size)
{
	static const char *const words[] = {"//anon", "/dev/zero", "/anon_hugepage", "[anon"};

	return begins_with_one_of(path, size, words, ARRAY_NR(words));
}

/* What has no file has no offset in one: its addresses stay as they are. */
static bool is_no_file(const char *path, size_t size)
{
	static const char *const words[] = {"[stack", "[heap]", "/SYSV"};

	return begins_with_one_of(path, size, words, ARRAY_NR(words));
}

static void take_mmap(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint32_t pid, tid;
	uint64_t begin, size, offset;
	uint32_t build_id = NAME_NONE;
	struct bytes ids;
	const char *path;
	size_t path_size;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &tid) || !bytes_u64(&body, &begin) ||
	    !bytes_u64(&body, &size) || !bytes_u64(&body, &offset))
		return;
	ids = body;
	if (record->type == PERF_RECORD_MMAP2 && !bytes_skip(&body, 32))
		return;
	if (record->type == PERF_RECORD_MMAP2 && record->misc & PERF_MISC_MMAP_BUILD_ID) {
		uint8_t id_size = 0;

		bytes_u8(&ids, &id_size);
		bytes_skip(&ids, 3);
		build_id = build_id_name(data, ids, id_size);
	}
	if (record->type == PERF_RECORD_MMAP && record->misc & PERF_MISC_MMAP_DATA)
		return; /* data, no code */
	path_size = bytes_string(&body, &path);
	if ((record->misc & PERF_MISC_CPUMODE) == PERF_MISC_KERNEL || pid == UINT32_MAX) {
		const char *bracket =
			path_size && *path == '[' ? memchr(path, ']', path_size) : NULL;

		/* "[kernel.kallsyms]_text" tells the symbol that the map begins with */
		if (bracket)
			path_size = (size_t)(bracket - path) + 1;
		pid = (uint32_t)SPACE_KERNEL;
	}
	if (pid != (uint32_t)SPACE_KERNEL && is_generated_code(path, path_size)) {
		char map[32];
		int map_size =
			snprintf(map, sizeof(map), "/tmp/perf-%" PRId32 ".map", (int32_t)pid);

		perf_chains_map(&data->chains, (int32_t)pid, begin, size, begin, map,
				(size_t)map_size, NAME_NONE);
		return;
	}
	if (path_size && is_no_file(path, path_size))
		offset = begin;
	perf_chains_map(&data->chains, (int32_t)pid, begin, size, offset, path, path_size,
			build_id);
}

static void take_comm(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	struct capture *capture = data->capture;
	uint32_t pid, tid;
	const char *comm;
	size_t size;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &tid))
		return;
	size = bytes_string(&body, &comm);
	perf_threads_rename(perf_threads_get(&data->threads, (int32_t)pid, (int32_t)tid),
			    names_add(&capture->names, comm, size));
	if (record->misc & PERF_MISC_COMM_EXEC && (int32_t)pid >= 0)
		perf_chains_exec(&data->chains, (int32_t)pid);
}

static void take_fork(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint32_t pid, parent_pid, tid, parent_tid;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &parent_pid) || !bytes_u32(&body, &tid) ||
	    !bytes_u32(&body, &parent_tid))
		return;
	perf_threads_fork(&data->threads, (int32_t)pid, (int32_t)tid, (int32_t)parent_pid,
			  (int32_t)parent_tid);
	if (pid != parent_pid && !(record->misc & PERF_MISC_FORK_EXEC) && (int32_t)pid >= 0 &&
	    (int32_t)parent_pid >= 0)
		perf_chains_fork(&data->chains, (int32_t)pid, (int32_t)parent_pid);
}

static void take_lost(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint64_t id, lost;

	if (record->type == PERF_RECORD_LOST && !bytes_u64(&body, &id))
		return;
	if (!bytes_u64(&body, &lost))
		return;
	if (record->type == PERF_RECORD_LOST)
		data->capture->lost += lost;
	else
		data->capture->lost_samples += lost;
}

static uint64_t period_of(const struct perf_attr *attr, const struct perf_sample *sample)
{
	if (sample->has_period)
		return sample->period;
	return perf_attr_flag(attr, PERF_ATTR_FREQ) || !attr->sample_period ? 1
									    : attr->sample_period;
}

/*
 * What the counters of a group counted since the last sample of its leader. The leader's is the
 * period of the sample; a member's is said with the same call chain, as no sample (its count is
 * 0), so that it can be drawn as its own event and no sample is counted twice. perf says each of
 * them as a sample.
 */
static struct error *say_values(struct perf_data *data, uint32_t leader, struct sample *said)
{
	struct capture *capture = data->capture;
	struct error *err;

	said->period = 0;
	for (size_t i = 0; i < data->values.nr; i++)
		if (data->values.list[i].attr == leader)
			said->period = weight_of(data->values.list[i].delta);
	capture->events.list[said->event].has_periods = true;
	err = sink_sample(data->sink, said);
	said->count = 0;
	for (size_t i = 0; i < data->values.nr && !err; i++) {
		struct perf_attr *attr = &data->events.list[data->values.list[i].attr];

		if (data->values.list[i].attr == leader)
			continue;
		name_event(data, attr);
		capture->events.list[attr->event].has_periods = true;
		said->event = attr->event;
		said->period = weight_of(data->values.list[i].delta);
		err = sink_sample(data->sink, said);
	}
	return err;
}

/* A group without ids cannot be told apart: its samples have their period alone. */
static bool has_values(const struct perf_attr *attr)
{
	return perf_attr_has(attr, PERF_BIT_READ) &&
	       (!(attr->read_format & PERF_READ_GROUP) || attr->read_format & PERF_READ_ID);
}

static struct error *say_sample(struct perf_data *data, const struct pending *pending)
{
	struct capture *capture = data->capture;
	const struct perf_attr *attr = &data->events.list[pending->attr];
	const struct perf_sample *sample = &pending->sample;
	const struct perf_record *record = &pending->record;
	bool is_fixed = !perf_attr_flag(attr, PERF_ATTR_FREQ) && attr->sample_period;
	struct sample said = {
		.task = TASK_NONE,
		.event = attr->event,
		.callers = pending->callers,
		.leaf = pending->leaf,
		.cpu = sample->has_cpu ? (int32_t)sample->cpu : CPU_NONE,
		.count = WEIGHT_ONE,
		.period = weight_of(period_of(attr, sample)),
	};

	if (sample->has_period || is_fixed)
		capture->events.list[attr->event].has_periods = true;
	if (sample->has_tid) /* -1 is a task that was exiting */
		said.task = perf_threads_task(&data->threads, capture, (int32_t)sample->pid,
					      (int32_t)sample->tid);
	if (sample->has_time && sample->time <= INT64_MAX) {
		said.time_ns = sample->time;
		said.flags |= SAMPLE_HAS_TIME;
	}
	if (capture->wants_fields && data->tracing && bytes_left(&sample->raw)) {
		fields_clear(&data->fields);
		if (perf_tracing_fields(data->tracing, sample->raw, &data->fields))
			said.fields = &data->fields;
	}
	note(data, NOTE_NOT_UNWOUND, sample->has_stack_user && bytes_left(&sample->stack) > 0,
	     record->offset);
	if (!has_values(attr))
		return sink_sample(data->sink, &said);
	perf_values_take(&data->values, &data->events, pending->attr, sample);
	note(data, NOTE_UNKNOWN_VALUE, data->values.unknown, record->offset);
	return say_values(data, pending->attr, &said);
}

static void find_next(struct perf_data *data)
{
	struct pending *pending = &data->pending[data->found++ % AHEAD];

	perf_chains_find(&data->chains, &data->events.list[pending->attr], &pending->sample,
			 pending->record.misc, &pending->hint, &pending->callers, &pending->leaf);
	sink_soon(data->sink, pending->callers);
}

static struct error *say_next(struct perf_data *data)
{
	struct pending *pending = &data->pending[data->said++ % AHEAD];
	struct error *err = say_sample(data, pending);

	records_drop(pending->record.chunk);
	return err;
}

/* Says what is under way: before the state changes that it was read with, and at the end. */
static struct error *say_pending(struct perf_data *data)
{
	struct error *err = NULL;

	while (data->found < data->taken)
		find_next(data);
	while (!err && data->said < data->taken)
		err = say_next(data);
	return err;
}

static struct error *take_sample(struct perf_data *data, const struct perf_record *record,
				 struct bytes body)
{
	uint32_t attr = perf_events_of_sample(&data->events, &record->bytes);
	struct pending *pending = &data->pending[data->taken % AHEAD];

	if (attr == UINT32_MAX) {
		note(data, NOTE_UNKNOWN_EVENT, 1, record->offset);
		return NULL;
	}
	name_event(data, &data->events.list[attr]);
	if (!perf_sample_read(body, &data->events.list[attr], &pending->sample)) {
		note(data, NOTE_SHORT_SAMPLE, 1, record->offset);
		return NULL;
	}
	pending->record = *record;
	pending->attr = attr;
	perf_chains_look(&data->chains, &pending->sample, record->misc, &pending->hint);
	records_hold(record->chunk);
	data->taken++;
	if (data->taken - data->found > AHEAD / 2)
		find_next(data);
	return data->taken - data->said < AHEAD ? NULL : say_next(data);
}

/* Called in the order of time. */
static struct error *take_in_order(void *data_of, const struct perf_record *record)
{
	struct perf_data *data = data_of;
	struct bytes body = record->bytes;
	struct error *err;

	bytes_skip(&body, 8);
	if (record->type == PERF_RECORD_SAMPLE)
		return take_sample(data, record, body);
	err = say_pending(data);
	if (err)
		return err;
	/* strings end before the trailer */
	if (data->events.nr) {
		uint32_t attr = perf_events_of_other(&data->events, &record->bytes);
		unsigned size = perf_attr_trailer_size(&data->events.list[attr]);

		if (size <= bytes_left(&body))
			body.end -= size;
	}
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_mmap(data, record, body);
		break;
	case PERF_RECORD_COMM:
		take_comm(data, record, body);
		break;
	case PERF_RECORD_FORK:
		take_fork(data, record, body);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		take_lost(data, record, body);
		break;
	case PERF_RECORD_THROTTLE:
		note(data, NOTE_THROTTLED, 1, record->offset);
		break;
	}
	return NULL;
}

/* ---- records as they come */

static void count_record(struct perf_data *data, const struct perf_record *record)
{
	char unknown[32];

	if (record->type != PERF_RECORD_SAMPLE)
		data->capture->records++;
	if (record->type < ARRAY_NR(data->type_counts) && perf_record_word(record->type)) {
		data->type_counts[record->type]++;
		return;
	}
	snprintf(unknown, sizeof(unknown), "%" PRIu32, record->type);
	counts_add(&data->capture->record_types, unknown, 1);
	note(data, NOTE_UNKNOWN_RECORD, record->type < PERF_RECORD_SIMPLEPERF, record->offset);
}

/* The time of a record; 0 where it has none. */
static uint64_t time_of(const struct perf_data *data, const struct perf_record *record)
{
	struct perf_sample sample;
	struct bytes body = record->bytes;
	uint32_t attr;

	bytes_skip(&body, 8);
	if (!data->events.nr)
		return 0;
	if (record->type != PERF_RECORD_SAMPLE) {
		attr = perf_events_of_other(&data->events, &record->bytes);
		return perf_trailer_read(body, &data->events.list[attr], &sample) ? sample.time : 0;
	}
	attr = perf_events_of_sample(&data->events, &record->bytes);
	if (attr == UINT32_MAX || !perf_attr_has(&data->events.list[attr], PERF_BIT_TIME))
		return 0;
	/* before the time stand an identifier, the ip and the ids of the thread */
	bytes_skip(&body,
		   8 * (unsigned)(perf_attr_has(&data->events.list[attr], PERF_BIT_IDENTIFIER) +
				  perf_attr_has(&data->events.list[attr], PERF_BIT_IP) +
				  perf_attr_has(&data->events.list[attr], PERF_BIT_TID)));
	return bytes_u64(&body, &sample.time) ? sample.time : 0;
}

static void take_user_record(struct perf_data *data, const struct perf_record *record)
{
	struct bytes body = record->bytes;
	uint64_t feature;

	bytes_skip(&body, 8);
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR:
		take_attr_record(data, body);
		break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		take_tracing_data(data, record->payload, record->offset);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		take_build_id(data,
			      &(struct bytes){record->bytes.at, record->bytes.end,
					      record->bytes.is_swapped},
			      ID_INJECTED);
		break;
	case PERF_RECORD_HEADER_EVENT_TYPE:
		name_by_config(data, body);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		take_event_update(data, body);
		break;
	case PERF_RECORD_HEADER_FEATURE:
		/* an empty one is the mark behind the last */
		if (bytes_u64(&body, &feature) && bytes_left(&body))
			take_feature(data, feature < PERF_FEATURES_MAX ? (unsigned)feature : 0,
				     body, record->offset);
		break;
	}
}

static struct error *take_record(struct perf_data *data, const struct perf_record *record)
{
	uint64_t time;

	count_record(data, record);
	if (record->type == PERF_RECORD_FINISHED_ROUND)
		return order_round(&data->order);
	if (record->type >= PERF_RECORD_USER_TYPE) {
		take_user_record(data, record);
		return NULL;
	}
	time = time_of(data, record);
	/* what has no time belongs where it stands; so does the state at the beginning */
	if (!time || time == UINT64_MAX)
		return take_in_order(data, record);
	order_add(&data->order, time, record);
	return NULL;
}

static void tell_damage(struct perf_data *data, const struct records_damage *damage)
{
	note(data, NOTE_BROKEN_RECORDS, damage->places, damage->first_offset);
	note(data, NOTE_SKIPPED_BYTES, damage->skipped_bytes, damage->first_offset);
	note(data, NOTE_LOST_BYTES, damage->lost_bytes, damage->first_offset);
	note(data, NOTE_BAD_BLOCK, damage->bad_blocks, damage->bad_offset);
	note(data, NOTE_UNDELIVERED_BYTES, damage->undelivered, damage->undelivered_offset);
	note(data, NOTE_AUX_BYTES, damage->aux_bytes, 0);
}

static struct error *walk(struct perf_data *data, struct bytes region, uint64_t offset,
			  bool is_unaligned)
{
	struct records records;
	struct perf_record record;
	struct error *err = NULL;

	records_init(&records, region, offset, is_unaligned);
	while (!err && records_next(&records, &record)) {
		err = take_record(data, &record);
		progress_tell(data->reader->progress, record.offset, data->file.size);
	}
	tell_damage(data, &records.damage);
	records_release(&records);
	return err;
}

/* The state that --tail-synthesize and --overwrite write at the end belongs before all. */
static bool is_state_at_end(const struct perf_data *data)
{
	enum {
		WRITE_BACKWARD = 27
	};

	for (uint32_t i = 0; i < data->events.nr; i++)
		if (data->events.list[i].flags >> WRITE_BACKWARD & 1)
			return true;
	return false;
}

static struct error *take_state(struct perf_data *data, struct bytes region)
{
	struct records records;
	struct perf_record record;
	struct error *err = NULL;

	if (!is_state_at_end(data))
		return NULL;
	records_init(&records, region, 0, false);
	while (!err && records_next(&records, &record))
		if (record.type < PERF_RECORD_USER_TYPE && record.type != PERF_RECORD_SAMPLE &&
		    record.type != PERF_RECORD_LOST && record.type != PERF_RECORD_LOST_SAMPLES &&
		    !time_of(data, &record))
			err = take_in_order(data, &record);
	records_release(&records);
	return err;
}

/* ---- directories */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The data.N of a directory, sorted, so that the same directory gives the same answers. */
static struct error *list_streams(const char *folder, char ***ret, size_t *ret_nr)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	char **list = NULL;
	size_t nr = 0, alloc = 0;

	if (!dir)
		return error_os("cannot open '%s'", folder);
	while ((entry = readdir(dir)) && nr < STREAMS_MAX) {
		struct stat st;

		if (strncmp(entry->d_name, "data.", 5) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, 0) < 0 || !S_ISREG(st.st_mode))
			continue;
		GROW(list, nr + 1, alloc);
		list[nr++] = mem_strdup(entry->d_name);
	}
	closedir(dir);
	if (nr)
		qsort(list, nr, sizeof(*list), compare_names);
	*ret = list;
	*ret_nr = nr;
	return NULL;
}

static struct error *finish(struct perf_data *data)
{
	struct error *err = order_finish(&data->order);

	return err ? err : say_pending(data);
}

struct stream {
	const unsigned char *map;
	size_t size;
};

/* Records of all streams are merged by time; there are no rounds in a directory. */
static struct error *walk_streams(struct perf_data *data)
{
	const char *folder = data->reader->folder;
	struct stream *streams;
	char **names = NULL;
	size_t nr = 0;
	struct error *err = list_streams(folder, &names, &nr);

	if (err)
		return err;
	streams = mem_zalloc(nr, sizeof(*streams));
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text path = TEXT_INIT;
		struct bytes region;

		text_addf(&path, "%s/%s", folder, names[i]);
		if (!err)
			err = perf_file_map(text_string(&path), &streams[i].map, &streams[i].size);
		region = (struct bytes){streams[i].map, streams[i].map + streams[i].size,
					data->file.is_swapped};
		if (!err)
			err = walk(data, region, 0, false);
		free(names[i]);
	}
	free(names);
	if (!err) /* while the maps are there */
		err = finish(data);
	order_release(&data->order);
	for (size_t i = 0; i < nr; i++)
		perf_file_unmap(streams[i].map, streams[i].size);
	free(streams);
	return err;
}

/* ---- the file */

static void name_all_events(struct perf_data *data)
{
	for (uint32_t i = 0; i < data->events.nr; i++)
		name_event(data, &data->events.list[i]);
}

static void read_header(struct perf_data *data)
{
	struct perf_file *file = &data->file;

	if (file->layout == PERF_LAYOUT_FILE)
		take_attr_table(data);
	for (unsigned i = 0; i < PERF_FEATURES_MAX; i++)
		if (file->has_feature[i])
			take_feature(data, i, perf_file_section(file, file->features[i]),
				     file->features[i].offset);
	name_by_config(data, perf_file_section(file, file->event_types));
	if (file->layout == PERF_LAYOUT_FILE)
		name_all_events(data);
	note(data, NOTE_DAMAGED_FEATURE, file->lost_features, file->size);
	note(data, NOTE_KILLED, file->was_killed, 0x28);
	note(data, NOTE_MISSING_BYTES, file->missing_bytes, file->size);
}

static void tell_counts(struct perf_data *data)
{
	for (unsigned i = 0; i < ARRAY_NR(data->type_counts); i++)
		if (data->type_counts[i])
			counts_add(&data->capture->record_types, perf_record_word(i),
				   data->type_counts[i]);
}

static struct error *read_records(struct perf_data *data)
{
	struct perf_file *file = &data->file;
	struct bytes region = perf_file_section(file, file->data);
	struct error *err = take_state(data, region);

	if (!err)
		err = walk(data, region, file->data.offset, file->layout == PERF_LAYOUT_PIPE);
	if (!err && data->reader->folder)
		err = walk_streams(data);
	return err ? err : finish(data);
}

static struct error *read_perf_data(struct reader *reader, struct capture *capture,
				    struct sink *sink)
{
	struct perf_data *data = mem_zalloc(1, sizeof(*data));
	struct error *err;

	data->reader = reader;
	data->capture = capture;
	data->sink = sink;
	capture->has_offsets = true;
	data->order.say = take_in_order;
	data->order.context = data;
	perf_chains_init(&data->chains, capture);
	err = perf_file_open(reader, &data->file);
	if (!err) {
		read_header(data);
		err = read_records(data);
		name_all_events(data);
		tell_counts(data);
		note(data, NOTE_REFUSED_MAPS, data->chains.refused, 0);
	}
	while (data->said < data->taken) /* after an error */
		records_drop(data->pending[data->said++ % AHEAD].record.chunk);
	order_release(&data->order);
	perf_chains_release(&data->chains);
	perf_values_release(&data->values);
	perf_threads_release(&data->threads);
	perf_events_release(&data->events);
	perf_tracing_free(data->tracing);
	fields_release(&data->fields);
	perf_file_close(&data->file);
	free(data);
	return err;
}

static bool sniff(const char *at, size_t size)
{
	return perf_file_sniff(at, size);
}

const struct importer importer_perf_data = {
	.name = "perf-data",
	.summary = "perf.data, as 'perf record' writes it",
	.default_by = TALLY_BY_COMM,
	.sniff = sniff,
	.read = read_perf_data,
};
