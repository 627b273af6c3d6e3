/* offcpu.h - samples that perf record --off-cpu writes itself, of time that was waited */
#pragma once

#include <stdbool.h>

struct perf_attr;
struct perf_sample;

/* Is this perf's own event of the time that threads were off their CPUs? */
bool perf_offcpu_is(const struct perf_attr *attr);

/*
 * A sample of it may have who waited, how long and where in its raw data (perf 6.16); they take the
 * place of what the sample says. Others stay as they are.
 */
void perf_offcpu_take(struct perf_sample *sample);
