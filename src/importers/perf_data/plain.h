/* plain.h - samples of words and a call chain alone, on their way: what most recordings have */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/known.h"
#include "importers/perf_data/records.h"
#include "model/sink.h"

struct perf_data;
struct order_entry;
struct perf_fields;

/*
 * The same as in sampling.h: under way so many. A quarter of this later it is looked whether they
 * are known, their stacks are found after a half, and all of it later they are said.
 */
#define PERF_PLAIN_AHEAD 16

struct perf_plain {
	struct perf_known known; /* samples that were said */
	struct perf_plain_sample {
		struct bytes chain; /* u64s, in the record or in room */
		uint64_t ip, time, period;
		uint32_t pid, tid, cpu;
		uint32_t attr;
		unsigned misc; /* the record's */
		struct perf_chain_hint hint;
		struct memo_key print;	     /* of its chain */
		struct memo_key key;	     /* among the known ones */
		struct records_chunk *chunk; /* held */
		struct sample said;
		struct text room;
	} * list;			      /* owned, PERF_PLAIN_AHEAD of them */
	uint64_t taken, checked, found, said; /* samples; those under way are from said to taken */
};

/* Are all samples of the capture such ones, and is nothing else asked of them? */
bool perf_plain_is(const struct perf_data *data);

/*
 * Takes the fingerprint of the call chain of a PERF_RECORD_SAMPLE of this attr: before it is put in
 * the order of time, when all of its bytes come into the cache in any case.
 */
void perf_plain_print(struct perf_record *record, uint32_t attr, const struct perf_fields *fields);

/* What a sample is found by among the known ones, and all else that matters of one that is. */
struct perf_plain_look {
	struct memo_key key;
	uint64_t period;
	uint64_t time; /* UINT64_MAX: it has none */
};

/*
 * Looks at a PERF_RECORD_SAMPLE that has a fingerprint, before it is its turn: false where it needs
 * more than a look.
 */
bool perf_plain_look(struct perf_data *data, const struct order_entry *entry,
		     struct perf_plain_look *ret);

/* Takes a PERF_RECORD_SAMPLE of this attr, in the order of time. */
ERROR_RESULT struct error *perf_plain_take(struct perf_data *data, const struct perf_record *record,
					   uint32_t attr);

/* Says what is under way: before the state changes that it was read with, and at the end. */
ERROR_RESULT struct error *perf_plain_flush(struct perf_data *data);

/* Says what was added up, when all is flushed: at the end. */
ERROR_RESULT struct error *perf_plain_finish(struct perf_data *data);

/* Forgets what is under way: after an error. */
void perf_plain_release(struct perf_plain *plain);
