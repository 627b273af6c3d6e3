/* look_compare.h - tephra look at two captures, or at counters alone */
#pragma once

#include <stdio.h>

#include "base/error.h"

struct diff_report;
struct look_options;

/* A first comparison: what tephra diff finds first, and the commands that go on from there. */
ERROR_RESULT struct error *look_compare(const struct look_options *options, char **two);

/*
 * What was compared, how sure it is, and the largest changes: lines of 80 columns, so many that
 * with `below` more there are 30 at most.
 */
void look_changes_write(const struct diff_report *report, int below, FILE *out);

/* Counters without samples: what tephra order reads out of them first. */
ERROR_RESULT struct error *look_compare_counters(const struct look_options *options, int argc,
						 char **argv);
