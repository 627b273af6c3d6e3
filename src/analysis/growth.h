/* growth.h - the function whose CPU time per item grew most, between two spans of samples */
#pragma once

#include <stdint.h>

#include "analysis/evidence.h"

struct naming;
struct utilisation;

struct growth {
	uint32_t function;     /* FUNCTION_NONE: none has grown, or none of those has a name */
	double before, during; /* ns of CPU per item, in it and in what it calls */
};

/*
 * Among functions that hold at least GROWTH_SHARE of what all CPU time per item grew by: the one
 * that grew by the greatest factor, so that a function that is new comes before its callers; of
 * equal ones the one with more. items are those completed in each span. Functions without a name
 * are passed over.
 */
struct growth growth_find(const struct utilisation *utilisation, const struct naming *naming,
			  struct span before, double items_before, struct span during,
			  double items_during);
