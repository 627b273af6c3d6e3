/* sysstat_names.h - what the columns of sar, pidstat and vmstat are */
#pragma once

#include "model/series.h"

struct names;

/*
 * Fills in kind, unit and, where has_role, role of a column: '%' is a mean over the interval, "/s"
 * a rate over it, others are gauges.
 */
void sysstat_names_describe(struct names *names, struct series *series, bool has_role);
