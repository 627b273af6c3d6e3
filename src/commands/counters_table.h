/* counters_table.h - rows of tephra counters written: of one operand, or of two compared */
#pragma once

#include <stdio.h>

struct counters_rows;

/* format: enum rows_format. */
void counters_table_write(const struct counters_rows *rows, int format, FILE *out);

/* Rows of the same series and measure side by side; those of one side alone, too. */
void counters_table_write_two(const struct counters_rows *before, const struct counters_rows *after,
			      int format, FILE *out);
