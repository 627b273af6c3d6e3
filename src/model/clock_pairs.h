/* clock_pairs.h - rows that have the time of two clocks, as few ties between them */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/clock_tie.h"

/* Offsets of neighbours that are no farther apart are one tie; a clock that is set makes another.
 */
#define CLOCK_PAIRS_BAND_NS 1000000

/* With more ties than these, those that are nearest become one, and less exact. */
#define CLOCK_PAIRS_MAX 64

/* Both clocks are read one after the other, by two calls. */
#define CLOCK_PAIRS_DELAY_NS 1000

/* The offsets of rows that follow each other. */
struct clock_stretch {
	uint64_t first_ns, last_ns;
	int64_t low_ns, high_ns;
};

/* Zeroed memory is empty. */
struct clock_pairs {
	struct clock_stretch *list; /* owned */
	size_t nr, alloc;
	uint64_t band_ns;
};

void clock_pairs_release(struct clock_pairs *pairs);

/* Both clocks at one moment; in the order of the first one. Beyond 2^63 it is left out. */
void clock_pairs_add(struct clock_pairs *pairs, uint64_t source_ns, uint64_t wall_ns);

/* Adds a tie for each stretch. */
void clock_pairs_finish(const struct clock_pairs *pairs, enum source_clock clock,
			struct clock_ties *ties);
