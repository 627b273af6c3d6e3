/* clock_missing.h - what is missing where nothing ties two clocks, and how to get it */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct clock_map;
struct text;

/*
 * The error: the two captures, their clocks, and as its hint the one command that helps most,
 * for the one of them that is not tied to wall time.
 */
ERROR_RESULT struct error *clock_missing(const struct clock_map *map, uint32_t source,
					 uint32_t target);

/* Adds what would tie the capture's clock to wall time, as a command: "tephra align ...". */
void clock_missing_add_help(const struct clock_map *map, uint32_t source, uint32_t other,
			    struct text *text);
