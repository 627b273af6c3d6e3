/* location_block.h - the derived table location_block: the functions of each location, as JSON */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct capture;
struct store;

/*
 * A block is an array with an element for each location: the id of its function, or an array of
 * them, outermost first, where functions were inlined: [12,13,[12,40,41],12].
 */

/*
 * Fills location_block for a capture whose locations and functions have the ids base_location
 * and base_function on: what is read where no address matters, much less than the locations.
 */
ERROR_RESULT struct error *location_block_write(struct store *store, const struct capture *capture,
						int64_t capture_id, int64_t base_location,
						int64_t base_function);

/* A block while it is read. Zeroed but for base and limit; location_block_release() at the end. */
struct location_block {
	const char *at, *end; /* what is left of its text, borrowed */
	int64_t base;	      /* ids are base <= id < base + limit, and base is taken off them */
	uint32_t limit;
	uint32_t *functions; /* owned: of the location at hand */
	uint32_t nr;
	size_t alloc;
	bool is_first;
};

enum location_block_step {
	LOCATION_BLOCK_LOCATION,
	LOCATION_BLOCK_END,
	LOCATION_BLOCK_DAMAGED,
};

/* Begins the text of a block, which is borrowed until its end. False where it is none. */
bool location_block_begin(struct location_block *block, const char *text);
enum location_block_step location_block_next(struct location_block *block);
void location_block_release(struct location_block *block);
