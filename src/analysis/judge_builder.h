/* judge_builder.h - what a judgement is made of while it is made: for judge.c and its parts */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/judge.h"

/*
 * Within one run and between replicates the false discovery rate is 5 %. One pair of captures is
 * held to 1 %, with the variance that runs have beyond that of their blocks: 1.2 to 1.6 times was
 * measured on a busy machine.
 */
#define ALPHA	     0.05
#define ALPHA_SCREEN 0.01
#define FACTOR_RUNS  1.6

#define REPLICATES_LEAST 3

#define JUDGE_BLOCK_OF_MEMORY 3.0 /* blocks are so many times as long as what varies remembers */

struct judge_builder {
	struct judge *judge;
	const struct diff *diff;
	const struct naming *naming;
	const struct blocks_source *sources;
	size_t sources_nr, before_nr;
	struct blocks *blocks; /* per source */
	uint32_t *tested;      /* per row of blocks: index into diff->functions */
	size_t tested_nr;
	size_t bins_per_block; /* 0: a source is a block */
	double *x, *n;	       /* of one side's blocks */
};

/* The mean weight of a sample, of the source where it is largest. */
double judge_builder_sample_weight(const struct judge_builder *builder);

/*
 * Where a capture is a block: tests every row again in this reading, with variances that are
 * moderated by those within the captures (see moderation.h).
 */
void judge_moderate(struct judge_builder *builder, enum diff_reading reading);

/* The false discovery rates of all rows in this reading, and the weights of their tests. */
void judge_rates(struct judge_builder *builder, enum diff_reading reading);
