/* change.c - is there a change in a series at all? Two tests that must agree */
#include "analysis/change.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "analysis/order_limits.h"
#include "base/mem.h"

/* The values that are tested: known ones, or means of groups of them. */
struct tested {
	double *values;
	size_t *index; /* of the first value in the caller's array */
	size_t nr;
};

static void tested_release(struct tested *tested)
{
	free(tested->values);
	free(tested->index);
}

static void tested_init(struct tested *ret, const double *values, size_t nr)
{
	size_t known = 0, group, in_group = 0;

	*ret = (struct tested){mem_alloc((nr + 1) * sizeof(double)),
			       mem_alloc((nr + 1) * sizeof(size_t)), 0};
	for (size_t i = 0; i < nr; i++)
		known += !isnan(values[i]);
	group = (known + CHANGE_POINTS_MAX - 1) / CHANGE_POINTS_MAX;
	for (size_t i = 0; i < nr; i++) {
		if (isnan(values[i]))
			continue;
		if (in_group == 0) {
			ret->index[ret->nr] = i;
			ret->values[ret->nr++] = 0;
		}
		ret->values[ret->nr - 1] += values[i] / (double)group;
		in_group = (in_group + 1) % group;
	}
	if (in_group) /* a last group that is not full says less than the others */
		ret->nr--;
}

/* Where the cumulative sum of deviations from the mean is lowest and highest. */
struct bridge {
	double low, high;
	size_t low_at, high_at; /* so many values are summed up there */
};

static void bridge_step(struct bridge *bridge, double sum, size_t nr)
{
	if (sum < bridge->low) {
		bridge->low = sum;
		bridge->low_at = nr;
	}
	if (sum > bridge->high) {
		bridge->high = sum;
		bridge->high_at = nr;
	}
}

static struct bridge bridge_of(const double *values, size_t nr, double mean)
{
	struct bridge bridge = {0};
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		bridge_step(&bridge, sum += values[i] - mean, i + 1);
	return bridge;
}

/* ---- what fits best: a level that changes once, or one that comes back */

struct fit {
	double gain; /* by which the sum of squares falls */
	size_t begin, end;
	int parameters;
};

static size_t side_min(size_t nr)
{
	return nr / 20 > CHANGE_SIDE_MIN ? nr / 20 : CHANGE_SIDE_MIN;
}

/* The sum of squares that a mean of its own takes from nr_in of nr values. */
static double gain_of(double sum_in, double nr_in, double nr, double mean)
{
	double deviation = sum_in - nr_in * mean;

	return deviation * deviation * nr / (nr_in * (nr - nr_in));
}

static struct fit fit_step(const double *values, size_t nr, double mean)
{
	struct fit best = {.begin = nr, .end = nr, .parameters = 1};
	double sum = 0;

	for (size_t i = 1; i < nr; i++) {
		double gain;

		sum += values[i - 1];
		if (i < side_min(nr) || nr - i < side_min(nr))
			continue;
		gain = gain_of(sum, (double)i, (double)nr, mean);
		if (gain > best.gain)
			best = (struct fit){gain, i, nr, 1};
	}
	return best;
}

/* The stretch between the extremes of the bridge, where it leaves a baseline before it. */
static struct fit fit_pulse(const double *values, size_t nr, double mean,
			    const struct bridge *bridge)
{
	size_t begin = bridge->low_at < bridge->high_at ? bridge->low_at : bridge->high_at;
	size_t end = bridge->low_at < bridge->high_at ? bridge->high_at : bridge->low_at;
	double sum = 0;

	if (begin < side_min(nr) || nr - end < 1 || end - begin < 2)
		return (struct fit){.begin = nr, .end = nr, .parameters = 2};
	for (size_t i = begin; i < end; i++)
		sum += values[i];
	return (struct fit){gain_of(sum, (double)(end - begin), (double)nr, mean), begin, end, 2};
}

/* What is left of the values when each stretch has its own mean. */
static void residuals(const double *values, size_t nr, const struct fit *fit, double *ret)
{
	double in = 0, out = 0;
	size_t nr_in = fit->end - fit->begin;

	for (size_t i = 0; i < nr; i++)
		*(i >= fit->begin && i < fit->end ? &in : &out) += values[i];
	for (size_t i = 0; i < nr; i++)
		ret[i] = values[i] - (i >= fit->begin && i < fit->end ? in / (double)nr_in
								      : out / (double)(nr - nr_in));
}

/* Takes the slope out of the residuals of the odd stretch: a ramp is no autocorrelation. */
static void level(const struct fit *fit, double *residual)
{
	double middle = (double)(fit->begin + fit->end - 1) / 2, products = 0, squares = 0;

	for (size_t i = fit->begin; i < fit->end; i++) {
		products += ((double)i - middle) * residual[i];
		squares += ((double)i - middle) * ((double)i - middle);
	}
	for (size_t i = fit->begin; squares > 0 && i < fit->end; i++)
		residual[i] -= ((double)i - middle) * products / squares;
}

static double autocovariance(const double *residual, size_t nr, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < nr; i++)
		sum += residual[i] * residual[i - lag];
	return sum / (double)nr;
}

/* So many times 1 + 2 * the sum of autocorrelations. */
static size_t block_length(const double *residual, size_t nr, double variance)
{
	double time = 1;
	size_t length;

	for (size_t lag = 1; lag < nr / 4 && variance > 0; lag++) {
		double correlation = autocovariance(residual, nr, lag) / variance;

		if (correlation < CHANGE_DECAY)
			break;
		time += 2 * correlation;
	}
	length = (size_t)lround(CHANGE_BLOCK_TIMES * time);
	if (length > nr / CHANGE_BLOCKS_MIN)
		length = nr / CHANGE_BLOCKS_MIN;
	return length ? length : 1;
}

/* ---- the first test */

static double permuted_range(const double *values, size_t nr, double mean, const size_t *order,
			     size_t length)
{
	struct bridge bridge = {0};
	size_t blocks = (nr + length - 1) / length, seen = 0;
	double sum = 0;

	for (size_t b = 0; b < blocks; b++) {
		size_t end = (order[b] + 1) * length;

		for (size_t i = order[b] * length; i < end && i < nr; i++)
			bridge_step(&bridge, sum += values[i] - mean, ++seen);
	}
	return bridge.high - bridge.low;
}

static double permutation_p(const double *values, size_t nr, double mean, double range,
			    size_t length, uint64_t seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t blocks = (nr + length - 1) / length, as_wide = 1;
	size_t *order = mem_alloc(blocks * sizeof(*order));

	gsl_rng_set(random, (unsigned long)seed);
	for (size_t b = 0; b < blocks; b++)
		order[b] = b;
	for (int i = 0; i < CHANGE_PERMUTATIONS; i++) {
		gsl_ran_shuffle(random, order, blocks, sizeof(*order));
		as_wide += permuted_range(values, nr, mean, order, length) >= range * (1 - 1e-12);
	}
	gsl_rng_free(random);
	free(order);
	return (double)as_wide / (CHANGE_PERMUTATIONS + 1);
}

/* ---- the second test */

/* By how much the gain is above what chance would give it; above 0 is a change. */
static double cost_margin(const double *values, size_t nr, const struct fit *fit, double *residual)
{
	double variance, correlation, log_nr = log((double)nr);

	if (fit->begin >= nr)
		return -1;
	residuals(values, nr, fit, residual);
	variance = autocovariance(residual, nr, 0);
	if (variance <= 0) /* nothing is left: every value is one of two */
		return fit->gain > 0 ? HUGE_VAL : -1;
	correlation = autocovariance(residual, nr, 1) / variance;
	correlation = correlation < 0 ? 0 : correlation > 0.95 ? 0.95 : correlation;
	return fit->gain / variance * (1 - correlation) / (1 + correlation) -
	       fit->parameters * (2 * log_nr + 2 * log(log_nr));
}

static void test(const struct tested *tested, size_t nr, uint64_t seed, struct change *ret)
{
	double mean = gsl_stats_mean(tested->values, 1, tested->nr);
	struct bridge bridge = bridge_of(tested->values, tested->nr, mean);
	struct fit step = fit_step(tested->values, tested->nr, mean);
	struct fit pulse = fit_pulse(tested->values, tested->nr, mean, &bridge);
	double *residual = mem_alloc(tested->nr * sizeof(*residual));
	double step_margin = cost_margin(tested->values, tested->nr, &step, residual);
	double pulse_margin = cost_margin(tested->values, tested->nr, &pulse, residual);
	struct fit *best = pulse_margin > step_margin ? &pulse : &step;

	ret->by_cost = step_margin > 0 || pulse_margin > 0;
	if (best->begin < tested->nr) {
		residuals(tested->values, tested->nr, best, residual);
		level(best, residual);
		ret->p = permutation_p(
			tested->values, tested->nr, mean, bridge.high - bridge.low,
			block_length(residual, tested->nr, autocovariance(residual, tested->nr, 0)),
			seed);
		ret->by_permutation = ret->p <= CHANGE_LEVEL;
		ret->begin = tested->index[best->begin];
		ret->end = best->end < tested->nr ? tested->index[best->end] : nr;
	}
	ret->is_changed = ret->by_cost && ret->by_permutation;
	free(residual);
}

void change_test(const double *values, size_t nr, uint64_t seed, struct change *ret)
{
	CLEANUP(tested_release) struct tested tested;

	*ret = (struct change){.p = 1, .begin = nr, .end = nr};
	tested_init(&tested, values, nr);
	if (tested.nr >= CHANGE_POINTS_MIN)
		test(&tested, nr, seed, ret);
}
