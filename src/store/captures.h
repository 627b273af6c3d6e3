/* captures.h - the list of the captures that are in a profile */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/units.h"
#include "model/source_clock.h"

struct store;

/* A capture that is in the profile. Strings are owned. */
struct store_capture {
	int64_t id;
	char *name, *format, *sha256;
	uint64_t size_bytes;
	weight samples;
	int64_t first_sample, last_sample; /* ids; last < first where it has none */
	int64_t first_location, last_location, first_stack, last_stack, first_event;
	uint64_t start_ns, end_ns; /* valid with has_times */
	bool has_times, has_first_event;
	uint64_t records, lost, lost_samples;
	enum source_clock clock;
};

struct store_captures {
	struct store_capture *list;
	size_t nr, alloc;
};

/* All captures in the order in which they were added. Owned: store_captures_release(). */
ERROR_RESULT struct error *store_captures(struct store *store, struct store_captures *ret);
void store_captures_release(struct store_captures *captures);
