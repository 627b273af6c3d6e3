/* replay.h - the store as a source: a profile's captures said to a sink again */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "model/sink.h"

struct capture;
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
};

struct store_captures {
	struct store_capture *list;
	size_t nr, alloc;
};

/* All captures in the order in which they were added. Owned: store_captures_release(). */
ERROR_RESULT struct error *store_captures(struct store *store, struct store_captures *ret);
void store_captures_release(struct store_captures *captures);

struct replay_options {
	/*
	 * Samples one by one with time, cpu and address; else the derived path weights: the same
	 * sums per task, event and path of functions, which is much less to read.
	 */
	bool needs_samples;
	bool has_range; /* only samples with from_ns <= time < to_ns, found by bisection */
	uint64_t from_ns, to_ns;
};

/* How many samples a range left out, which were not said. */
struct replay_count {
	weight left_out;
};

/*
 * Says the capture's samples to sink and fills model: the same ids, in the same order, as
 * when it was imported (with path weights: only what they need). What was noted then is in
 * model's notes and facts. Ids that lead nowhere are an error: a profile may be damaged.
 */
ERROR_RESULT struct error *store_replay(struct store *store, const struct store_capture *from,
					const struct replay_options *options, struct capture *model,
					struct sink *sink, struct replay_count *ret);
