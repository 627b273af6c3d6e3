/* crossing.h - when a limit was reached: saturation, capacity, rejections, completions that lag */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/milestone.h"

struct track;

/* Each is false where it did not happen; *ret_index (may be NULL) is the point. */

/* The first sustained stretch of at least CROSSING_SATURATED of `available` (in the track's unit).
 */
bool crossing_saturation(const struct track *used, double available, struct milestone *ret,
			 size_t *ret_index);

/* The first depth of at least CROSSING_FULL of the capacity; one point is enough. */
bool crossing_capacity(const struct track *depth, double capacity, struct milestone *ret,
		       size_t *ret_index);

/* The first rejection: a rate above 0. Exact to the tick, since a counter misses none. */
bool crossing_rejection(const struct track *rejected, struct milestone *ret, size_t *ret_index);

/*
 * The first sustained stretch from point `from` on in which completions were below CROSSING_BEHIND
 * of admissions. The tracks have the same times; where they have not, it is not known.
 */
bool crossing_admission(const struct track *completed, const struct track *admitted,
			struct milestone *ret, size_t *ret_index);
