/* top_rows.h - self and total weight per function as a table, CSV or JSON */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "commands/rows.h"

struct profile;
struct top;

/* The first `limit` functions, in the order of top. What a table leaves out it says. */
void top_rows_write(const struct profile *profile, const struct top *top, size_t limit,
		    enum rows_format format, FILE *out);
