/* deferred.c - user call chains that came behind their samples (CALLCHAIN_DEFERRED, Linux 6.19) */
#include "importers/perf_data/deferred.h"

#include "base/mem.h"
#include "importers/perf_data/state.h"

void perf_deferred_release(struct perf_deferred *deferred)
{
	free(deferred->list);
	map_release(&deferred->map);
	text_release(&deferred->copies);
	*deferred = (struct perf_deferred){0};
}

struct key {
	const struct perf_deferred *deferred;
	uint64_t cookie;
	uint32_t tid;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;
	const struct perf_deferred_chain *chain = &key->deferred->list[index];

	return chain->cookie == key->cookie && chain->tid == key->tid;
}

static struct map_slot *slot_of(const struct perf_deferred *deferred, uint64_t cookie, uint32_t tid)
{
	uint64_t words[2] = {cookie, tid};

	return map_find(&deferred->map, map_hash(words, sizeof(words)), is_same,
			&(struct key){deferred, cookie, tid});
}

/* { u64 cookie, u64 nr, u64 ips[nr] } and the trailer, which says the thread. */
static void add(struct perf_data *data, const struct perf_record *record)
{
	struct perf_deferred *deferred = &data->deferred;
	struct bytes body = record->bytes, ips;
	uint32_t attr = perf_events_of_other(&data->events, &record->bytes);
	struct perf_sample trailer;
	struct map_slot *slot;
	uint64_t cookie, nr, words[2];

	if (!perf_trailer_read(body, &data->events.list[attr], &trailer) || !bytes_skip(&body, 8) ||
	    !bytes_u64(&body, &cookie) || !bytes_u64(&body, &nr) || nr > bytes_left(&body) / 8 ||
	    !bytes_part(&body, nr * 8, &ips))
		return;
	words[0] = cookie;
	words[1] = trailer.tid;
	map_grow(&deferred->map);
	slot = slot_of(deferred, cookie, trailer.tid);
	if (slot->id != MAP_NONE)
		return;
	map_fill(&deferred->map, slot, map_hash(words, sizeof(words)), deferred->nr);
	GROW(deferred->list, (size_t)deferred->nr + 1, deferred->alloc);
	deferred->list[deferred->nr++] = (struct perf_deferred_chain){
		.cookie = cookie,
		.tid = trailer.tid,
		.nr = (uint32_t)nr,
		.at = record->chunk ? NULL : ips.at,
		.copy = deferred->copies.size,
	};
	if (record->chunk)
		text_add_bytes(&deferred->copies, ips.at, bytes_left(&ips));
}

static void scan(struct perf_data *data, struct bytes region, bool is_unaligned)
{
	struct records records;
	struct perf_record record;

	records_init(&records, region, 0, is_unaligned);
	while (records_next(&records, &record))
		if (record.type == PERF_RECORD_CALLCHAIN_DEFERRED)
			add(data, &record);
	records_release(&records);
}

static void scan_all(struct perf_data *data)
{
	const struct perf_file *file = &data->file;

	data->deferred.is_scanned = true;
	scan(data, perf_file_section(file, file->data), file->layout == PERF_LAYOUT_PIPE);
	for (size_t i = 0; i < data->directory.nr; i++) {
		const struct perf_stream *stream = &data->directory.list[i];

		scan(data,
		     (struct bytes){stream->map, stream->map + stream->size, file->is_swapped},
		     false);
	}
}

/* The frames of a cookie; NULL where no record has it. */
static const struct perf_deferred_chain *find(const struct perf_deferred *deferred, uint64_t cookie,
					      uint32_t tid)
{
	const struct map_slot *slot;

	if (!deferred->nr)
		return NULL;
	slot = slot_of(deferred, cookie, tid);
	if (slot->id == MAP_NONE && tid)
		slot = slot_of(deferred, cookie, 0);
	return slot->id == MAP_NONE ? NULL : &deferred->list[slot->id];
}

void perf_deferred_join(struct perf_data *data, struct perf_sample *sample, struct text *room,
			uint64_t offset)
{
	size_t nr = bytes_left(&sample->chain) / 8;
	struct perf_deferred *deferred = &data->deferred;
	uint64_t marker = PERF_CONTEXT_USER;
	const struct perf_deferred_chain *found;

	if (!perf_deferred_is(&sample->chain))
		return;
	if (!deferred->is_scanned)
		scan_all(data);
	found = find(deferred, perf_sample_word(&sample->chain, nr - 1), sample->tid);
	sample->chain.end = sample->chain.at + (nr - 2) * 8;
	perf_note(data, NOTE_NOT_DEFERRED, !found, offset);
	if (!found)
		return;
	if (sample->chain.is_swapped)
		marker = __builtin_bswap64(marker);
	text_clear(room);
	text_add_bytes(room, sample->chain.at, bytes_left(&sample->chain));
	text_add_bytes(room, &marker, sizeof(marker));
	text_add_bytes(room,
		       found->at ? (const void *)found->at : deferred->copies.bytes + found->copy,
		       (size_t)found->nr * 8);
	sample->chain.at = (const unsigned char *)room->bytes;
	sample->chain.end = sample->chain.at + room->size;
}
