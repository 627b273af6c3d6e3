/* dumps.h - samples with a stack dump: its frames joined with the kernel's chain */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/dump_stack.h"
#include "model/unwinder.h"

struct perf_chains;
struct perf_sample;

struct perf_dumps {
	struct unwound unwound; /* of the sample at hand, unless it came ahead */
	struct dump_stack stack;
};

void perf_dumps_release(struct perf_dumps *dumps);

/* Does it have a dump whose frames are not in its chain already? */
bool perf_dumps_has(const struct perf_sample *sample);

/*
 * The stack of such a sample, by the capture's unwinder, which must be there: as perf joins them,
 * the kernel's frames, then those of the dump. mask says which registers the sample has, misc is
 * the record's. `ahead` is what it was unwound to already, NULL: it is unwound now. False where
 * there is no frame at all.
 */
bool perf_dumps_find(struct perf_dumps *dumps, struct perf_chains *chains,
		     const struct perf_sample *sample, uint64_t mask, unsigned misc,
		     const struct unwound *ahead, struct dump_stack_ids *ret, bool *ret_lacks_file);

/* The same of many at once ahead of time: fills all of a job but where its frames go. */
void perf_dumps_prepare(struct perf_chains *chains, const struct perf_sample *sample, uint64_t mask,
			struct unwinder_job *job);
