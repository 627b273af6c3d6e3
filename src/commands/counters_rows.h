/* counters_rows.h - what tephra counters says of one operand: a row for each series and measure */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/per_unit.h"
#include "base/error.h"

struct counters_side;
struct text;

struct counters_row {
	char *capture, *series, *measure, *unit, *remark; /* owned; "" for nothing */
	const char *role;
	double seconds; /* what one of the unit is in seconds; 0 where it is no time */
	struct per_unit result;
	bool has_value, has_interval; /* result.low and high are finite */
};

struct counters_rows {
	struct counters_row *list; /* owned */
	size_t nr, alloc;
};

/* What is divided by: NULL for seconds. "1000 instructions" is per 1000 of them. */
struct counters_divisor {
	const char *name;
	double units; /* 1, or 1000 */
};

/* Reads all series of the side, one after the other, and measures them. */
ERROR_RESULT struct error *counters_rows_build(struct counters_side *side,
					       const struct counters_divisor *divisor,
					       struct counters_rows *ret);
void counters_rows_release(struct counters_rows *rows);

/* Adds a row; texts are copied. The row's own members are to be filled in. */
struct counters_row *counters_rows_add(struct counters_rows *rows, const char *capture,
				       const char *series, const char *measure, const char *unit);

/* Replaces the remark, or adds to it behind "; ". */
void counters_row_remark(struct counters_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What one of a unit is in seconds; 0 where it is no time. */
double counters_unit_seconds(const char *unit);

/* Fills in a result, times scale, and what is to be said of it. */
void counters_row_set(struct counters_row *row, const struct per_unit *result, double scale);
