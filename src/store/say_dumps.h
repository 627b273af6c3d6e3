/* say_dumps.h - the dumps that were kept with a capture, given to an unwinder */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct store;
struct store_capture;
struct unwinder;

/*
 * In the order of their samples, until is_over(context) says that it is enough; what they are
 * unwound to is for the unwinder to see, and changes nothing. Also while the same is read.
 */
ERROR_RESULT struct error *store_say_dumps(struct store *store, const struct store_capture *from,
					   struct unwinder *unwinder,
					   bool (*is_over)(const void *context),
					   const void *context);
