/* fold_diff.h - folded stacks of two sides, a line each with both weights */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct profile_options;

/*
 * Reads both operands and writes "outermost;...;leaf BEFORE AFTER", sorted by name. Normalized, the
 * before side is what it would be with the total of the after side; fractions are kept.
 */
ERROR_RESULT struct error *fold_diff_run(const struct profile_options *options, int argc,
					 char **argv, bool is_normalized, const char *output);
