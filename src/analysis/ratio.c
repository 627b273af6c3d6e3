/* ratio.c - ratios of sums over blocks of time, and whether two of them differ */
#include "analysis/ratio.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "base/mem.h"

#define CONFIDENCE 0.975 /* one end of an interval of 95 % */
#define POWER	   0.80

struct ratio ratio_of(const double *x, const double *n, size_t nr)
{
	struct ratio ratio = {.blocks = nr, .variance = INFINITY};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < nr; i++) {
		sum += x[i];
		ratio.divisor += n[i];
	}
	if (ratio.divisor <= 0)
		return ratio;
	ratio.value = sum / ratio.divisor;
	if (nr < 2)
		return ratio;
	for (size_t i = 0; i < nr; i++) {
		double rest = x[i] - ratio.value * n[i];

		squares += rest * rest;
	}
	ratio.variance = (double)nr / (double)(nr - 1) * squares / (ratio.divisor * ratio.divisor);
	return ratio;
}

void ratio_widen(struct ratio *ratio, double sample_weight)
{
	double one = ratio->divisor > 0 ? sample_weight / ratio->divisor : 0;

	if (ratio->variance < one * one)
		ratio->variance = one * one;
}

double ratio_t_two_sided(double t, double df)
{
	return 2 * gsl_cdf_tdist_Q(fabs(t), df);
}

double ratio_t_quantile(double p, double df)
{
	return gsl_cdf_tdist_Pinv(p, df);
}

double ratio_variance_bound(double df)
{
	return df / gsl_cdf_chisq_Pinv(0.3, df);
}

static double freedom(double before, size_t before_nr, double after, size_t after_nr)
{
	double parts = 0;

	if (before > 0)
		parts += before * before / (double)(before_nr - 1);
	if (after > 0)
		parts += after * after / (double)(after_nr - 1);
	return parts > 0 ? (before + after) * (before + after) / parts : 1;
}

static void compare_relative(const struct ratio *before, const struct ratio *after, double factor,
			     struct ratio_test *test)
{
	double change, spread;

	test->relative = test->relative_low = test->relative_high = NAN;
	if (before->value <= 0 || after->value <= 0)
		return;
	change = log(after->value / before->value);
	spread = ratio_t_quantile(CONFIDENCE, test->df) *
		 sqrt(factor * (before->variance / (before->value * before->value) +
				after->variance / (after->value * after->value)));
	test->relative = expm1(change);
	test->relative_low = expm1(change - spread);
	test->relative_high = expm1(change + spread);
}

struct ratio_test ratio_compare_known(const struct ratio *before, const struct ratio *after,
				      double alpha, double factor, double df)
{
	double variance = factor * (before->variance + after->variance);
	struct ratio_test test = {
		.difference = after->value - before->value,
		.standard_error = sqrt(variance),
		.p = 1,
		.df = df,
	};
	double spread;

	if (variance > 0)
		test.p = ratio_t_two_sided(test.difference / test.standard_error, df);
	else if (test.difference != 0)
		test.p = 0;
	spread = ratio_t_quantile(CONFIDENCE, df) * test.standard_error;
	test.low = test.difference - spread;
	test.high = test.difference + spread;
	test.smallest = (ratio_t_quantile(1 - alpha / 2, df) + ratio_t_quantile(POWER, df)) *
			test.standard_error;
	compare_relative(before, after, factor, &test);
	return test;
}

double ratio_freedom(const struct ratio *before, const struct ratio *after)
{
	return freedom(before->variance, before->blocks, after->variance, after->blocks);
}

struct ratio_test ratio_compare(const struct ratio *before, const struct ratio *after, double alpha,
				double factor)
{
	struct ratio_test test = {
		.difference = after->value - before->value,
		.standard_error = INFINITY,
		.p = 1,
		.df = 1,
		.low = -INFINITY,
		.high = INFINITY,
		.smallest = INFINITY,
		.relative = NAN,
		.relative_low = NAN,
		.relative_high = NAN,
	};

	if (!isfinite(before->variance + after->variance))
		return test;
	return ratio_compare_known(before, after, alpha, factor, ratio_freedom(before, after));
}

void ratio_adjust(const double *p, const double *weights, size_t nr, double *ret_hochberg,
		  double *ret_yekutieli)
{
	size_t *order = mem_alloc(nr * sizeof(*order));
	double *weighted = mem_alloc(nr * sizeof(*weighted));
	double least = 1, strict = 1, harmonic = 0;

	for (size_t i = 0; i < nr; i++)
		weighted[i] = weights ? p[i] / weights[i] : p[i];
	gsl_sort_index(order, weighted, 1, nr);
	for (size_t i = 1; i <= nr; i++)
		harmonic += 1.0 / (double)i;
	for (size_t i = nr; i-- > 0;) {
		double q = weighted[order[i]] * (double)nr / (double)(i + 1);

		least = fmin(least, q);
		strict = fmin(strict, q * harmonic);
		ret_hochberg[order[i]] = least;
		ret_yekutieli[order[i]] = strict;
	}
	free(order);
	free(weighted);
}

double ratio_binomial(double before, double after, double share)
{
	unsigned n, k;
	double tail;

	if (before + after < 1 || before + after > 4e9 || share <= 0 || share >= 1)
		return 1;
	n = (unsigned)llround(before + after);
	k = (unsigned)fmin(llround(after), n);
	tail = fmin(gsl_cdf_binomial_P(k, share, n), k ? gsl_cdf_binomial_Q(k - 1, share, n) : 1);
	return fmin(1, 2 * tail);
}
