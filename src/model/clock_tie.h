/* clock_tie.h - what is known of a clock: how far it is from another one, and how exactly */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/source_clock.h"

/* How a tie is known. */
enum tie_how {
	TIE_CLOCK_DATA, /* the recorder read its clock and wall time, one right after the other */
	TIE_COLUMNS,	/* a row of counters has the time of both clocks */
	TIE_KERNEL_LOG, /* a line of the kernel log holds the wall time at which it was written */
	TIE_GIVEN,	/* somebody said it */
	TIE_SAME,	/* somebody said that it is one clock of one boot of one machine */
	TIE_FIT,	/* sampled CPU time fits a counter of CPU time there alone */
	TIE_HOW_NR,
};

/* The place of wall time (since 1970 in UTC) among captures. */
#define CLOCK_WALL UINT32_MAX

/*
 * What two clocks may drift apart where nothing says: a crystal is off by up to 50 ppm, and one
 * that a network corrects runs at most so much against one that it does not.
 */
#define TIE_DRIFT_PPB	  100000
#define TIE_DRIFT_PPB_MAX 10000000

/*
 * At a time of the source's clock from first_ns to last_ns the target's clock showed that time +
 * offset_ns, to within error_ns both ways. Outside of them the error grows by drift_ppb.
 */
struct clock_tie {
	uint32_t source, target; /* captures; the target may be CLOCK_WALL */
	enum tie_how how;
	uint64_t first_ns, last_ns;
	int64_t offset_ns;
	uint64_t error_ns;
	uint64_t drift_ppb; /* ns of a second */
};

struct clock_ties {
	struct clock_tie *list; /* owned */
	size_t nr, alloc;
};

/* Beyond these no more are kept of one capture. */
#define CLOCK_TIES_MAX 1024

void clock_ties_release(struct clock_ties *ties);

/* Adds a copy. False where there are CLOCK_TIES_MAX of that source already. */
bool clock_ties_add(struct clock_ties *ties, const struct clock_tie *tie);

/* A time that is only known to lie between these; below 0: before the clock began. */
struct clock_interval {
	__int128 from_ns, to_ns;
};

/* Where a time of the source lies on the target's clock, or back again. */
struct clock_interval clock_tie_forward(const struct clock_tie *tie, struct clock_interval at);
struct clock_interval clock_tie_back(const struct clock_tie *tie, struct clock_interval at);

/*
 * Makes the tie of two moments: when the source's clock showed source_ns, the target's showed
 * target_ns, to within error_ns. False where they are farther apart than 2^63 ns.
 */
bool clock_tie_of(uint64_t source_ns, uint64_t target_ns, uint64_t error_ns, struct clock_tie *ret);

/* What the clock may drift apart from wall time: nothing where it is corrected together with it. */
uint64_t clock_tie_drift_ppb(enum source_clock clock);

/* "clock-data": a key of JSON and of table clock_map, never renamed. The reverse gives TIE_HOW_NR.
 */
const char *tie_how_word(enum tie_how how);
enum tie_how tie_how_of_word(const char *word);

/* In words for people: "the recorder's clock reference". */
const char *tie_how_text(enum tie_how how);
