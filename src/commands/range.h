/* range.h - a range of time as it is said: options, and the end of an operand "file@+4..+8" */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/select.h"

struct clock_map;

/* "701.25", "+12.5", "+250ms". option is what the error names: "--from", "a range". */
ERROR_RESULT struct error *range_parse(const char *option, const char *s, size_t size,
				       struct moment *ret);

/* --from and --to as they were given; NULL leaves its moment as it is. */
ERROR_RESULT struct error *range_options(const char *from, const char *to, struct moment *ret_from,
					 struct moment *ret_to);

/*
 * Takes the range behind the last @ off the operand, unless a file of the whole name is there. What
 * it does not say stays unset. The operand is cut also after an error.
 */
ERROR_RESULT struct error *range_take(char *operand, struct moment *ret_from,
				      struct moment *ret_to);

/*
 * The range on the clock of another capture of the map than that which it was said of; 0 and
 * UINT64_MAX where an end is not set. start_ns is where relative moments count from. The error says
 * what is missing where nothing ties the two.
 */
ERROR_RESULT struct error *range_on_clock(const struct clock_map *map, uint32_t said_of,
					  uint64_t start_ns, uint32_t capture,
					  const struct moment *from, const struct moment *to,
					  uint64_t *ret_from_ns, uint64_t *ret_to_ns);

/* The moment in ns; relative ones count from start_ns, as far as a time goes. Not set: otherwise.
 */
uint64_t range_ns(const struct moment *moment, uint64_t start_ns, uint64_t otherwise);
