/* judge_rates.c - rates of false discoveries of many tests, by the weight of functions */
#include "analysis/judge_builder.h"
#include "base/mem.h"

/*
 * Half of the rate is shared by all tests alike, the other half by the weight that ends in their
 * functions: a change of what costs most is found sooner, and to what ends in no samples (callers
 * alone) a test is worth half. Weights come from both sides together, so that of functions that did
 * not change they tell nothing of the difference (weighted false discovery rates: Genovese, Roeder
 * and Wasserman 2006).
 */
#define SHARED_ALIKE 0.5

/* The different tests of a builder, in order of its rows. */
struct rates {
	double *p,
		*weight; /* weight: first what ends in it, then that of the test, in the mean 1 */
	double *q, *strict;
	size_t nr;
};

/* Callers that do nothing but call have the weights of what they call: that is one test. */
static bool is_same_test(const struct judge_builder *builder, size_t a, size_t b)
{
	const struct diff_function *x = &builder->diff->functions[builder->tested[a]];
	const struct diff_function *y = &builder->diff->functions[builder->tested[b]];

	return x->before_total == y->before_total && x->after_total == y->after_total;
}

/* What ends in a function, as a part of each side. */
static double own_share(const struct diff *diff, const struct diff_function *function)
{
	return weight_share(function->before_self, diff->before_total) +
	       weight_share(function->after_self, diff->after_total);
}

/* Rows with the same weights stand next to each other, in order of their change. */
static void collect(const struct judge_builder *builder, enum diff_reading reading,
		    struct rates *rates)
{
	for (size_t i = 0; i < builder->tested_nr; i++) {
		size_t row = builder->tested[i];

		if (!i || !is_same_test(builder, i, i - 1)) {
			rates->p[rates->nr] = builder->judge->rows[row].test[reading].p;
			rates->weight[rates->nr++] = 0;
		}
		rates->weight[rates->nr - 1] +=
			own_share(builder->diff, &builder->diff->functions[row]);
	}
}

static void weigh(struct rates *rates)
{
	double sum = 0;

	for (size_t i = 0; i < rates->nr; i++)
		sum += rates->weight[i];
	for (size_t i = 0; i < rates->nr; i++) {
		double part = sum > 0 ? rates->weight[i] * (double)rates->nr / sum : 1;

		rates->weight[i] = SHARED_ALIKE + (1 - SHARED_ALIKE) * part;
	}
}

static void give(const struct rates *rates, enum diff_reading reading,
		 struct judge_builder *builder)
{
	size_t nr = 0;

	for (size_t i = 0; i < builder->tested_nr; i++) {
		struct judge_row *row = &builder->judge->rows[builder->tested[i]];

		nr += !i || !is_same_test(builder, i, i - 1);
		row->q[reading] = rates->q[nr - 1];
		row->q_strict[reading] = rates->strict[nr - 1];
		row->test_weight = rates->weight[nr - 1];
	}
}

void judge_rates(struct judge_builder *builder, enum diff_reading reading)
{
	size_t most = builder->tested_nr;
	double *all = mem_alloc(4 * most * sizeof(*all));
	struct rates rates = {all, all + most, all + 2 * most, all + 3 * most, 0};

	collect(builder, reading, &rates);
	weigh(&rates);
	ratio_adjust(rates.p, rates.weight, rates.nr, rates.q, rates.strict);
	builder->judge->tested = rates.nr;
	give(&rates, reading, builder);
	free(all);
}
