/* onset.c - when a series left its baseline, as an interval */
#include "analysis/onset.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "analysis/order_limits.h"
#include "analysis/track.h"
#include "base/mem.h"

#define MAD_TO_DEVIATION 1.4826 /* of a normal distribution */

size_t onset_sustained(const bool *holds, size_t nr, size_t from, size_t window)
{
	for (size_t i = from; i < nr; i++) {
		size_t seen = nr - i < window ? nr - i : window, held = 0;

		if (!holds[i] || (seen < 2 && window > 1))
			continue;
		for (size_t k = i; k < i + seen; k++)
			held += holds[k];
		if ((double)held >= ONSET_SUSTAINED * (double)seen)
			return i;
	}
	return nr;
}

static uint64_t earlier(uint64_t time_ns, uint64_t by_ns)
{
	return time_ns < by_ns ? 0 : time_ns - by_ns;
}

struct milestone onset_milestone(const struct track *track, size_t index, enum milestone_what what)
{
	uint64_t stamp_ns = (uint64_t)(ONSET_STAMP_ERROR * (double)track_tick_ns(track));
	size_t before = index ? index - 1 : 0;

	return (struct milestone){
		.role = track->name,
		.what = what,
		.after_ns = earlier(track->kind == TRACK_RATE ? track->begin_ns[before]
							      : track->end_ns[before],
				    stamp_ns),
		.until_ns = track->end_ns[index] + stamp_ns,
		.clock = track->clock,
		.error_ns = track->error_ns,
		.has_unknown_clock = track->has_unknown_clock,
	};
}

/* ---- the baseline: the first half of what precedes the change */

static double *sorted_known(const double *values, size_t nr, size_t *ret_nr)
{
	double *known = mem_alloc((nr + 1) * sizeof(*known));
	size_t known_nr = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!isnan(values[i]))
			known[known_nr++] = values[i];
	}
	gsl_sort(known, 1, known_nr);
	*ret_nr = known_nr;
	return known;
}

/* The points of the baseline; a ramp's change is found late, in the midst of it. */
static size_t baseline_nr(const struct onset *onset)
{
	size_t half = onset->change.begin / 2;

	if (half >= ONSET_BASELINE_MIN)
		return half;
	return onset->change.begin < ONSET_BASELINE_MIN ? onset->change.begin : ONSET_BASELINE_MIN;
}

static bool baseline_set(const struct track *track, struct onset *onset)
{
	size_t nr, points = baseline_nr(onset);
	double *known = sorted_known(track->values, points, &nr), least;

	if (nr < CHANGE_SIDE_MIN) {
		free(known);
		return false;
	}
	onset->baseline = gsl_stats_median_from_sorted_data(known, 1, nr);
	for (size_t i = 0; i < nr; i++)
		known[i] = fabs(known[i] - onset->baseline);
	gsl_sort(known, 1, nr);
	onset->spread = MAD_TO_DEVIATION * gsl_stats_median_from_sorted_data(known, 1, nr);
	free(known);
	least = fmax(track->floor, track->floor_share * fabs(onset->baseline));
	onset->threshold = fmax(ONSET_DEPARTURE * onset->spread, least);
	return true;
}

/* ---- the departure */

static double departure(const struct track *track, const struct onset *onset, size_t i)
{
	return onset->direction * (track->values[i] - onset->baseline);
}

static int direction_of(const struct track *track, const struct onset *onset)
{
	size_t nr, from = onset->change.begin;
	double *known = sorted_known(track->values + from, onset->change.end - from, &nr);
	double median = nr ? gsl_stats_median_from_sorted_data(known, 1, nr) : onset->baseline;
	double mean = nr ? gsl_stats_mean(known, 1, nr) : onset->baseline;

	free(known);
	if (median == onset->baseline)
		median = mean;
	return median < onset->baseline ? -1 : 1;
}

/* A short change has fewer points than the window. */
static size_t window_of(const struct onset *onset)
{
	size_t points = onset->change.end - onset->change.begin;

	return points >= ONSET_WINDOW ? ONSET_WINDOW : points < 2 ? 2 : points;
}

static bool departure_find(const struct track *track, struct onset *onset)
{
	bool *away = mem_zalloc(track->nr, sizeof(*away));
	double stays = onset->threshold * ONSET_STAYS / ONSET_DEPARTURE;
	size_t from = baseline_nr(onset);

	onset->direction = direction_of(track, onset);
	for (size_t i = 0; i < track->nr; i++)
		away[i] = departure(track, onset, i) > stays;
	do {
		onset->first = onset_sustained(away, track->nr, from, window_of(onset));
		from = onset->first + 1;
	} while (onset->first < track->nr &&
		 departure(track, onset, onset->first) <= onset->threshold);
	for (size_t i = 0; i < track->nr; i++)
		away[i] = !away[i];
	if (onset->first < track->nr)
		onset->last = onset_sustained(away, track->nr, onset->first, window_of(onset));
	free(away);
	return onset->first < track->nr;
}

static size_t peak_find(const struct track *track, const struct onset *onset)
{
	double greatest = 0;

	for (size_t i = onset->first; i < onset->last; i++) {
		if (departure(track, onset, i) > greatest)
			greatest = departure(track, onset, i);
	}
	for (size_t i = onset->first; i < onset->last; i++) {
		if (departure(track, onset, i) >= ONSET_PEAK * greatest)
			return i;
	}
	return onset->first;
}

/* ---- step or hinge, up to the peak: which fits better, and where does the hinge turn */

#define HINGE_POINTS 1000 /* before and behind the departure */

struct stretch {
	const double *values; /* borrowed, less the baseline */
	size_t nr;
};

static double step_error(const struct stretch *s, size_t at)
{
	double below = 0, above = 0, error = 0;

	for (size_t i = 0; i < s->nr; i++)
		*(i < at ? &below : &above) += s->values[i];
	below /= (double)at;
	above /= (double)(s->nr - at);
	for (size_t i = 0; i < s->nr; i++)
		error += pow(s->values[i] - (i < at ? below : above), 2);
	return error;
}

/* Least squares of a + b * max(0, i - at). */
static double hinge_error(const struct stretch *s, size_t at)
{
	double n = (double)s->nr, sum = 0, products = 0, rise = 0, squares = 0, a, b, error = 0;

	for (size_t i = 0; i < s->nr; i++) {
		double h = i > at ? (double)(i - at) : 0;

		sum += s->values[i];
		rise += h;
		squares += h * h;
		products += h * s->values[i];
	}
	b = (n * products - rise * sum) / (n * squares - rise * rise);
	a = (sum - b * rise) / n;
	for (size_t i = 0; i < s->nr; i++)
		error += pow(s->values[i] - a - (i > at ? b * (double)(i - at) : 0), 2);
	return error;
}

/* The place with the least error, which is in *ret_error. */
static size_t best_of(const struct stretch *s, double (*error_at)(const struct stretch *, size_t),
		      double *ret_error)
{
	size_t best = 1;

	*ret_error = HUGE_VAL;
	for (size_t at = 1; at + 1 < s->nr; at++) {
		double error = error_at(s, at);

		if (error < *ret_error) {
			*ret_error = error;
			best = at;
		}
	}
	return best;
}

static void hinge_fit(const struct track *track, struct onset *onset)
{
	size_t from = onset->first > HINGE_POINTS ? onset->first - HINGE_POINTS : 0;
	size_t to = onset->peak < onset->first + HINGE_POINTS ? onset->peak
							      : onset->first + HINGE_POINTS;
	struct stretch s = {.nr = 0};
	size_t *index = mem_alloc((to - from + 1) * sizeof(*index)), knee;
	double *values = mem_alloc((to - from + 1) * sizeof(*values)), step, hinge;

	for (size_t i = from; i <= to; i++) {
		if (isnan(track->values[i]))
			continue;
		index[s.nr] = i;
		values[s.nr++] = track->values[i];
	}
	s.values = values;
	if (s.nr >= 2 * ONSET_RAMP_MIN) {
		best_of(&s, step_error, &step);
		knee = best_of(&s, hinge_error, &hinge);
		onset->is_ramp = hinge < ONSET_RAMP_MARGIN * step && index[knee] <= onset->first;
		if (onset->is_ramp)
			onset->knee = index[knee];
	}
	free(index);
	free(values);
}

/* A ramp left its baseline before it could be told from noise. */
static void milestone_set(const struct track *track, struct onset *onset)
{
	struct milestone from =
		onset_milestone(track, onset->knee ? onset->knee : 1, MILESTONE_ONSET);

	onset->milestone = onset_milestone(track, onset->first, MILESTONE_ONSET);
	if (onset->is_ramp && from.after_ns < onset->milestone.after_ns)
		onset->milestone.after_ns = from.after_ns;
}

void onset_find(const struct track *track, uint64_t seed, struct onset *ret)
{
	*ret = (struct onset){.first = track->nr, .last = track->nr};
	change_test(track->values, track->nr, seed, &ret->change);
	if (!ret->change.is_changed || !baseline_set(track, ret) || !departure_find(track, ret))
		return;
	ret->is_found = true;
	ret->peak = peak_find(track, ret);
	ret->knee = ret->first;
	if (ret->peak >= ret->first + ONSET_RAMP_MIN)
		hinge_fit(track, ret);
	milestone_set(track, ret);
}
