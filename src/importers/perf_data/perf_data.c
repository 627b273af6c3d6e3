/* perf_data.c - the files that `perf record` writes, of any age, machine and mode */
#include "importers/perf_data/perf_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/reader.h"
#include "importers/perf_data/directory.h"
#include "importers/perf_data/early.h"
#include "importers/perf_data/event_facts.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/header.h"
#include "importers/perf_data/sideband.h"
#include "importers/perf_data/state.h"
#include "importers/perf_data/tracing.h"

/* Called in the order of time. */
static struct error *take_in_order(void *data_of, const struct perf_record *record)
{
	struct perf_data *data = data_of;
	struct bytes body;
	struct error *err;

	if (record->type == PERF_RECORD_SAMPLE)
		return perf_sampling_take(data, record);
	if (!perf_sideband_matters(record->type))
		return NULL;
	body = record->bytes;
	bytes_skip(&body, 8);
	err = perf_sampling_flush(data);
	if (err)
		return err;
	/* strings end before the trailer */
	if (data->events.nr) {
		uint32_t attr = perf_events_of_other(&data->events, &record->bytes);
		unsigned size = perf_attr_trailer_size(&data->events.list[attr]);

		if (size <= bytes_left(&body))
			body.end -= size;
	}
	perf_sideband_take(data, record, body);
	return NULL;
}

static size_t take_early(void *data_of, struct order_entry *list, size_t nr, uint64_t before)
{
	struct perf_data *data = data_of;

	return perf_plain_is(data) ? perf_early_take(data, list, nr, before) : nr;
}

/* ---- records as they come */

static void count_record(struct perf_data *data, const struct perf_record *record)
{
	char unknown[32];

	data->capture->records++;
	if (record->type < ARRAY_NR(data->type_counts) && perf_record_word(record->type)) {
		data->type_counts[record->type]++;
		return;
	}
	snprintf(unknown, sizeof(unknown), "%" PRIu32, record->type);
	counts_add(&data->capture->record_types, unknown, 1);
	perf_note(data, NOTE_UNKNOWN_RECORD, record->type < PERF_RECORD_SIMPLEPERF, record->offset);
}

/* It has no more than 256 bytes in front of it. */
static uint64_t time_of_sample(const struct perf_data *data, const struct perf_record *record,
			       uint32_t attr)
{
	uint8_t at = data->events.list[attr].fields.time;

	return at && bytes_left(&record->bytes) >= at + 8u
		       ? perf_sample_word(&(struct bytes){record->bytes.at + at, NULL,
							  record->bytes.is_swapped},
					  0)
		       : 0;
}

/* The time of another record; 0 where it has none. */
static uint64_t time_of(const struct perf_data *data, const struct perf_record *record)
{
	struct perf_sample sample;
	struct bytes body = record->bytes;
	uint32_t attr;

	if (!data->events.nr)
		return 0;
	bytes_skip(&body, 8);
	attr = perf_events_of_other(&data->events, &record->bytes);
	return perf_trailer_read(body, &data->events.list[attr], &sample) ? sample.time : 0;
}

/* What has no time belongs where it stands; so does the state at the beginning. */
static struct error *put_in_order(struct perf_data *data, const struct perf_record *record,
				  uint64_t time)
{
	if (!time || time == UINT64_MAX)
		return take_in_order(data, record);
	order_add(&data->order, time, record);
	return NULL;
}

static struct error *take_sample(struct perf_data *data, struct perf_record *record)
{
	uint32_t attr = perf_events_of_sample(&data->events, &record->bytes);

	data->type_counts[PERF_RECORD_SAMPLE]++;
	if (attr == UINT32_MAX)
		return take_in_order(data, record);
	if (perf_plain_is(data))
		perf_plain_print(record, attr, &data->events.list[attr].fields);
	return put_in_order(data, record, time_of_sample(data, record, attr));
}

static struct error *take_record(struct perf_data *data, struct perf_record *record)
{
	if (record->type == PERF_RECORD_SAMPLE)
		return take_sample(data, record);
	count_record(data, record);
	if (record->type == PERF_RECORD_FINISHED_ROUND)
		return order_round(&data->order);
	if (record->type >= PERF_RECORD_USER_TYPE) {
		perf_header_take_record(data, record);
		return perf_stats_take(data, record);
	}
	return put_in_order(data, record, time_of(data, record));
}

static void tell_damage(struct perf_data *data, const struct records_damage *damage)
{
	perf_note(data, NOTE_BROKEN_RECORDS, damage->places, damage->first_offset);
	perf_note(data, NOTE_SKIPPED_BYTES, damage->skipped_bytes, damage->first_offset);
	perf_note(data, NOTE_LOST_BYTES, damage->lost_bytes, damage->first_offset);
	perf_note(data, NOTE_BAD_BLOCK, damage->bad_blocks, damage->bad_offset);
	perf_note(data, NOTE_UNDELIVERED_BYTES, damage->undelivered, damage->undelivered_offset);
	perf_note(data, NOTE_AUX_BYTES, damage->aux_bytes, 0);
}

static struct error *walk(struct perf_data *data, struct bytes region, uint64_t offset,
			  bool is_unaligned)
{
	struct records records;
	struct perf_record record;
	struct error *err = NULL;

	records_init(&records, region, offset, is_unaligned);
	while (!err && records_next(&records, &record)) {
		data->has_gaps |= records.damage.places || records.damage.bad_blocks;
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

static struct error *finish(struct perf_data *data)
{
	struct error *err = order_finish(&data->order);

	if (!err)
		err = perf_sampling_flush(data);
	return err ? err : perf_plain_finish(data);
}

/* Records of all streams are merged by time; there are no rounds in a directory. */
static struct error *walk_streams(struct perf_data *data)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < data->directory.nr; i++) {
		const struct perf_stream *stream = &data->directory.list[i];

		err = walk(data,
			   (struct bytes){stream->map, stream->map + stream->size,
					  data->file.is_swapped},
			   0, false);
	}
	return err;
}

/* ---- the file */

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
	struct error *err = NULL;

	if (data->reader->folder)
		err = perf_directory_open(data->reader->folder, &data->directory);
	if (!err)
		err = take_state(data, region);
	if (!err)
		err = walk(data, region, file->data.offset, file->layout == PERF_LAYOUT_PIPE);
	if (!err)
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
	data->order.take_early = take_early;
	data->order.first_other = UINT64_MAX;
	data->order.context = data;
	perf_chains_init(&data->chains, capture);
	err = perf_file_open(reader, &data->file);
	if (!err) {
		perf_header_read(data);
		err = read_records(data);
		perf_event_names_all(data);
		perf_event_facts_tell(data);
		perf_losses_finish(data);
		perf_stats_finish(data);
		if (!data->stats.has_begun) /* its intervals count from its own beginning */
			perf_clock_tell(data);
		tell_counts(data);
		perf_note(data, NOTE_REFUSED_MAPS, data->chains.refused, 0);
	}
	perf_sampling_release(&data->sampling);
	perf_plain_release(&data->plain);
	order_release(&data->order);
	perf_chains_release(&data->chains);
	perf_dumps_release(&data->dumps);
	perf_values_release(&data->values);
	perf_losses_release(&data->losses);
	perf_stats_release(&data->stats);
	perf_deferred_release(&data->deferred);
	perf_cgroups_release(&data->cgroups);
	perf_threads_release(&data->threads);
	perf_processes_release(&data->processes);
	perf_events_release(&data->events);
	perf_tracing_free(data->tracing);
	text_release(&data->split);
	fields_release(&data->fields);
	perf_directory_close(&data->directory);
	reader->spool_fd = -1;
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
	.has_dumps = true,
	.default_by = TALLY_BY_COMM,
	.sniff = sniff,
	.read = read_perf_data,
};
