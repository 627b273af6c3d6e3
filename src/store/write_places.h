/* write_places.h - symbols, locations and stacks of a capture into their tables */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct capture;
struct store;

/* Where the ids of a capture begin in each table: model ids count from 0. */
struct place_bases {
	int64_t capture, module, symbol, location, stack;
};

/*
 * Writes those of the capture that are its own: places, and no functions of frames. symbol_of
 * gets, per name id, the row of table symbol, -1 for none.
 */
ERROR_RESULT struct error *write_places(struct store *store, const struct capture *capture,
					const struct place_bases *base, int64_t *symbol_of);
