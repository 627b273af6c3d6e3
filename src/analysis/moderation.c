/* moderation.c - variances between few captures, moderated by those within them */
#include "analysis/moderation.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdbool.h>

#include "base/mem.h"

#define ROWS_LEAST 3

/* What all rows say is worth at most three times what one says: functions are not all alike. */
#define PRIOR_MOST 3.0

#define NEWTON_STEPS 50

static bool is_usable(const struct moderation_row *row)
{
	return row->between > 0 && row->within > 0 && row->between_df > 0 && row->within_df > 0 &&
	       isfinite(row->between) && isfinite(row->within);
}

/* The argument at which the trigamma function is x: Newton's method on its inverse, as Smyth's. */
static double trigamma_inverse(double x)
{
	double y = 0.5 + 1 / x;

	if (x > 1e7)
		return 1 / sqrt(x);
	if (x < 1e-6)
		return 1 / x;
	for (int i = 0; i < NEWTON_STEPS; i++) {
		double value = gsl_sf_psi_1(y);
		double step = value * (1 - value / x) / gsl_sf_psi_n(2, y);

		y += step;
		if (-step / y < 1e-8)
			break;
	}
	return y;
}

/* The logarithm of a row's multiple, less what its degrees of freedom make of it. */
static double log_multiple(const struct moderation_row *row)
{
	double half = row->between_df / 2;

	return log(row->between / row->within) - gsl_sf_psi(half) + log(half);
}

/* By how much logarithms of estimates differ where what is estimated does not. */
static double chance_variance(const struct moderation_row *row)
{
	return gsl_sf_psi_1(row->between_df / 2) + gsl_sf_psi_1(row->within_df / 2);
}

struct moderation moderation_estimate(const struct moderation_row *rows, size_t nr,
				      double independent)
{
	double mean = 0, chance = 0, df = 0, spread = 0, prior;
	size_t usable = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!is_usable(&rows[i]))
			continue;
		mean += log_multiple(&rows[i]);
		chance += chance_variance(&rows[i]);
		df += rows[i].between_df;
		usable++;
	}
	if (usable < ROWS_LEAST)
		return (struct moderation){.common = 1};
	mean /= (double)usable;
	for (size_t i = 0; i < nr; i++)
		if (is_usable(&rows[i]))
			spread += pow(log_multiple(&rows[i]) - mean, 2);
	spread = spread / (double)(usable - 1) - chance / (double)usable;
	prior = fmax(0, fmin(PRIOR_MOST, independent - 1)) * df / (double)usable;
	if (spread > 0) {
		double half = trigamma_inverse(spread);

		mean += gsl_sf_psi(half) - log(half);
		prior = fmin(prior, 2 * half);
	}
	return (struct moderation){.common = exp(mean), .prior_df = prior};
}

double moderation_of(const struct moderation *moderation, const struct moderation_row *row,
		     double *ret_df)
{
	double df = moderation->prior_df + row->between_df;

	*ret_df = df;
	return (moderation->prior_df * moderation->common +
		row->between_df * row->between / row->within) /
	       df;
}

/* ---- correlations */

/* Columns as parts of their own length; those of nothing but 0 are left at 0. Returns the others.
 */
static size_t normalise(const double *rests, size_t runs_nr, size_t nr, double *ret)
{
	size_t kept = 0;

	for (size_t row = 0; row < nr; row++) {
		double squares = 0;

		for (size_t run = 0; run < runs_nr; run++)
			squares += rests[run * nr + row] * rests[run * nr + row];
		for (size_t run = 0; run < runs_nr; run++)
			ret[run * nr + row] =
				squares > 0 ? rests[run * nr + row] / sqrt(squares) : 0;
		kept += squares > 0;
	}
	return kept;
}

static double product(const double *a, const double *b, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += a[i] * b[i];
	return sum;
}

double moderation_independent(const double *rests, size_t runs_nr, size_t nr, double df)
{
	double *columns = mem_alloc((runs_nr * nr + 1) * sizeof(*columns));
	size_t kept = normalise(rests, runs_nr, nr, columns);
	double squares = 0, mean;

	/* the squares of all correlations are those of the products of runs, which are fewer */
	for (size_t a = 0; a < runs_nr; a++)
		for (size_t b = 0; b < runs_nr; b++)
			squares += pow(product(columns + a * nr, columns + b * nr, nr), 2);
	free(columns);
	if (kept < 2 || df <= 1)
		return (double)kept;
	mean = (squares - (double)kept) / ((double)kept * (double)(kept - 1));
	mean = fmax(0, (mean * df - 1) / (df - 1));
	return (double)kept / (1 + (double)(kept - 1) * mean);
}
