/* order_honesty.c - how often the change test is wrong, and by how much the onset */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/change.h"
#include "analysis/onset.h"
#include "analysis/track.h"

#define POINTS	 120
#define ONSET	 40
#define TICK_NS	 UINT64_C(100000000)
#define FIRST_NS (1000 * TICK_NS)

#define FALSE_ALARMS_MAX 0.10 /* at the 5 % level */
#define ERROR_MAX	 3    /* points, of the middle nine tenths */
#define HELD_MIN	 0.85 /* of the intervals hold the true onset */

/* Autocorrelated noise with variance 1. */
static void noise(gsl_rng *random, double phi, double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		double shock = gsl_ran_gaussian(random, 1);

		values[i] = i ? phi * values[i - 1] + sqrt(1 - phi * phi) * shock : shock;
	}
}

struct alarms {
	double both, permutation, cost;
};

static struct alarms alarms_of(gsl_rng *random, double phi, double step, size_t end, int rounds)
{
	struct alarms alarms = {0};

	for (int i = 0; i < rounds; i++) {
		double values[POINTS];
		struct change change;

		noise(random, phi, values, POINTS);
		for (size_t k = ONSET; k < end; k++)
			values[k] += step;
		change_test(values, POINTS, 1, &change);
		alarms.both += change.is_changed;
		alarms.permutation += change.by_permutation;
		alarms.cost += change.by_cost;
	}
	alarms.both /= rounds;
	alarms.permutation /= rounds;
	alarms.cost /= rounds;
	return alarms;
}

static const double phis[] = {0, 0.3, 0.6, 0.8};

#define PHIS_NR (sizeof(phis) / sizeof(phis[0]))

static bool false_alarms(gsl_rng *random, int rounds)
{
	bool is_good = true;

	printf("false alarms at the 5 %% level, %d series of %d points of AR(1) noise each\n",
	       rounds, POINTS);
	printf("  phi   permutation  cost   both agree  limit\n");
	for (size_t i = 0; i < PHIS_NR; i++) {
		struct alarms alarms = alarms_of(random, phis[i], 0, POINTS, rounds);

		printf("  %.1f   %8.1f %%  %4.1f %%  %8.1f %%  %4.1f %%\n", phis[i],
		       100 * alarms.permutation, 100 * alarms.cost, 100 * alarms.both,
		       100 * FALSE_ALARMS_MAX);
		is_good = is_good && alarms.both <= FALSE_ALARMS_MAX;
	}
	return is_good;
}

static void power(gsl_rng *random, int rounds)
{
	static const double steps[] = {1, 2, 4};

	printf("changes found, at %d of %d points; a pulse ends after 30\n", ONSET, POINTS);
	printf("  phi  size       step    pulse\n");
	for (size_t i = 0; i < PHIS_NR; i++) {
		for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++)
			printf("  %.1f  %.0f sd    %5.1f %%  %5.1f %%\n", phis[i], steps[k],
			       100 * alarms_of(random, phis[i], steps[k], POINTS, rounds).both,
			       100 * alarms_of(random, phis[i], steps[k], ONSET + 30, rounds).both);
	}
}

/* ---- the onset of known shapes */

static double step_shape(double since)
{
	return since >= 0 ? 6 : 0;
}

static double ramp_shape(double since)
{
	return since < 0 ? 0 : since * 1.5 < 60 ? since * 1.5 : 60;
}

static double incident_shape(double since)
{
	return since > 40 ? 0 : ramp_shape(since);
}

static double fall_shape(double since)
{
	return since < 0 || since > 30 ? 0 : -8;
}

static double fast_ramp_shape(double since)
{
	return since < 0 ? 0 : since * 5 < 60 ? since * 5 : 60;
}

static const struct shape {
	const char *words;
	double (*at)(double since);
	double start; /* of a ramp the last point at its baseline, of a step the first beside it */
} shapes[] = {
	{"step of 6 sd", step_shape, ONSET},
	{"ramp to 60 sd in 40 points, stays", ramp_shape, ONSET},
	{"ramp to 60 sd in 12 points, stays", fast_ramp_shape, ONSET},
	{"ramp to 60 sd, back after 40 points", incident_shape, ONSET},
	{"fall by 8 sd for 30 points", fall_shape, ONSET},
};

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void track_of(struct track *track, gsl_rng *random, double phi, const struct shape *shape)
{
	double values[POINTS];

	track_init(track, "known", TRACK_GAUGE);
	noise(random, phi, values, POINTS);
	for (size_t i = 0; i < POINTS; i++)
		track_add(track, FIRST_NS + i * TICK_NS, FIRST_NS + i * TICK_NS,
			  values[i] + shape->at((double)i - ONSET));
}

/* The interval's knowledge in points: the estimate is the knee, or the first point away. */
static bool onset_error(gsl_rng *random, double phi, const struct shape *shape, int rounds)
{
	double *errors = calloc((size_t)rounds, sizeof(*errors));
	int nr = 0, held = 0;
	bool is_good;

	for (int i = 0; errors && i < rounds; i++) {
		struct track track;
		struct onset onset;
		uint64_t true_ns = FIRST_NS + ONSET * TICK_NS;

		track_of(&track, random, phi, shape);
		onset_find(&track, 1, &onset);
		if (onset.is_found) {
			errors[nr++] = (double)onset.knee - ONSET;
			held += onset.milestone.after_ns <= true_ns &&
				onset.milestone.until_ns >= true_ns;
		}
		track_release(&track);
	}
	if (!nr) {
		free(errors);
		return false;
	}
	qsort(errors, (size_t)nr, sizeof(*errors), compare_doubles);
	printf("  %.1f  %-36s %5.1f %%  %+5.1f  [%+.0f, %+.0f]  %10.1f %%\n", phi, shape->words,
	       100.0 * nr / rounds, errors[nr / 2], errors[nr / 20], errors[nr - 1 - nr / 20],
	       100.0 * held / nr);
	is_good = fabs(errors[nr / 20]) <= ERROR_MAX &&
		  fabs(errors[nr - 1 - nr / 20]) <= ERROR_MAX && held >= HELD_MIN * nr;
	free(errors);
	return is_good;
}

static bool onset_errors(gsl_rng *random, int rounds)
{
	bool is_good = true;

	printf("onset of known shapes: error in points (+ is late), median and the middle 90 %%\n");
	printf("  phi  shape                                found  median  90 %%     interval holds it\n");
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
			is_good = onset_error(random, phis[i], &shapes[k], rounds) && is_good;
	}
	return is_good;
}

/* usage: order-honesty [<series>]: status 1 where a limit is passed */
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1000;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	bool is_good;

	if (rounds < 1) {
		fputs("usage: order-honesty [<series>]\n", stderr);
		return 2;
	}
	gsl_rng_set(random, 20261130);
	is_good = false_alarms(random, rounds);
	power(random, rounds / 5 ? rounds / 5 : 1);
	is_good = onset_errors(random, rounds) && is_good;
	gsl_rng_free(random);
	return is_good ? 0 : 1;
}
