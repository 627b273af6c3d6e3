/* lines.h - which line of which file the addresses of one unit come from */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_ranges;
struct line_table;

struct line_row {
	uint32_t file; /* a number in the table's list; LINE_NO_FILE: nothing is known */
	uint32_t line; /* 0: none */
};

#define LINE_NO_FILE UINT32_MAX

/*
 * Runs the table's program once; ret[i] = the row that covers vaddrs[i] (rising). The batch is
 * there before the rows, so that none of them is kept. Rows of dropped functions, which begin
 * outside of code, are passed over; where sequences overlap the first one counts. False: the
 * program is damaged; what it said before is in ret.
 */
bool lines_find(const struct line_table *table, const struct code_ranges *code,
		const uint64_t *vaddrs, size_t nr, struct line_row *ret);

/* What the table covers: each sequence of rows from its first address to its end. */
typedef void lines_range(void *context, uint64_t low, uint64_t high);
bool lines_each_range(const struct line_table *table, const struct code_ranges *code,
		      lines_range *range, void *context);
