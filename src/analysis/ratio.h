/* ratio.h - ratios of sums over blocks of time, and whether two of them differ */
#pragma once

#include <stddef.h>

/*
 * A ratio R = sum(x) / sum(n) of blocks k, and its linearised variance with blocks as clusters:
 * K / (K - 1) * sum((x_k - R * n_k)^2) / sum(n)^2. Neighbouring samples depend on each other;
 * blocks that are long enough do not.
 */
struct ratio {
	double value, variance;
	double divisor; /* sum(n) */
	size_t blocks;
};

/* Of less than two blocks the variance is infinite; without a divisor the value is 0. */
struct ratio ratio_of(const double *x, const double *n, size_t nr);

/*
 * Where a side has nothing of it its variance would be 0, and one sample on the other side
 * certain: it is at least that of one sample (of that weight).
 */
void ratio_widen(struct ratio *ratio, double sample_weight);

struct ratio_test {
	double difference;     /* after - before */
	double standard_error; /* of it */
	double df;	       /* Welch and Satterthwaite's degrees of freedom */
	double p;	       /* two-sided, of Student's t */
	double low, high;      /* 95 % interval of the difference */
	double smallest;       /* what would be found at this alpha with 80 % power */
	double relative, relative_low, relative_high; /* after / before - 1, by logarithms; NaN
							 where a side is 0 */
};

/*
 * Welch's test of two ratios. The variances are multiplied by `factor`: 1, or more for what
 * differs between runs and is not seen within one. alpha is that of a single test.
 */
struct ratio_test ratio_compare(const struct ratio *before, const struct ratio *after, double alpha,
				double factor);

/* The same where the variances, which must be finite, have these degrees of freedom. */
struct ratio_test ratio_compare_known(const struct ratio *before, const struct ratio *after,
				      double alpha, double factor, double df);

/* Welch and Satterthwaite's degrees of freedom, of finite variances. */
double ratio_freedom(const struct ratio *before, const struct ratio *after);

/* Student's t: the chance of a larger |t|, and the value that is not passed with chance p. */
double ratio_t_two_sided(double t, double df);
double ratio_t_quantile(double p, double df);

/*
 * A variance that was estimated with so many degrees of freedom is, with a chance of 70 %, at most
 * this many times the estimate.
 */
double ratio_variance_bound(double df);

/*
 * The least false discovery rates at which each of nr tests is a finding: by Benjamini and
 * Hochberg 1995 (it holds for tests that depend on each other positively, as functions along
 * a path do), and by Benjamini and Yekutieli 2001 (whatever the dependence). With weights, which
 * are more than 0 and 1 in the mean, of p divided by them (Genovese, Roeder and Wasserman 2006):
 * they must not depend on how much those differ that did not change. NULL: all alike.
 */
void ratio_adjust(const double *p, const double *weights, size_t nr, double *ret_hochberg,
		  double *ret_yekutieli);

/*
 * The chance of two counts as far apart as these, if each sample were independent of all others and
 * a sample of the sum had chance `share` to be of the after side. They are not independent: a bound
 * from below, never a verdict.
 */
double ratio_binomial(double before, double after, double share);
