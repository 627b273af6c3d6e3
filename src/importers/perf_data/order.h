/* order.h - records put into the order of time with bounded memory */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "importers/perf_data/records.h"

/* As small as it can be: it is moved when runs are merged. The rest is in the record. */
struct order_entry {
	uint64_t time;
	const unsigned char *at; /* the record's first byte */
	struct records_chunk *chunk;
	uint64_t offset;
	struct perf_print print;
};

/*
 * perf writes the buffers of all CPUs in rounds; each buffer is in order. When a round ends,
 * nothing older than the end of the round before can come any more: what is older is said.
 * Without rounds everything waits for the end.
 */
struct order {
	struct order_entry *list, *merged;
	size_t nr, list_alloc, merged_alloc;
	size_t waiting;	 /* of nr: in order already, left over by an earlier round */
	bool is_swapped; /* the records' byte order is not ours */
	uint64_t limit;	 /* the latest time of the round before */
	uint64_t latest; /* of this round: a time that is damaged does no harm for long */
	uint64_t
		first_other; /* not before that waits what is no sample; to begin with UINT64_MAX */
	/*
	 * Optional: takes samples out of the list, in any order, whose time is less than `before`,
	 * and answers how many entries are left, which stay in theirs. Nothing that comes before
	 * these samples is still to be said but other samples. Who takes them drops their chunks.
	 */
	size_t (*take_early)(void *context, struct order_entry *list, size_t nr, uint64_t before);
	struct error *(*say)(void *context, const struct perf_record *record);
	void *context;
};

void order_release(struct order *order);

/* The record of an entry. Only records whose size stands in their header are put in order. */
void order_record(const struct order_entry *entry, bool is_swapped, struct perf_record *ret);

static inline uint16_t order_misc(const struct order_entry *entry, bool is_swapped)
{
	uint16_t misc;

	memcpy(&misc, entry->at + 4, sizeof(misc));
	return is_swapped ? __builtin_bswap16(misc) : misc;
}

/* Takes a record in; its chunk is held until it was said. */
void order_add(struct order *order, uint64_t time, const struct perf_record *record);

/* A round is finished: says what cannot be preceded any more. */
ERROR_RESULT struct error *order_round(struct order *order);

/* Says all that is left. */
ERROR_RESULT struct error *order_finish(struct order *order);
