/* known.h - samples that were said, by the fingerprint of all that their stack depends on */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memo.h"

struct sample;
struct sink;

/*
 * As in struct memo 96 bits stand for what was there. Where the sink lets them be added up, samples
 * that are like another one are no more than a look at its slot, which is half a line of the cache.
 */
struct perf_known_slot {
	uint64_t high; /* 0: the slot is free */
	uint32_t low;
	uint32_t known;	 /* as in struct sample */
	uint64_t period; /* of those that are not said yet */
	uint32_t count;
	uint32_t said; /* index into the list */
};

struct perf_known {
	struct perf_known_slot *slots; /* owned; NULL: nothing is known yet */
	unsigned shift;		       /* so far right is a place in the high bits */
	uint32_t mask;		       /* slots - 1 */
	struct perf_known_said {
		uint32_t callers, leaf, task, event;
	} * list; /* owned: in the order in which they came */
	uint32_t nr;
	size_t list_alloc;
	uint64_t latest_ns; /* of the samples that are not said yet */
	bool has_time;
};

void perf_known_release(struct perf_known *known);

/* Have so many come that all are to be said and forgotten? */
bool perf_known_is_full(const struct perf_known *known);

/* Keeps what perf_known_find() did not find, when it is not full. */
void perf_known_keep(struct perf_known *known, struct memo_key key, const struct sample *sample);

/* Says what was added up. */
ERROR_RESULT struct error *perf_known_say(struct perf_known *known, struct sink *sink);

static inline uint64_t perf_known_high(struct memo_key key)
{
	return key.high ? key.high : 1;
}

static inline void perf_known_fetch(const struct perf_known *known, struct memo_key key)
{
	if (known->slots)
		__builtin_prefetch(&known->slots[perf_known_high(key) >> known->shift]);
}

/* NULL: it is not known. Valid until the next perf_known_keep(). */
static inline struct perf_known_slot *perf_known_find(const struct perf_known *known,
						      struct memo_key key)
{
	uint64_t high = perf_known_high(key);

	if (!known->slots)
		return NULL;
	for (uint64_t at = high >> known->shift; known->slots[at].high; at = (at + 1) & known->mask)
		if (known->slots[at].high == high && known->slots[at].low == (uint32_t)key.low)
			return &known->slots[at];
	return NULL;
}

/* One more sample like it. False: there is no room for the sum, or none like it was said yet. */
static inline bool perf_known_add(struct perf_known_slot *slot, uint64_t period)
{
	uint64_t sum;

	if (!slot->known || slot->count == UINT32_MAX ||
	    __builtin_add_overflow(slot->period, period, &sum))
		return false;
	slot->period = sum;
	slot->count++;
	return true;
}
