/* onset.h - when a series left its baseline, as an interval */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/change.h"
#include "analysis/milestone.h"

struct track;

struct onset {
	bool is_found;
	struct change change; /* what the tests said; also where nothing was found */
	double baseline,
		spread;	  /* median and 1.4826 * median absolute deviation before the change */
	double threshold; /* a departure is farther from the baseline than this */
	int direction;	  /* 1: it rose, -1: it fell */
	size_t first;	  /* the first point of the departure */
	size_t last;	  /* the point behind its last: where the series is back, or nr */
	size_t peak;	  /* where it is over nine tenths of its greatest departure */
	bool is_ramp;	  /* a hinge fits better than a step */
	size_t knee;	  /* where the hinge turns; first where it is a step */
	struct milestone milestone; /* MILESTONE_ONSET of the track */
};

/*
 * The first sustained departure from the baseline, if change_test() finds a change: ONSET_SUSTAINED
 * of ONSET_WINDOW points farther away than ONSET_DEPARTURE spreads, the track's floor and
 * its share of the baseline. The interval ends with the point that departs first. It
 * begins with the point before, or, where a ramp was on its way for longer, before its knee; of
 * rates with the beginning of the time over which that point is a mean.
 */
void onset_find(const struct track *track, uint64_t seed, struct onset *ret);

/*
 * The first index from `from` on where the test holds for ONSET_SUSTAINED of ONSET_WINDOW points,
 * itself among them; nr where there is none. `holds` is borrowed, one per point; unknown points do
 * not hold.
 */
size_t onset_sustained(const bool *holds, size_t nr, size_t from, size_t window);

/* The interval in which point `index` of the track is the first of something. */
struct milestone onset_milestone(const struct track *track, size_t index, enum milestone_what what);
