/* losses.h - LOST, LOST_SAMPLES, THROTTLE and UNTHROTTLE records, each by event and second */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"

struct perf_data;
struct perf_record;

/* Events that are stopped at the moment, each instance (of a CPU or thread) by its own id. */
struct perf_losses {
	struct perf_stopped {
		uint64_t stream_id, begin_ns;
		uint32_t event;
		bool is_stopped;
	} * list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;
};

void perf_losses_release(struct perf_losses *losses);

/* Takes a record of the types above, in the order of time; body is without header and trailer. */
void perf_losses_take(struct perf_data *data, const struct perf_record *record, struct bytes body);

/* At the end: what is stopped still. */
void perf_losses_finish(struct perf_data *data);
