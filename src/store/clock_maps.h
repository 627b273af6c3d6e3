/* clock_maps.h - table clock_map: what ties the clocks of a profile's captures */
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "model/clock_map.h"

struct store;
struct store_captures;

/* All captures of a profile as sources of a clock map, in the order of the list that it is of. */
struct store_clocks {
	struct clock_source *sources; /* owned; names borrowed from the list */
	struct clock_ties ties;
	struct clock_map map; /* of the two above */
};

/* Owned: store_clocks_release(). Borrows captures and the store's path. */
ERROR_RESULT struct error *store_clocks_read(struct store *store,
					     const struct store_captures *captures,
					     struct store_clocks *ret);
void store_clocks_release(struct store_clocks *clocks);

/* Writes a capture's own ties to wall time; what their sources are is not looked at. */
ERROR_RESULT struct error *store_clocks_write(struct store *store, int64_t capture_id,
					      const struct clock_ties *ties);

/* Adds the capture's ties to wall time to *ret, as those of source 0. */
ERROR_RESULT struct error *store_clocks_of(struct store *store, int64_t capture_id,
					   struct clock_ties *ret);

/* Adds a tie between captures of the list, or of one to wall time. */
ERROR_RESULT struct error *store_clocks_add(struct store *store,
					    const struct store_captures *captures,
					    const struct clock_tie *tie);

/*
 * Takes away the ties of that kind (TIE_HOW_NR: of all kinds) which the capture is an end of.
 * *ret_nr is how many there were.
 */
ERROR_RESULT struct error *store_clocks_forget(struct store *store, int64_t capture_id,
					       enum tie_how how, uint64_t *ret_nr);

/* Says which clock a capture's times are of. */
ERROR_RESULT struct error *store_clocks_name(struct store *store, int64_t capture_id,
					     enum source_clock clock);
