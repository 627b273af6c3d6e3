/* dumps.h - samples with a stack dump: its frames joined with the kernel's chain */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/unwinder.h"

struct perf_chains;
struct perf_sample;

struct perf_dumps {
	struct unwound unwound; /* of the sample at hand */
	uint32_t *ids;		/* being built, leaf first */
	char *letters;		/* of the same: what each was found by */
	size_t nr, ids_alloc, letters_alloc;
};

/* What a sample's stack is. */
struct perf_dump_stack {
	uint32_t callers, leaf, unwinding;
	bool lacks_file;
};

void perf_dumps_release(struct perf_dumps *dumps);

/* Does it have a dump whose frames are not in its chain already? */
bool perf_dumps_has(const struct perf_sample *sample);

/*
 * The stack of such a sample, by the capture's unwinder, which must be there: as perf joins them,
 * the kernel's frames, then those of the dump. mask says which registers the sample has, misc is
 * the record's. False where there is no frame at all.
 */
bool perf_dumps_find(struct perf_dumps *dumps, struct perf_chains *chains,
		     const struct perf_sample *sample, uint64_t mask, unsigned misc,
		     struct perf_dump_stack *ret);
