/* clock_map.h - a time of one capture on the clock of another, as exactly as is known */
#pragma once

#include "base/error.h"
#include "model/clock_tie.h"
#include "model/source_clock.h"

struct clock_source {
	const char *name;	 /* borrowed */
	enum source_clock clock; /* that its times are of */
	bool has_times;
	uint64_t first_ns, last_ns; /* with has_times: those of its samples or points */
};

/* All is borrowed. Captures are indices into sources; CLOCK_WALL is wall time. */
struct clock_map {
	const struct clock_source *sources;
	uint32_t sources_nr;
	const struct clock_ties *ties;
	const char *profile; /* for the hint, NULL: none is given */
};

/* More captures than these are not brought onto one clock. */
#define CLOCK_SOURCES_MAX 4096

struct clock_time {
	uint64_t time_ns;  /* of the target's clock: the middle of what is possible ... */
	uint64_t error_ns; /* ... which reaches so far to both sides; rounded up */
	uint32_t hows;	   /* 1 << enum tie_how of each tie that was used; 0: none was needed */
};

/*
 * What the clock of capture `target` (or CLOCK_WALL) showed when that of `source` showed time_ns.
 * Errors along the way are added up; of several ways the most exact one is taken, and ties between
 * the same two clocks of different kinds must agree, or it is an error that names them. Where
 * nothing leads there the error says what is missing, and its hint how to get it. Times of a
 * capture on its own clock, and of one of wall time on wall time, are exact. So are times between
 * captures on one clock that overlap, which are taken to be of one boot, as another's would hardly
 * overlap: unless something ties the two, or their wall times say otherwise.
 */
ERROR_RESULT struct error *clock_map_time(const struct clock_map *map, uint32_t source,
					  uint64_t time_ns, uint32_t target,
					  struct clock_time *ret);

/* Is there a way, and one that does not contradict itself? */
bool clock_map_is_tied(const struct clock_map *map, uint32_t source, uint32_t target);
