/* header.c - what a file says of itself: attrs, features, names, in its header or in records */
#include "importers/perf_data/header.h"

#include "importers/perf_data/build_ids.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/features.h"
#include "importers/perf_data/simpleperf.h"
#include "importers/perf_data/state.h"
#include "importers/perf_data/tracing.h"

void perf_header_take_tracing(struct perf_data *data, struct bytes bytes, uint64_t offset)
{
	bool is_good;

	if (data->tracing || !bytes_left(&bytes))
		return;
	data->tracing = perf_tracing_new(bytes, &is_good);
	perf_note(data, NOTE_DAMAGED_FEATURE, !is_good, offset);
}

static void take_feature(struct perf_data *data, unsigned feature, struct bytes bytes,
			 uint64_t offset)
{
	struct names *names = &data->capture->names;
	struct bytes table = bytes;
	bool is_good;

	if (!bytes_left(&bytes)) /* some are flags alone, some were not to be had */
		return;
	is_good = perf_feature_facts(feature, bytes, &data->capture->facts);
	if (feature == PERF_FEATURE_CLOCK_DATA)
		is_good = perf_clock_data_read(bytes, &data->clock_data);
	if (feature == PERF_FEATURE_EVENT_DESC)
		is_good = perf_events_describe(&data->events, bytes);
	while (feature == PERF_FEATURE_BUILD_ID && bytes_left(&table))
		if (!perf_build_ids_take(data, &table, ID_HEADER))
			break;
	if (feature == PERF_FEATURE_TRACING_DATA)
		perf_header_take_tracing(data, bytes, offset);
	if (feature >= PERF_FEATURE_SIMPLEPERF) /* its callers are calls already */
		data->chains.caller_flags = 0;
	if (feature == PERF_FEATURE_SIMPLEPERF_FILE)
		is_good = perf_carried_take_files(&data->chains.carried, names, bytes);
	if (feature == PERF_FEATURE_SIMPLEPERF_FILE2)
		is_good = perf_carried_take_files2(&data->chains.carried, names, bytes);
	perf_note(data, NOTE_DAMAGED_FEATURE, !is_good, offset);
	if (feature == PERF_FEATURE_SIMPLEPERF_META_INFO && !data->is_named)
		perf_event_names_by_meta_info(data, bytes);
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

/* EVENT_UPDATE: u64 type, u64 id, and for type 0 the unit, 1 its scale, 2 the name. */
static void take_event_update(struct perf_data *data, struct bytes body)
{
	uint64_t type, id;
	uint32_t attr;
	const char *name;
	size_t size;

	if (!bytes_u64(&body, &type) || !bytes_u64(&body, &id))
		return;
	attr = perf_events_find(&data->events, id);
	if (attr == UINT32_MAX)
		return;
	perf_stats_update(data, attr, type, body);
	if (type != 2)
		return;
	size = bytes_string(&body, &name);
	perf_events_name(&data->events, attr, name, size);
}

void perf_header_take_record(struct perf_data *data, const struct perf_record *record)
{
	struct bytes body = record->bytes;
	uint64_t feature;

	bytes_skip(&body, 8);
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR:
		take_attr_record(data, body);
		break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		perf_header_take_tracing(data, record->payload, record->offset);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		perf_build_ids_take(data,
				    &(struct bytes){record->bytes.at, record->bytes.end,
						    record->bytes.is_swapped},
				    ID_INJECTED);
		break;
	case PERF_RECORD_HEADER_EVENT_TYPE:
		perf_event_names_by_config(data, body);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		take_event_update(data, body);
		break;
	case PERF_RECORD_KERNEL_SYMBOL:
	case PERF_RECORD_SPLIT:
	case PERF_RECORD_SPLIT_END:
	case PERF_RECORD_EVENT_ID:
	case PERF_RECORD_TRACING_DATA:
		perf_simpleperf_take(data, record);
		break;
	case PERF_RECORD_HEADER_FEATURE:
		/* an empty one is the mark behind the last */
		if (bytes_u64(&body, &feature) && bytes_left(&body))
			take_feature(data, feature < PERF_FEATURES_MAX ? (unsigned)feature : 0,
				     body, record->offset);
		break;
	}
}

void perf_header_read(struct perf_data *data)
{
	struct perf_file *file = &data->file;

	if (file->layout == PERF_LAYOUT_FILE)
		take_attr_table(data);
	for (unsigned i = 0; i < PERF_FEATURES_MAX; i++)
		if (file->has_feature[i])
			take_feature(data, i, perf_file_section(file, file->features[i]),
				     file->features[i].offset);
	perf_event_names_by_config(data, perf_file_section(file, file->event_types));
	if (file->layout == PERF_LAYOUT_FILE)
		perf_event_names_all(data);
	perf_note(data, NOTE_DAMAGED_FEATURE, file->lost_features, file->size);
	perf_note(data, NOTE_KILLED, file->was_killed, 0x28);
	perf_note(data, NOTE_MISSING_BYTES, file->missing_bytes, file->size);
}
