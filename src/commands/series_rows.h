/* series_rows.h - the counters of a capture or profile as rows */
#pragma once

#include "base/error.h"

struct profile_options;

/*
 * Writes what `tephra info --series` shows to output (as output_open() takes it): of the one
 * operand all series, those of all captures where it is a profile and none of them is named.
 */
ERROR_RESULT struct error *series_rows_run(const struct profile_options *options, int argc,
					   char **argv, const char *output, int format);
