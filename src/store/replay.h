/* replay.h - the store as a source: a profile's captures said to a sink again */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "model/sink.h"

struct capture;
struct store;
struct store_capture;

/* Where the ids of a capture that was read whole begin in the tables: model ids count from 0. */
struct replay_tables {
	int64_t event, task, module;
	int64_t *symbol_of; /* per name id its row of table symbol, -1 for none; the caller frees it
			     */
	uint32_t names_nr;
};

struct replay_options {
	/*
	 * Samples one by one, with time and cpu; else the derived path weights: the same
	 * sums per task, event and path of functions, which is much less to read.
	 */
	bool needs_samples;
	/*
	 * Of those samples the address and line of each place; else places are functions, as in
	 * path weights, and far fewer.
	 */
	bool needs_addresses;
	bool without_cpu;      /* samples are said without their CPU, which costs a column */
	bool without_frames;   /* without what files said, of modules and of places */
	bool needs_all_stacks; /* also those that no sample of the range has */
	bool needs_points;     /* of counters, said to sink->point */
	bool needs_dumps;      /* registers and stacks that were kept, as sample->user */
	bool has_range;	       /* only samples with from_ns <= time < to_ns, found by bisection */
	uint64_t from_ns, to_ns;
	struct replay_tables *tables; /* filled in, of one capture with addresses; may be NULL */
};

/* How many samples a range left out, which were not said. */
struct replay_count {
	weight left_out;
};

/*
 * Says the capture's samples to sink and fills model: the same ids, in the same order, as
 * when it was imported (functions instead of places and only the stacks of a small range, where
 * that is all that was asked for). What was noted
 * then is in model's notes and facts. Ids that lead nowhere are an error: a profile may be damaged.
 */
ERROR_RESULT struct error *store_replay(struct store *store, const struct store_capture *from,
					const struct replay_options *options, struct capture *model,
					struct sink *sink, struct replay_count *ret);
