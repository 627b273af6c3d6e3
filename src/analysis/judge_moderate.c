/* judge_moderate.c - replicates tested with variances that are moderated by those within them */
#include <math.h>

#include "analysis/judge_builder.h"
#include "analysis/moderation.h"
#include "base/mem.h"

/*
 * Of what hardly varies, as a function that holds all of a busy CPU, what is left is where captures
 * begin and end: a row is used that varies at least this much of what its samples would if they
 * came independently of each other, and whose runs do at least that part of what its blocks do.
 */
#define CHANCE_LEAST  0.05
#define BETWEEN_LEAST 1e-3

/* What the captures say of one row. */
struct within {
	double variance[2]; /* of the ratio of each side, from the blocks of its captures */
	double df;
};

struct moderating {
	struct judge_builder *builder;
	enum diff_reading reading;
	struct within *within;	     /* per row */
	struct moderation_row *rows; /* per row */
	double *rests;		     /* of each source a line of all rows */
};

static double sum_of(const double *list, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += list[i];
	return sum;
}

/* Adds a capture's blocks, with its own ratio: what runs differ by is not in it. */
static void add_within(struct moderating *moderating, size_t source, size_t row)
{
	struct judge_builder *builder = moderating->builder;
	const struct blocks *blocks = &builder->blocks[source];
	const double *divisor = blocks_divisor(blocks, moderating->reading);
	size_t bins = (size_t)llround(builder->judge->block_s / blocks->bin_s);
	size_t nr = blocks_sum(blocks->weights + row * blocks->bins_nr, blocks->bins_nr, bins,
			       builder->x);
	struct within *within = &moderating->within[row];
	struct ratio ratio;

	blocks_sum(divisor, blocks->bins_nr, bins, builder->n);
	ratio = ratio_of(builder->x, builder->n, nr);
	if (nr < 2 || !isfinite(ratio.variance))
		return;
	/* a sum of squares, to be divided by the side's divisor */
	within->variance[builder->sources[source].is_after] +=
		ratio.variance * ratio.divisor * ratio.divisor;
	within->df += (double)(nr - 1);
}

static void add_rest(struct moderating *moderating, size_t source, size_t row)
{
	const struct judge_builder *builder = moderating->builder;
	const struct blocks *blocks = &builder->blocks[source];
	const struct judge_row *judged = &builder->judge->rows[builder->tested[row]];
	const struct ratio *side = builder->sources[source].is_after
					   ? &judged->after[moderating->reading]
					   : &judged->before[moderating->reading];
	double all = sum_of(blocks_divisor(blocks, moderating->reading), blocks->bins_nr);
	double taken = sum_of(blocks->weights + row * blocks->bins_nr, blocks->bins_nr);

	moderating->rests[source * builder->tested_nr + row] = taken - side->value * all;
}

/* The variance of the difference if samples came independently of each other. */
static double independent_variance(const struct judge_builder *builder, const struct ratio *before,
				   const struct ratio *after)
{
	double one = judge_builder_sample_weight(builder);

	return one * (before->value / before->divisor + after->value / after->divisor);
}

static void take_row(struct moderating *moderating, size_t row)
{
	const struct judge_builder *builder = moderating->builder;
	const struct judge_row *judged = &builder->judge->rows[builder->tested[row]];
	const struct ratio *before = &judged->before[moderating->reading];
	const struct ratio *after = &judged->after[moderating->reading];
	struct within *within = &moderating->within[row];

	for (size_t source = 0; source < builder->sources_nr; source++) {
		add_within(moderating, source, row);
		add_rest(moderating, source, row);
	}
	if (!(before->divisor > 0) || !(after->divisor > 0) ||
	    !isfinite(before->variance + after->variance))
		return;
	within->variance[0] /= before->divisor * before->divisor;
	within->variance[1] /= after->divisor * after->divisor;
	if (within->variance[0] + within->variance[1] <
		    CHANCE_LEAST * independent_variance(builder, before, after) ||
	    before->variance + after->variance <
		    BETWEEN_LEAST * (within->variance[0] + within->variance[1]))
		return;
	moderating->rows[row] = (struct moderation_row){
		.between = before->variance + after->variance,
		.between_df = ratio_freedom(before, after),
		.within = within->variance[0] + within->variance[1],
		.within_df = within->df,
	};
}

static void test_row(const struct moderating *moderating, const struct moderation *moderation,
		     size_t row)
{
	const struct judge_builder *builder = moderating->builder;
	struct judge_row *judged = &builder->judge->rows[builder->tested[row]];
	struct ratio *before = &judged->before[moderating->reading];
	struct ratio *after = &judged->after[moderating->reading];
	const struct within *within = &moderating->within[row];
	double one = judge_builder_sample_weight(builder), df, multiple;

	if (!(moderating->rows[row].within > 0))
		return;
	multiple = moderation_of(moderation, &moderating->rows[row], &df);
	before->variance = multiple * within->variance[0];
	after->variance = multiple * within->variance[1];
	ratio_widen(before, one);
	ratio_widen(after, one);
	judged->test[moderating->reading] = ratio_compare_known(
		before, after, builder->judge->alpha, builder->judge->factor, df);
}

void judge_moderate(struct judge_builder *builder, enum diff_reading reading)
{
	size_t rows_nr = builder->tested_nr, runs_nr = builder->sources_nr;
	struct moderating moderating = {
		.builder = builder,
		.reading = reading,
		.within = mem_zalloc(rows_nr, sizeof(*moderating.within)),
		.rows = mem_zalloc(rows_nr, sizeof(*moderating.rows)),
		.rests = mem_zalloc(rows_nr * runs_nr, sizeof(*moderating.rests)),
	};
	struct moderation moderation;

	for (size_t row = 0; row < rows_nr; row++)
		take_row(&moderating, row);
	moderation = moderation_estimate(
		moderating.rows, rows_nr,
		moderation_independent(moderating.rests, runs_nr, rows_nr, (double)runs_nr - 2));
	for (size_t row = 0; moderation.prior_df > 0 && row < rows_nr; row++)
		test_row(&moderating, &moderation, row);
	if (reading == builder->diff->leading)
		builder->judge->moderation = moderation;
	free(moderating.within);
	free(moderating.rows);
	free(moderating.rests);
}
