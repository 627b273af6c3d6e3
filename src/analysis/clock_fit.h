/* clock_fit.h - the offset at which sampled CPU time follows a counter of it, or why not */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A sample stands for CPU time of its thread that was used before it. */
struct fit_sample {
	uint64_t time_ns; /* of the capture's clock */
	uint64_t cpu_ns;
	uint32_t thread;
};

/* What the counter rose by between two readings of it. */
struct fit_interval {
	uint64_t begin_ns, end_ns; /* of the counter's clock */
	double cpu_ns;
};

/* All is borrowed. Samples and intervals are in the order of their times. */
struct fit_input {
	const struct fit_sample *samples;
	size_t samples_nr;
	uint64_t start_ns, end_ns; /* the recording sampled all of this time */
	const struct fit_interval *intervals;
	size_t intervals_nr;
};

struct fit {
	int64_t offset_ns; /* capture's time = counter's time + this ... */
	uint64_t error_ns; /* ... to within this */
	size_t intervals;  /* that lie in the recording */
	double explained;  /* share of the counter's variation that the samples follow, 0 to 1 */
	double scale;	   /* sampled CPU time by counted CPU time */
};

/*
 * Tries the offsets at which at least half of the shorter of the two lies in the other. The method:
 * the CPU time that samples stand for is added up over each interval of the counter, shifted; that
 * offset is taken where what the counter rose by is followed best (least squares, a scale and a
 * constant share left free). The error holds all offsets that follow nearly as well: those whose
 * likelihood is not below 1/FIT_ODDS of the best one's (intervals counted as many times as their
 * residuals are independent), under each of several assumptions of when the CPU time of a sample
 * was used; and half a sampling period more.
 *
 * An error says why the offset cannot be determined: too few intervals, a load that does not vary,
 * or varies alike at several offsets, or a counter of something else.
 */
ERROR_RESULT struct error *clock_fit(const struct fit_input *input, struct fit *ret);
