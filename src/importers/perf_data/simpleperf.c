/* simpleperf.c - records of simpleperf's own, which have sizes of 32 bits */
#include "importers/perf_data/simpleperf.h"

#include "importers/perf_data/header.h"
#include "importers/perf_data/state.h"

/* { u64 nr; { u64 attr, u64 id } x nr } */
static void take_event_ids(struct perf_data *data, struct bytes body)
{
	uint64_t nr, attr;
	struct bytes id;

	if (!bytes_u64(&body, &nr))
		return;
	while (nr-- && bytes_u64(&body, &attr) && bytes_part(&body, 8, &id))
		if (attr < data->events.nr)
			perf_events_add_ids(&data->events, (uint32_t)attr, id);
}

/* { u32 size, bytes } */
static bool take_sized(struct bytes body, struct bytes *ret)
{
	uint32_t size;

	return bytes_u32(&body, &size) && bytes_part(&body, size, ret);
}

static void take_whole(struct perf_data *data, const struct perf_record *record)
{
	struct bytes body = record->bytes, part;

	bytes_skip(&body, 8);
	if (record->type == PERF_RECORD_EVENT_ID)
		take_event_ids(data, body);
	else if (record->type == PERF_RECORD_KERNEL_SYMBOL && take_sized(body, &part))
		perf_carried_take_kallsyms(&data->chains.carried, &data->capture->names, part);
	else if (record->type == PERF_RECORD_TRACING_DATA && take_sized(body, &part))
		perf_header_take_tracing(data, part, record->offset);
}

/* All pieces are there: together they are a record, its header first. */
static void take_split(struct perf_data *data, uint64_t offset)
{
	struct bytes bytes = {(const unsigned char *)data->split.bytes,
			      (const unsigned char *)data->split.bytes + data->split.size,
			      data->file.is_swapped};
	struct perf_record record;

	if (records_parse(bytes, &record)) {
		record.offset = offset;
		take_whole(data, &record);
	} else {
		perf_note(data, NOTE_BAD_SPLIT, 1, offset);
	}
	text_clear(&data->split);
}

void perf_simpleperf_take(struct perf_data *data, const struct perf_record *record)
{
	struct bytes body = record->bytes;

	bytes_skip(&body, 8);
	if (record->type == PERF_RECORD_SPLIT)
		text_add_bytes(&data->split, body.at, bytes_left(&body));
	else if (record->type == PERF_RECORD_SPLIT_END)
		take_split(data, record->offset);
	else
		take_whole(data, record);
}
