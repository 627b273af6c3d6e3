/* look_compare.h - tephra look at two captures, or at counters alone */
#pragma once

#include "base/error.h"

struct look_options;

/* A first comparison: what tephra diff finds first, and the commands that go on from there. */
ERROR_RESULT struct error *look_compare(const struct look_options *options, char **two,
					int *ret_status);

/* Counters without samples: what tephra order reads out of them first. */
ERROR_RESULT struct error *look_compare_counters(const struct look_options *options, int argc,
						 char **argv);
