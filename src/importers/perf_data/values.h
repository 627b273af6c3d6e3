/* values.h - counters that were read with a sample: what each counted since the last one */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "importers/perf_data/events.h"
#include "importers/perf_data/sample.h"

/* A counter that did not move between two samples is left out, as the leader's may be. */
struct perf_value {
	uint32_t attr;
	uint64_t delta;
};

struct perf_values {
	struct perf_value *list; /* owned, of the last sample */
	size_t nr, list_alloc;
	uint64_t unknown; /* values of that sample whose ids no attr has */
	struct last {
		uint64_t id;
		uint32_t tid; /* 0 where a counter is not one thread's */
		uint64_t value;
	} * lasts; /* owned */
	uint32_t lasts_nr;
	size_t lasts_alloc;
	struct map map; /* {id, tid} -> index into lasts */
};

void perf_values_release(struct perf_values *values);

/*
 * Takes the read_format block of a sample of this attr. Samples must come in the order of
 * time: the counters are totals, of an inherited event one for each thread.
 */
void perf_values_take(struct perf_values *values, const struct perf_events *events, uint32_t attr,
		      const struct perf_sample *sample);
