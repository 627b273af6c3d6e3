/* derived.h - the tables that follow from names: functions, frames, their blocks, modules' files */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct capture;
struct store;
struct tally;

/* Where the ids of a capture begin in each table: model ids count from 0. */
struct derived_bases {
	int64_t capture, event, task, module, location, function;
};

/*
 * Writes them for a capture: locations of the model from capture->frames.places_nr on (where that
 * is set) are functions of frames, those before it the capture's own. symbol_of: per name id the
 * row of table symbol, -1 for none. The tally is by task.
 */
ERROR_RESULT struct error *derived_write(struct store *store, const struct capture *capture,
					 const struct tally *tally,
					 const struct derived_bases *base,
					 const int64_t *symbol_of);

/* Takes away what derived_write() wrote for the capture with this id. */
ERROR_RESULT struct error *derived_delete(struct store *store, int64_t capture_id);
