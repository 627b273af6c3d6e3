/* records.c - the stream of records: one after the other, unpacked where it is packed */
#include "importers/perf_data/records.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/zstd_stream.h"

/* struct perf_event_header: u32 type, u16 misc, u16 size */
#define HEADER_SIZE 8

/* How far ahead of a record the next ones are fetched from memory. */
#define FETCH_BYTES 1024

/* So many records must follow each other before a place counts as found again. */
#define RESYNC_RECORDS 4

/* How far a next record is looked for; what is behind that is lost. */
#define RESYNC_BYTES_MAX ((size_t)64 << 20)

/* perf 6.16's size field overflows: pieces of a large COMPRESSED2 record are this long. */
#define COMPRESSED2_PIECE 65519u

/*
 * What a file may unpack to: so much, and so many times what is packed. Stack dumps of 64 KB
 * that are alike, 60 bytes each, are the most that a recorder could make.
 */
#define UNPACKED_MIN   ((uint64_t)256 << 20)
#define UNPACKED_RATIO 1000

/* And into so many records: the time of each differs, which takes a byte at least. */
#define RECORDS_MIN   ((uint64_t)1 << 20)
#define RECORDS_RATIO 2

struct records_chunk {
	unsigned holders;
	struct text text;
};

void records_init(struct records *records, struct bytes region, uint64_t offset, bool is_unaligned)
{
	*records = (struct records){
		.region = region,
		.begin = region.at,
		.offset = offset,
		.is_unaligned = is_unaligned,
	};
}

void records_hold(struct records_chunk *chunk)
{
	if (chunk)
		chunk->holders++;
}

void records_drop(struct records_chunk *chunk)
{
	if (!chunk || --chunk->holders)
		return;
	text_release(&chunk->text);
	free(chunk);
}

void records_release(struct records *records)
{
	zstd_stream_free(records->zstd);
	records_drop(records->chunk);
	*records = (struct records){0};
}

static uint64_t offset_of(const struct records *records, const unsigned char *at)
{
	return records->offset + (uint64_t)(at - records->begin);
}

/* ---- one record */

/* Its raw payload behind it: AUX area data and tracing data have sizes of their own. */
static bool take_payload(struct bytes *bytes, struct perf_record *record)
{
	struct bytes body = record->bytes;
	uint64_t size64;
	uint32_t size32;

	bytes_skip(&body, HEADER_SIZE);
	if (record->type == PERF_RECORD_AUXTRACE)
		return bytes_u64(&body, &size64) && bytes_part(bytes, size64, &record->payload);
	if (record->type != PERF_RECORD_HEADER_TRACING_DATA)
		return true;
	if (!bytes_u32(&body, &size32))
		return false;
	/* old simpleperf has the data in the record itself */
	if (bytes_left(&body) > 4)
		return bytes_part(&body, size32, &record->payload);
	return bytes_part(bytes, size32, &record->payload);
}

/* The length of a COMPRESSED2 record, whose size field cannot be trusted. */
static bool compressed2_size(struct bytes bytes, uint16_t stored, uint64_t *ret)
{
	uint64_t data_size, padded;

	if (!bytes_skip(&bytes, HEADER_SIZE) || !bytes_u64(&bytes, &data_size) ||
	    data_size > bytes_left(&bytes))
		return false;
	padded = (16 + data_size + 7) & ~(uint64_t)7;
	*ret = padded > UINT16_MAX ? 16 + data_size : padded;
	return padded > UINT16_MAX ? (padded & 0xffff) == stored : padded == stored;
}

/* A record of any kind, with all that may be behind it. */
static bool take_any(struct bytes *bytes, struct perf_record *ret)
{
	struct bytes at = *bytes;
	struct perf_record record = {.print.attr = UINT32_MAX};
	uint16_t stored;
	uint64_t size;

	if (!bytes_u32(&at, &record.type) || !bytes_u16(&at, &record.misc) ||
	    !bytes_u16(&at, &stored))
		return false;
	size = stored;
	if (record.type == PERF_RECORD_COMPRESSED2 && !compressed2_size(*bytes, stored, &size))
		return false;
	if (record.type >= PERF_RECORD_SIMPLEPERF && record.type < PERF_RECORD_SIMPLEPERF + 16) {
		size = (uint64_t)record.misc << 16 | stored;
		record.misc = 0;
	}
	at = *bytes;
	if (size < HEADER_SIZE || !bytes_part(&at, size, &record.bytes) ||
	    !take_payload(&at, &record))
		return false;
	*bytes = at;
	*ret = record;
	return true;
}

/*
 * Takes the record that begins here. False where none does, or it is not whole. Nearly all are
 * samples, whose size is what their header says; *ret is written once, field by field.
 */
static bool take_record(struct bytes *bytes, struct perf_record *ret)
{
	const unsigned char *at = bytes->at;
	size_t left = bytes_left(bytes);
	uint32_t type;
	uint16_t misc, size;

	/* one line of each record is looked at here, too few for memory to foresee what comes next:
	   to ask for all, which are needed a round later anyway, takes half of the time of asking
	   for one */
	records_fetch(at + FETCH_BYTES);
	if (left < HEADER_SIZE)
		return false;
	memcpy(&type, at, sizeof(type));
	if (bytes->is_swapped || type != PERF_RECORD_SAMPLE)
		return take_any(bytes, ret);
	memcpy(&misc, at + 4, sizeof(misc));
	memcpy(&size, at + 6, sizeof(size));
	if (size < HEADER_SIZE || size > left)
		return false;
	ret->type = type;
	ret->misc = misc;
	ret->bytes.at = at;
	ret->bytes.end = bytes->at = at + size;
	ret->bytes.is_swapped = false;
	ret->payload = (struct bytes){0};
	ret->offset = 0;
	ret->chunk = NULL;
	ret->print.attr = UINT32_MAX;
	return true;
}

bool records_parse(struct bytes bytes, struct perf_record *ret)
{
	return take_record(&bytes, ret);
}

/* ---- finding the next record again */

/* Do records that are known, and large enough, follow each other from here? */
static bool is_plausible(struct bytes bytes)
{
	for (int i = 0; i < RESYNC_RECORDS; i++) {
		struct perf_record record;

		if (!bytes_left(&bytes) && i)
			return true;
		if (!take_record(&bytes, &record) || !perf_record_least(record.type) ||
		    bytes_left(&record.bytes) < perf_record_least(record.type))
			return false;
	}
	return true;
}

/* The first place from here on, at steps so long, where records follow each other; else the end. */
static const unsigned char *find_records(struct bytes bytes, size_t step)
{
	size_t left = bytes_left(&bytes);
	size_t most = left < RESYNC_BYTES_MAX ? left : RESYNC_BYTES_MAX;
	const unsigned char *from = bytes.at;

	for (size_t skipped = step; skipped + HEADER_SIZE <= most; skipped += step) {
		struct bytes at = {from + skipped, bytes.end, bytes.is_swapped};
		uint32_t type = 0;

		/* most places are told by that alone */
		bytes_u32(&at, &type);
		if (type - 1 >= PERF_RECORD_TYPES_END && type - PERF_RECORD_SIMPLEPERF >= 16)
			continue;
		at.at = from + skipped;
		if (is_plausible(at))
			return at.at;
	}
	return bytes.end;
}

/*
 * Records of the kernel are multiples of 8 bytes long. Those of pipes are not, nor are packed
 * ones; the stream that is unpacked is, as long as nothing of it is missing.
 */
static bool is_aligned(const struct records *records, const struct bytes *bytes)
{
	struct bytes at = *bytes;
	uint32_t type = 0;

	if (bytes != &records->region)
		return !records->damage.bad_blocks;
	bytes_u32(&at, &type);
	return !records->is_unaligned && !records->zstd && type != PERF_RECORD_COMPRESSED;
}

static bool resync(struct records *records, struct bytes *bytes)
{
	bool was_aligned = is_aligned(records, bytes);
	const unsigned char *found = bytes->end, *from = bytes->at;

	if (was_aligned)
		found = find_records(*bytes, 8);
	if (!was_aligned || (found == bytes->end && bytes == &records->region))
		found = find_records(*bytes, 1);
	bytes->at = found;
	if (found == bytes->end)
		records->damage.lost_bytes += (uint64_t)(found - from);
	else
		records->damage.skipped_bytes += (uint64_t)(found - from);
	return found != bytes->end;
}

static bool note_break(struct records *records, struct bytes *bytes)
{
	struct records_damage *damage = &records->damage;

	if (!damage->places++)
		damage->first_offset = bytes == &records->region ? offset_of(records, bytes->at)
								 : records->chunk_offset;
	return resync(records, bytes);
}

/* ---- packed records */

/* Pieces that were glued together because their size field overflowed. */
static bool feed_compressed2(struct records *records, struct bytes body, struct text *out)
{
	uint64_t left;
	struct bytes piece;

	if (!bytes_u64(&body, &left) || left > bytes_left(&body))
		return false;
	body.end = body.at + left;
	if (left <= COMPRESSED2_PIECE)
		return zstd_stream_feed(records->zstd, body.at, left, out);
	bytes_part(&body, COMPRESSED2_PIECE, &piece);
	for (;;) {
		uint32_t type;
		uint16_t misc, size;

		if (!zstd_stream_feed(records->zstd, piece.at, bytes_left(&piece), out))
			return false;
		if (!bytes_left(&body))
			return true;
		if (!bytes_u32(&body, &type) || !bytes_u16(&body, &misc) ||
		    !bytes_u16(&body, &size) || !bytes_skip(&body, 8) || size < 16 ||
		    !bytes_part(&body, size - 16u, &piece))
			return false;
	}
}

/*
 * A chunk that takes over what was left of the one before: a record may begin in one packed
 * record and end in the next. It is the same one where no record was taken from it yet.
 */
static struct records_chunk *next_chunk(struct records *records)
{
	struct records_chunk *chunk = records->chunk;
	size_t left = bytes_left(&records->unpacked);

	if (chunk && left && left == chunk->text.size && chunk->holders == 1)
		return chunk;
	chunk = mem_zalloc(1, sizeof(*chunk));
	chunk->holders = 1;
	text_add_bytes(&chunk->text, records->unpacked.at, left);
	records_drop(records->chunk);
	records->chunk = chunk;
	return chunk;
}

static bool feed(struct records *records, const struct perf_record *packed, struct text *out)
{
	struct bytes body = packed->bytes;
	uint64_t size = bytes_left(&body), before = out->size, limit = UNPACKED_MIN;
	bool is_good;

	records->packed_bytes += size;
	if (records->unpacked_bytes >= limit + UNPACKED_RATIO * records->packed_bytes)
		return false;
	bytes_skip(&body, HEADER_SIZE);
	if (packed->type == PERF_RECORD_COMPRESSED2)
		is_good = feed_compressed2(records, body, out);
	else
		is_good = zstd_stream_feed(records->zstd, body.at, bytes_left(&body), out);
	records->unpacked_bytes += out->size - before;
	return is_good;
}

static void note_bad_block(struct records *records, uint64_t offset)
{
	if (!records->damage.bad_blocks++)
		records->damage.bad_offset = offset;
}

static void unpack(struct records *records, const struct perf_record *packed)
{
	struct records_chunk *chunk = next_chunk(records);

	if (!records->zstd)
		records->zstd = zstd_stream_new();
	if (!feed(records, packed, &chunk->text)) {
		note_bad_block(records, packed->offset);
		/* the stream cannot be taken up again: what is packed later is lost with it */
		zstd_stream_restart(records->zstd);
	}
	records->chunk_offset = packed->offset;
	records->unpacked.at = (const unsigned char *)chunk->text.bytes;
	records->unpacked.end = records->unpacked.at + chunk->text.size;
	records->unpacked.is_swapped = records->region.is_swapped;
}

/* Is what is left of a chunk no beginning of a record, but damage? */
static bool is_broken(struct bytes bytes)
{
	uint32_t type;
	uint16_t misc, size;

	return bytes_left(&bytes) > UINT16_MAX ||
	       (bytes_u32(&bytes, &type) && bytes_u16(&bytes, &misc) && bytes_u16(&bytes, &size) &&
		size < HEADER_SIZE);
}

/* A record out of the chunk; false where what is left of it is no whole record. */
static bool next_unpacked(struct records *records, struct perf_record *ret)
{
	while (bytes_left(&records->unpacked)) {
		if (records->unpacked_nr >= RECORDS_MIN + RECORDS_RATIO * records->packed_bytes) {
			records->unpacked.at = records->unpacked.end;
			note_bad_block(records, records->chunk_offset);
			break;
		}
		if (take_record(&records->unpacked, ret)) {
			records->unpacked_nr++;
			ret->offset = records->chunk_offset;
			ret->chunk = records->chunk;
			return true;
		}
		if (!is_broken(records->unpacked) || !note_break(records, &records->unpacked))
			break;
	}
	return false;
}

/*
 * No more packed records come: what is left is the beginning of one that was cut off, or one
 * whose size is damaged, behind which others may stand.
 */
static bool drain(struct records *records)
{
	struct bytes left = records->unpacked;
	struct records_damage damage = records->damage;

	if (!bytes_left(&left))
		return false;
	if (!note_break(records, &left)) {
		records->damage = damage;
		records->damage.undelivered = bytes_left(&records->unpacked);
		records->damage.undelivered_offset = records->chunk_offset;
		records->unpacked.at = records->unpacked.end;
		return false;
	}
	records->unpacked = left;
	return true;
}

bool records_next(struct records *records, struct perf_record *ret)
{
	if (bytes_left(&records->unpacked) && next_unpacked(records, ret))
		return true;
	for (;;) {
		if (!bytes_left(&records->region)) {
			if (drain(records) && next_unpacked(records, ret))
				return true;
			return false;
		}
		if (take_record(&records->region, ret))
			break;
		if (!note_break(records, &records->region))
			return false;
	}
	ret->offset = offset_of(records, ret->bytes.at);
	if (ret->type == PERF_RECORD_AUXTRACE)
		records->damage.aux_bytes += bytes_left(&ret->payload);
	if (ret->type == PERF_RECORD_COMPRESSED || ret->type == PERF_RECORD_COMPRESSED2)
		unpack(records, ret);
	return true;
}
