/* ordering.h - what left its baseline when, what reached its limit, and what that is read as */
#pragma once

#include "analysis/milestone.h"
#include "analysis/readings.h"

struct ordering {
	struct incident incident;
	struct readings readings;
	struct milestone
		*milestones; /* owned; roles are borrowed from the tracks. In order of time */
	size_t nr, alloc;
};

/*
 * Looks at the evidence, and for onsets at more tracks (NULL, 0: none). All tracks must live as
 * long as the order. The same seed gives the same answer.
 */
void ordering_make(const struct evidence *evidence, const struct track *const *more, size_t more_nr,
		   uint64_t seed, struct ordering *ret);
void ordering_release(struct ordering *order);
