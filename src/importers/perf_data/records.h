/* records.h - the stream of records: one after the other, unpacked where it is packed */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memo.h"
#include "importers/perf_data/record_types.h"

struct records_chunk;
struct zstd_stream;

/*
 * The fingerprint of a sample's call chain, taken when its bytes come by: see perf_plain_print().
 */
struct perf_print {
	struct memo_key key;
	uint32_t attr; /* as whose sample the record was read; UINT32_MAX: there is none */
};

/* A record that is whole. Its bytes live as long as the file or, unpacked, its chunk. */
struct perf_record {
	uint32_t type;
	uint16_t misc;
	struct bytes bytes;	     /* the whole record, its header of 8 bytes too */
	struct bytes payload;	     /* raw bytes behind it that its size does not count */
	uint64_t offset;	     /* where it is in the file; of a packed one: its packing */
	struct records_chunk *chunk; /* what holds its bytes, NULL: the file */
	struct perf_print print;     /* made by who reads it, and kept for who is said it */
};

/* As many lines of the cache as most records have, and one more. */
#define RECORDS_FETCH_LINES 4

/* Asks for the lines from a record's first byte on; there may be none. */
static inline void records_fetch(const unsigned char *at)
{
	for (unsigned line = 0; line < RECORDS_FETCH_LINES; line++)
		__builtin_prefetch(at + 64 * line);
}

/* What went wrong on the way. */
struct records_damage {
	uint64_t places;	/* where the chain of records was broken */
	uint64_t first_offset;	/* the first of them */
	uint64_t skipped_bytes; /* from a break to the next record that was found */
	uint64_t lost_bytes;	/* behind the last record, where none was found any more */
	uint64_t bad_blocks;	/* packed blocks that do not unpack */
	uint64_t bad_offset;	/* the first of them */
	uint64_t undelivered;	/* unpacked bytes that are no whole record at the end */
	uint64_t undelivered_offset;
	uint64_t aux_bytes; /* of AUX area data, passed over */
};

struct records {
	struct bytes region; /* what is left of the file's region */
	const unsigned char *begin;
	uint64_t offset; /* of begin in the file */
	bool is_unaligned;
	struct zstd_stream *zstd;
	struct records_chunk *chunk; /* being read, NULL: the region itself */
	struct bytes unpacked;	     /* what is left of the chunk */
	uint64_t chunk_offset;
	/* of all packed records so far */
	uint64_t packed_bytes, unpacked_bytes, unpacked_nr;
	struct records_damage damage;
};

/* Begins at a region of a file: data, or a data.N of a directory. */
void records_init(struct records *records, struct bytes region, uint64_t offset, bool is_unaligned);
void records_release(struct records *records);

/*
 * The next record; false at the end. A compressed record is given, too, before what is in it.
 * At a break the next place is looked for where records follow each other again.
 */
bool records_next(struct records *records, struct perf_record *ret);

/* The record that these bytes begin with. False where that is none, or it is not whole. */
bool records_parse(struct bytes bytes, struct perf_record *ret);

/* A chunk lives while somebody holds it. NULL is fine. */
void records_hold(struct records_chunk *chunk);
void records_drop(struct records_chunk *chunk);
