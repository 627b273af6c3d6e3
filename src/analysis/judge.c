/* judge.c - how sure each change between two sides is, and what they could not have shown */
#include "analysis/judge.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "analysis/judge_builder.h"
#include "analysis/naming.h"
#include "base/mem.h"
#include "model/bins.h"
#include "model/capture.h"

/*
 * Functions are tested that have as many samples on either side and, on either side, as many
 * percent of it: a change of fewer points is no finding, and whoever is smaller cannot have one.
 * Which functions are tested does not depend on how much they changed.
 */
#define SAMPLES_LEAST 10
#define POINTS_LEAST  0.5

/* Rows beyond these, by their change, are not tested. */
#define ROWS_MAX 4096

/* Blocks are as long as three times the memory of what varies, at most an eighth of the capture. */
#define BLOCK_LEAST_S	   0.1
#define BLOCK_OF_CAPTURE   0.125
#define CAPTURES_OF_MEMORY 24.0

const char *judge_basis_word(enum judge_basis basis)
{
	static const char *const words[] = {
		[JUDGE_NO_TIMES] = "no times",	   [JUDGE_TOO_SHORT] = "too short",
		[JUDGE_SCREEN] = "screen",	   [JUDGE_ONE_RUN] = "one run",
		[JUDGE_REPLICATES] = "replicates",
	};

	return words[basis];
}

const char *judge_verdict_word(enum judge_basis basis, enum judge_verdict verdict)
{
	static const char *const words[] = {
		[JUDGE_UNJUDGED] = "unjudged",
		[JUDGE_BELOW] = "below",
		[JUDGE_OPEN] = "open",
		[JUDGE_CHANGED] = "established",
	};

	if (verdict == JUDGE_CHANGED && basis == JUDGE_SCREEN)
		return "screen";
	return words[verdict];
}

static bool is_large_enough(const struct diff *diff, const struct diff_function *function)
{
	double before = weight_share(function->before_total, diff->before_total);
	double after = weight_share(function->after_total, diff->after_total);
	double samples = fmax(before * weight_number(diff->before_samples),
			      after * weight_number(diff->after_samples));

	if (samples < SAMPLES_LEAST)
		return false;
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++)
		if (diff_has_reading(&diff->divisors, reading) &&
		    (fabs(diff_points(diff, reading, 0, function->after_total)) >= POINTS_LEAST ||
		     fabs(diff_points(diff, reading, function->before_total, 0)) >= POINTS_LEAST))
			return true;
	return false;
}

/* The rows to be tested, and for each name of the joint naming its row. */
static uint32_t *choose_rows(struct judge_builder *builder)
{
	const struct diff *diff = builder->diff;
	uint32_t names_nr = builder->naming->capture->names.nr;
	uint32_t *row_of_name = mem_alloc(names_nr * sizeof(*row_of_name));

	memset(row_of_name, 0xff, names_nr * sizeof(*row_of_name));
	builder->tested =
		mem_alloc((diff->nr < ROWS_MAX ? diff->nr : ROWS_MAX) * sizeof(*builder->tested));
	for (size_t i = 0; i < diff->nr && builder->tested_nr < ROWS_MAX; i++) {
		const struct diff_function *function = &diff->functions[i];

		if (!is_large_enough(diff, function))
			continue;
		row_of_name[builder->naming->list[function->function].name] =
			(uint32_t)builder->tested_nr;
		builder->tested[builder->tested_nr++] = (uint32_t)i;
	}
	return row_of_name;
}

static void build_blocks(struct judge_builder *builder)
{
	uint32_t *row_of_name = choose_rows(builder);
	uint64_t bin_ns = BINS_LENGTH_NS;

	for (size_t i = 0; i < builder->sources_nr; i++)
		if (builder->sources[i].bins->length_ns > bin_ns)
			bin_ns = builder->sources[i].bins->length_ns;
	builder->blocks = mem_zalloc(builder->sources_nr, sizeof(*builder->blocks));
	for (size_t i = 0; i < builder->sources_nr; i++)
		blocks_build(&builder->blocks[i], &builder->sources[i], builder->naming,
			     row_of_name, builder->tested_nr, bin_ns);
	free(row_of_name);
}

/* ---- blocks */

/* Three times the longest memory; the shortest capture is so many seconds long. */
static double wanted_length(struct judge_builder *builder, double *ret_shortest_s)
{
	struct judge *judge = builder->judge;

	*ret_shortest_s = INFINITY;
	for (size_t i = 0; i < builder->sources_nr; i++) {
		const struct blocks *blocks = &builder->blocks[i];

		judge->memory_s =
			fmax(judge->memory_s, blocks_memory_s(blocks, builder->diff->leading));
		*ret_shortest_s = fmin(*ret_shortest_s, (double)blocks->bins_nr * blocks->bin_s);
	}
	return fmax(BLOCK_LEAST_S, JUDGE_BLOCK_OF_MEMORY * judge->memory_s);
}

static void find_length(struct judge_builder *builder)
{
	struct judge *judge = builder->judge;
	double bin_s = builder->blocks[0].bin_s, shortest_s;
	double wanted_s = wanted_length(builder, &shortest_s);

	if (wanted_s > BLOCK_OF_CAPTURE * shortest_s) {
		if (judge->basis != JUDGE_REPLICATES) {
			judge->basis = JUDGE_TOO_SHORT;
			judge->needed_s = fmax(CAPTURES_OF_MEMORY * judge->memory_s,
					       BLOCK_LEAST_S / BLOCK_OF_CAPTURE);
		}
		wanted_s = BLOCK_OF_CAPTURE * shortest_s;
	}
	judge->block_s = fmax(1, ceil(wanted_s / bin_s - 1e-9)) * bin_s;
	if (judge->basis == JUDGE_REPLICATES)
		return;
	builder->bins_per_block = (size_t)llround(judge->block_s / bin_s);
	/* what reaches over the ends of blocks is not in their variance: of exponential
	   correlations memory / (2 block + memory) of it, of others less */
	if (judge->memory_s > bin_s)
		judge->factor /=
			1 - (judge->memory_s - bin_s) / (2 * judge->block_s + judge->memory_s);
}

/* The whole of a source as one block: what it is divided by is the same as the table's. */
static double whole_divisor(const struct judge_builder *builder, size_t source,
			    enum diff_reading reading)
{
	const struct blocks *blocks = &builder->blocks[source];
	const double *divisor = blocks_divisor(blocks, reading);
	double sum = 0;

	for (size_t i = 0; i < blocks->bins_nr; i++)
		sum += divisor[i];
	return sum;
}

/* The blocks of a side, in builder->x and n. Returns how many. */
static size_t take_side(struct judge_builder *builder, bool is_after, size_t row,
			enum diff_reading reading)
{
	size_t nr = 0;

	for (size_t i = 0; i < builder->sources_nr; i++) {
		const struct blocks *blocks = &builder->blocks[i];
		const double *weights = blocks->weights + row * blocks->bins_nr;

		if (builder->sources[i].is_after != is_after)
			continue;
		if (!builder->bins_per_block) {
			if (!blocks_sum(weights, blocks->bins_nr, blocks->bins_nr, &builder->x[nr]))
				builder->x[nr] = 0;
			builder->n[nr++] = whole_divisor(builder, i, reading);
			continue;
		}
		blocks_sum(weights, blocks->bins_nr, builder->bins_per_block, &builder->x[nr]);
		nr += blocks_sum(blocks_divisor(blocks, reading), blocks->bins_nr,
				 builder->bins_per_block, &builder->n[nr]);
	}
	return nr;
}

double judge_builder_sample_weight(const struct judge_builder *builder)
{
	double most = 0;

	for (size_t i = 0; i < builder->sources_nr; i++)
		most = fmax(most, builder->blocks[i].sample_weight);
	return most;
}

static void test_row(struct judge_builder *builder, size_t row, enum diff_reading reading)
{
	struct judge *judge = builder->judge;
	struct judge_row *ret = &judge->rows[builder->tested[row]];
	double one = judge_builder_sample_weight(builder);
	size_t nr = take_side(builder, false, row, reading);

	ret->is_tested = true;
	judge->before_blocks = nr;
	ret->before[reading] = ratio_of(builder->x, builder->n, nr);
	nr = take_side(builder, true, row, reading);
	judge->after_blocks = nr;
	ret->after[reading] = ratio_of(builder->x, builder->n, nr);
	ratio_widen(&ret->before[reading], one);
	ratio_widen(&ret->after[reading], one);
	ret->test[reading] = ratio_compare(&ret->before[reading], &ret->after[reading],
					   judge->alpha, judge->factor);
}

static size_t take_total(struct judge_builder *builder, bool is_after, enum diff_reading reading)
{
	size_t nr = 0;

	for (size_t i = 0; i < builder->sources_nr; i++) {
		const struct blocks *blocks = &builder->blocks[i];
		size_t bins = builder->bins_per_block ? builder->bins_per_block : blocks->bins_nr;

		if (builder->sources[i].is_after != is_after)
			continue;
		blocks_sum(blocks->total, blocks->bins_nr, bins, &builder->x[nr]);
		nr += blocks_sum(blocks_divisor(blocks, reading), blocks->bins_nr, bins,
				 &builder->n[nr]);
	}
	return nr;
}

/* Did all of it change? As a share it cannot. */
static void test_total(struct judge_builder *builder)
{
	struct judge *judge = builder->judge;
	enum diff_reading leading = builder->diff->leading;
	size_t nr = take_total(builder, false, leading);
	struct ratio before = ratio_of(builder->x, builder->n, nr), after;

	nr = take_total(builder, true, leading);
	after = ratio_of(builder->x, builder->n, nr);
	judge->total = ratio_compare(&before, &after, judge->alpha, judge->factor);
	judge->total_verdict = judge->basis == JUDGE_TOO_SHORT	? JUDGE_UNJUDGED
			       : judge->total.p <= judge->alpha ? JUDGE_CHANGED
			       : fabs(judge->total.difference) < judge->total.smallest ? JUDGE_BELOW
										       : JUDGE_OPEN;
}

/* ---- verdicts */

static enum judge_verdict verdict_of(const struct judge_builder *builder, size_t function)
{
	const struct judge *judge = builder->judge;
	const struct judge_row *row = &judge->rows[function];
	const struct diff_function *weights = &builder->diff->functions[function];
	enum diff_reading leading = builder->diff->leading;
	double points =
		diff_points(builder->diff, leading, weights->before_total, weights->after_total);

	if (judge->basis == JUDGE_TOO_SHORT)
		return JUDGE_UNJUDGED;
	if (!row->is_tested)
		return JUDGE_BELOW;
	if (row->q[leading] <= judge->alpha && fabs(points) >= POINTS_LEAST)
		return JUDGE_CHANGED;
	return fabs(row->test[leading].difference) < row->test[leading].smallest ? JUDGE_BELOW
										 : JUDGE_OPEN;
}

/* ---- the check on oneself */

/* Every second block of the before side, from the first or the second one on. */
static size_t take_half(const struct judge_builder *builder, size_t nr, size_t first, double *x,
			double *n)
{
	size_t kept = 0;

	for (size_t i = first; i < nr; i += 2) {
		x[kept] = builder->x[i];
		n[kept++] = builder->n[i];
	}
	return kept;
}

/* The variance that a ratio would have if samples came independently of each other. */
static double independent_variance(const struct judge_builder *builder, const struct ratio *ratio,
				   enum diff_reading reading)
{
	double variance = ratio->value * judge_builder_sample_weight(builder) / ratio->divisor;

	return reading == DIFF_SHARE ? variance * (1 - ratio->value) : variance;
}

static void check_row(const struct judge_builder *builder, size_t nr, enum diff_reading reading,
		      double *buffer, double *ret_p, double *ret_inflation)
{
	double one = judge_builder_sample_weight(builder), *x = buffer, *n = buffer + nr;
	size_t half = take_half(builder, nr, 0, x, n);
	struct ratio odd = ratio_of(x, n, half), even, all;
	double independent;

	half = take_half(builder, nr, 1, x, n);
	even = ratio_of(x, n, half);
	ratio_widen(&odd, one);
	ratio_widen(&even, one);
	*ret_p = ratio_compare(&odd, &even, builder->judge->alpha, 1).p;
	all = ratio_of(builder->x, builder->n, nr);
	independent = independent_variance(builder, &all, reading);
	*ret_inflation = independent > 0 ? all.variance / independent : 0;
}

static void check(struct judge_builder *builder)
{
	struct judge *judge = builder->judge;
	enum diff_reading reading = builder->diff->leading;
	size_t rows_nr = builder->tested_nr, nr = judge->before_blocks;
	double *buffer, *p, *q, *inflation;

	if (nr < 4 || !rows_nr)
		return;
	buffer = mem_alloc(2 * nr * sizeof(*buffer));
	p = mem_alloc(4 * rows_nr * sizeof(*p));
	q = p + rows_nr;
	inflation = p + 3 * rows_nr;
	for (size_t row = 0; row < rows_nr; row++) {
		take_side(builder, false, row, reading);
		check_row(builder, nr, reading, buffer, &p[row], &inflation[row]);
	}
	ratio_adjust(p, NULL, rows_nr, q, q + rows_nr);
	judge->check.tested = rows_nr;
	for (size_t row = 0; row < rows_nr; row++)
		judge->check.findings += q[row] <= judge->alpha;
	gsl_sort(inflation, 1, rows_nr);
	judge->check.inflation = inflation[rows_nr / 2];
	free(buffer);
	free(p);
}

/* ---- from the beginning to the end */

static enum judge_basis basis_of(const struct judge_builder *builder, bool is_one_run)
{
	size_t after_nr = builder->sources_nr - builder->before_nr;

	if (builder->before_nr >= REPLICATES_LEAST && after_nr >= REPLICATES_LEAST)
		return JUDGE_REPLICATES;
	return is_one_run ? JUDGE_ONE_RUN : JUDGE_SCREEN;
}

static void judge_rows(struct judge_builder *builder)
{
	struct judge *judge = builder->judge;
	const struct diff *diff = builder->diff;
	size_t most = builder->sources_nr;

	find_length(builder);
	for (size_t i = 0; i < builder->sources_nr; i++)
		most += builder->blocks[i].bins_nr;
	builder->x = mem_alloc(most * sizeof(*builder->x));
	builder->n = mem_alloc(most * sizeof(*builder->n));
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++) {
		if (!diff_has_reading(&diff->divisors, reading))
			continue;
		for (size_t row = 0; row < builder->tested_nr; row++)
			test_row(builder, row, reading);
		if (judge->basis == JUDGE_REPLICATES)
			judge_moderate(builder, reading);
		judge_rates(builder, reading);
	}
	for (size_t i = 0; i < diff->nr; i++)
		judge->rows[i].verdict = verdict_of(builder, i);
	test_total(builder);
	check(builder);
	free(builder->x);
	free(builder->n);
}

/* What can be said of counts alone. */
static void count_rows(struct judge *judge, const struct diff *diff)
{
	double before = weight_number(diff->before_total), after = weight_number(diff->after_total);

	for (size_t i = 0; i < diff->nr; i++)
		judge->rows[i].p_independent =
			ratio_binomial(weight_number(diff->functions[i].before_total),
				       weight_number(diff->functions[i].after_total),
				       after / fmax(before + after, 1e-300));
}

void judge_build(struct judge *judge, const struct diff *diff, const struct naming *naming,
		 const struct blocks_source *sources, size_t sources_nr, bool is_one_run)
{
	struct judge_builder builder = {
		.judge = judge,
		.diff = diff,
		.naming = naming,
		.sources = sources,
		.sources_nr = sources_nr,
	};

	*judge = (struct judge){.alpha = ALPHA, .factor = 1};
	judge->rows = mem_zalloc(diff->nr, sizeof(*judge->rows));
	if (!sources_nr) {
		count_rows(judge, diff);
		return;
	}
	while (builder.before_nr < sources_nr && !sources[builder.before_nr].is_after)
		builder.before_nr++;
	judge->basis = basis_of(&builder, is_one_run);
	if (judge->basis == JUDGE_SCREEN) {
		judge->alpha = ALPHA_SCREEN;
		judge->factor = FACTOR_RUNS;
	}
	build_blocks(&builder);
	judge_rows(&builder);
	for (size_t i = 0; i < sources_nr; i++)
		blocks_release(&builder.blocks[i]);
	free(builder.blocks);
	free(builder.tested);
}

void judge_release(struct judge *judge)
{
	free(judge->rows);
	*judge = (struct judge){0};
}
