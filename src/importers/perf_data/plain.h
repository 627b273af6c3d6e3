/* plain.h - samples of words and a call chain alone, on their way: what most recordings have */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/records.h"
#include "model/sink.h"

struct perf_data;

/*
 * The same as in sampling.h: under way so many. A quarter of this later it is looked whether they
 * are known, their stacks are found after a half, and all of it later they are said.
 */
#define PERF_PLAIN_AHEAD 16

/* Samples that were said lately, by a part of their hash. */
#define PERF_KNOWN 65536

struct perf_known {
	uint64_t high;
	uint32_t low;
	uint32_t known; /* as in struct sample */
	uint32_t callers, leaf;
};

struct perf_plain {
	struct perf_known *known; /* owned, PERF_KNOWN of them */
	struct perf_plain_sample {
		struct bytes chain; /* u64s, in the record or in room */
		uint64_t ip, time, period;
		uint32_t pid, tid, cpu;
		uint32_t attr;
		unsigned misc; /* the record's */
		struct perf_chain_hint hint;
		struct memo_key key; /* of its place among the known ones */
		bool has_key, is_known;
		struct records_chunk *chunk; /* held */
		struct sample said;
		struct text room;
	} * list;			      /* owned, PERF_PLAIN_AHEAD of them */
	uint64_t taken, checked, found, said; /* samples; those under way are from said to taken */
};

/* Are all samples of the capture such ones, and is nothing else asked of them? */
bool perf_plain_is(const struct perf_data *data);

/* Takes a PERF_RECORD_SAMPLE of this attr, in the order of time. */
ERROR_RESULT struct error *perf_plain_take(struct perf_data *data, const struct perf_record *record,
					   uint32_t attr);

/* Says what is under way: before the state changes that it was read with, and at the end. */
ERROR_RESULT struct error *perf_plain_flush(struct perf_data *data);

/* Forgets what is under way: after an error. */
void perf_plain_release(struct perf_plain *plain);
