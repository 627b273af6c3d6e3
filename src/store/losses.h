/* losses.h - what a recorder lost, in table loss */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct ids;
struct losses;
struct store;

/* Writes a capture's losses; event is the id of its first event. */
ERROR_RESULT struct error *store_losses_write(struct store *store, int64_t capture, int64_t event,
					      const struct losses *losses);

/* Adds what is stored of a capture to ret, in the same order. events: ids of the table's. */
ERROR_RESULT struct error *store_losses_read(struct store *store, int64_t capture,
					     const struct ids *events, struct losses *ret);
