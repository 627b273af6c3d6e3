/* deferred.h - user call chains that came behind their samples (CALLCHAIN_DEFERRED, Linux 6.19) */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/text.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/sample.h"

struct perf_data;
struct perf_sample;

/*
 * A sample within the kernel may end in a marker and a cookie: its user frames are taken when the
 * thread leaves the kernel, and stand in a record of that cookie, which serves all samples of the
 * thread until then. Samples are said in the order of time, so these records are looked for in the
 * whole file when the first cookie is met: 40 bytes each, and of a packed file their frames, too.
 */
struct perf_deferred {
	bool is_scanned;
	struct perf_deferred_chain {
		uint64_t cookie;
		uint32_t tid;		 /* 0 where the records do not say */
		uint32_t nr;		 /* u64s */
		const unsigned char *at; /* in the file; NULL: in copies */
		size_t copy;
	} * list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;
	struct text copies;
};

void perf_deferred_release(struct perf_deferred *deferred);

/* Does a chain end with a cookie that stands for its user frames? */
static inline bool perf_deferred_is(const struct bytes *chain)
{
	size_t nr = bytes_left(chain) / 8;

	return nr >= 2 && perf_sample_word(chain, nr - 2) == PERF_CONTEXT_USER_DEFERRED;
}

/*
 * Puts the user frames of a sample in the place of its cookie. The joined chain is in `room`, and
 * the sample borrows it. Where no record has the cookie it is taken away, and noted; a chain
 * without one stays as it is.
 */
void perf_deferred_join(struct perf_data *data, struct perf_sample *sample, struct text *room,
			uint64_t offset);
