/* choose.h - which captures of a profile are meant */
#pragma once

#include <stddef.h>

#include "base/error.h"

struct store_captures;

/*
 * The captures of the profile `operand` whose samples are wanted: the one of the name `wanted`,
 * with "all" every one, and without a name (NULL) the only one that has samples. Counters are not
 * asked about. The error where that is not one lists what there is.
 */
ERROR_RESULT struct error *choose_captures(const char *operand, const char *wanted,
					   const struct store_captures *all, size_t *ret_first,
					   size_t *ret_nr);
