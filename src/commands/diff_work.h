/* diff_work.h - what was done on both sides of a comparison: a counter, or a number */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct diff_sides;

/*
 * Reads the series of that name for every run, from its profile: run->work, by the time of the
 * samples. Fails where a run has no such series, or several, or one that counts nothing, in
 * another clock, at another time; and where nothing was done.
 */
ERROR_RESULT struct error *diff_work_read(const char *name, struct diff_sides *sides);

/* What was done on a side while it was recorded; 0 where a run does not say. */
double diff_work_done(const struct diff_sides *sides, bool is_after);
