/* order.h - records put into the order of time with bounded memory */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "importers/perf_data/records.h"

/* As small as it can be: it is moved when runs are merged. The rest is in the record. */
struct order_entry {
	uint64_t time;
	const unsigned char *at; /* the record's first byte */
	struct records_chunk *chunk;
	uint64_t offset;
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
	struct error *(*say)(void *context, const struct perf_record *record);
	void *context;
};

void order_release(struct order *order);

/* Takes a record in; its chunk is held until it was said. */
void order_add(struct order *order, uint64_t time, const struct perf_record *record);

/* A round is finished: says what cannot be preceded any more. */
ERROR_RESULT struct error *order_round(struct order *order);

/* Says all that is left. */
ERROR_RESULT struct error *order_finish(struct order *order);
