/* blocks.h - the weights of chosen functions over the time of one capture, in bins and in blocks */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/diff.h"

struct bins;
struct capture;
struct naming;
struct paths;

/* A counter of work at a time: what was done by then. */
struct blocks_work {
	uint64_t time_ns; /* in the clock of the samples */
	double done;
};

/* A capture whose samples are kept in bins; all is borrowed. */
struct blocks_source {
	const struct paths *paths; /* with of_entry */
	const struct bins *bins;
	const struct capture *capture; /* for what was lost */
	const uint32_t *of_function;   /* see struct calltree_source */
	uint64_t begin_ns, end_ns;     /* what is compared of it */
	uint32_t event;
	bool is_after, counts_samples;
	const struct blocks_work *work; /* in the order of time */
	size_t work_nr;
	double work_total; /* where there is no series: all that was done, taken as even */
};

#define BLOCKS_ROW_NONE UINT32_MAX

/* Bins of equal length, a row of weights for each chosen function. */
struct blocks {
	double bin_s;
	size_t bins_nr, rows_nr;
	double *weights;      /* owned: rows_nr times bins_nr */
	double *total;	      /* owned, per bin: of all samples */
	double *live_s;	      /* owned, per bin: seconds in which nothing was lost */
	double *work;	      /* owned, per bin: what was done */
	double sample_weight; /* the mean of all samples */
};

/*
 * row_of_name: per name of the joint naming the row of functions that are called so, or
 * BLOCKS_ROW_NONE. bin_ns is at least that of the source's bins, times a power of two.
 */
void blocks_build(struct blocks *blocks, const struct blocks_source *source,
		  const struct naming *naming, const uint32_t *row_of_name, size_t rows_nr,
		  uint64_t bin_ns);
void blocks_release(struct blocks *blocks);

/* What a reading divides by, per bin. */
const double *blocks_divisor(const struct blocks *blocks, enum diff_reading reading);

/* Adds up `bins` neighbours each, what is left at the end is left out. Returns how many. */
size_t blocks_sum(const double *list, size_t nr, size_t bins, double *ret);

/*
 * For so long what functions do depends on what they did: bin_s * (1 + 2 * the sum of
 * autocorrelations), of what the ratios of the eight rows that vary most do not explain.
 * Correlations are parts of that of neighbouring bins, up to where they end. A bin where they do
 * not depend on each other, 0 of less than 8 bins.
 */
double blocks_memory_s(const struct blocks *blocks, enum diff_reading reading);
