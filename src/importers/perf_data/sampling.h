/* sampling.h - samples on their way: read, their stacks looked for, and said */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/records.h"
#include "importers/perf_data/sample.h"
#include "model/sink.h"

struct perf_data;
struct unwinder_job;
struct unwound;

/*
 * Samples are under way: read, their stacks looked for half of this later, said after all of
 * it. What each step needs from memory is fetched by the one before (measured: a third of the
 * time was waiting).
 */
#define PERF_SAMPLING_AHEAD 16

/* The same of samples with stack dumps, where many are unwound at once; a power of 2, too. */
#define PERF_SAMPLING_AHEAD_MANY 512

/* What a sample needs is fetched so many before it is said. */
#define PERF_SAMPLING_SOON 4

struct perf_sampling {
	struct perf_pending {
		struct perf_record record; /* its chunk is held */
		uint32_t attr;
		struct sample said; /* callers, leaf, event and task are found first */
		struct perf_sample sample;
		struct perf_chain_hint hint;
		struct text chain;	       /* where the sample's had to be put together */
		const struct unwound *unwound; /* ahead of time, NULL: it was not */
	} * list;			       /* owned, so many as are ahead */
	uint32_t ahead;
	struct unwound *unwound;   /* owned, of half of those; NULL: they are unwound one by one */
	struct unwinder_job *jobs; /* owned, the same */
	uint64_t taken, found, said; /* samples; those under way are from said to taken */
};

/* Takes a PERF_RECORD_SAMPLE, in the order of time. Where all are plain, plain.h has them. */
ERROR_RESULT struct error *perf_sampling_take(struct perf_data *data,
					      const struct perf_record *record);

/* Says what is under way: before the state changes that it was read with, and at the end. */
ERROR_RESULT struct error *perf_sampling_flush(struct perf_data *data);

/* Forgets what is under way: after an error. */
void perf_sampling_release(struct perf_sampling *sampling);
