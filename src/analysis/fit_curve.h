/* fit_curve.h - sampled CPU time as a curve over time, which can be read at any moment */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/clock_fit.h"

/* When the CPU time that a sample stands for was used, which nothing records. */
enum fit_spread {
	FIT_SPREAD_PERIOD, /* right before it, at one stretch */
	FIT_SPREAD_GAP,	   /* evenly since the thread's sample before */
	FIT_SPREAD_NR,
};

/* The CPU time used since start_ns at every step_ns from there on. */
struct fit_curve {
	double *sums; /* owned */
	size_t nr;
	uint64_t start_ns;
	double step_ns;
};

/* Memory is bounded by FIT_GRID_MAX steps. */
void fit_curve_init(struct fit_curve *curve, const struct fit_input *input, enum fit_spread spread);
void fit_curve_release(struct fit_curve *curve);

/* CPU time used between two times since the curve's start. */
double fit_curve_between(const struct fit_curve *curve, double begin_ns, double end_ns);
