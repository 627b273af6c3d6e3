/* unwindings.h - how call chains were found, in table unwinding */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct replay;
struct store;
struct unwindings;

/* Rows from `first` on, in the order of their ids in the model. */
ERROR_RESULT struct error *store_unwindings_write(struct store *store, int64_t capture,
						  int64_t first,
						  const struct unwindings *unwindings);

/* Those of the capture into replay->model and replay->unwindings. */
ERROR_RESULT struct error *store_unwindings_read(struct replay *replay);
