/* location_block.h - the derived table location_block: the function of each location */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct capture;
struct store;

/*
 * Fills location_block for a capture whose locations and functions have the ids base_location
 * and base_function on: what is read where no address matters, much less than the locations.
 */
ERROR_RESULT struct error *location_block_write(struct store *store, const struct capture *capture,
						int64_t capture_id, int64_t base_location,
						int64_t base_function);
