/* path_weight.h - what the derived table path_block holds: weights by path of functions */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct store;
struct tally;

/* Where the ids of the capture begin in each table. */
struct path_weight_bases {
	int64_t capture, event, task, function;
};

/*
 * Fills path_block for a capture from a tally by task. A path is the functions of a sample,
 * outermost first: the callers' symbols (see locations_symbol()) and the leaf's.
 */
ERROR_RESULT struct error *path_weight_write(struct store *store, const struct tally *tally,
					     const struct path_weight_bases *base);
