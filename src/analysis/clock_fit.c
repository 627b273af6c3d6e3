/* clock_fit.c - the offset at which sampled CPU time follows a counter of it, or why not */
#include "analysis/clock_fit.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>

#include "analysis/clock_fit_limits.h"
#include "analysis/fit_curve.h"
#include "base/mem.h"

/*
 * Offsets are taken from base_ns, that of the two beginnings: a double has not the digits for
 * nanoseconds since 1970, but for those of some weeks.
 */
struct search {
	const struct fit_input *input;
	double *begins, *ends; /* owned: of intervals, on the capture's clock at offset base_ns */
	int64_t base_ns;
	double tick_ns;	  /* median length of an interval */
	double length_ns; /* of the recording */
	size_t nr_min;	  /* intervals that must lie in the recording */
	struct fit_curve curve;
};

/* How well the counter is followed at an offset. */
struct match {
	double offset_ns;
	size_t first, nr;      /* the intervals that lie in the recording */
	double scale, level;   /* counted = scale x sampled + level x time */
	double rest, constant; /* sums of squares: what is left, and what a constant load leaves */
	double sampled, counted; /* CPU time */
};

static double logarithm(const struct match *match)
{
	return log((match->rest + 1) / (double)match->nr);
}

static size_t bisect(const double *list, size_t nr, double wanted)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Least squares with two unknowns. False where they cannot be told apart. */
static bool solve(const struct search *search, struct match *match)
{
	double xx = 0, xt = 0, tt = 0, xy = 0, ty = 0, yy = 0, determinant;

	for (size_t i = match->first; i < match->first + match->nr; i++) {
		double begin = search->begins[i] + match->offset_ns;
		double end = search->ends[i] + match->offset_ns;
		double x = fit_curve_between(&search->curve, begin, end);
		double t = end - begin, y = search->input->intervals[i].cpu_ns;

		xx += x * x;
		xt += x * t;
		tt += t * t;
		xy += x * y;
		ty += t * y;
		yy += y * y;
		match->sampled += x;
		match->counted += y;
	}
	determinant = xx * tt - xt * xt;
	if (!(determinant > 1e-9 * xx * tt))
		return false;
	match->scale = (xy * tt - ty * xt) / determinant;
	match->level = (ty * xx - xy * xt) / determinant;
	match->rest = fmax(0, yy - match->scale * xy - match->level * ty);
	match->constant = fmax(0, yy - ty * ty / tt);
	return true;
}

/* False where too little lies in the recording, or what lies there does not vary. */
static bool look(const struct search *search, double offset_ns, struct match *ret)
{
	size_t nr = search->input->intervals_nr;
	size_t end = bisect(search->ends, nr, search->length_ns - offset_ns);

	*ret = (struct match){.offset_ns = offset_ns,
			      .first = bisect(search->begins, nr, -offset_ns)};
	if (end < ret->first + search->nr_min)
		return false;
	ret->nr = end - ret->first;
	return solve(search, ret) && ret->scale > 0;
}

/* ---- offsets one after the other */

struct best {
	struct match match;
	bool is_found;
};

static void try(const struct search *search, double offset_ns, struct best *best)
{
	struct match match;

	if (!look(search, offset_ns, &match))
		return;
	if (!best->is_found || logarithm(&match) < logarithm(&best->match))
		best->match = match;
	best->is_found = true;
}

static void walk(const struct search *search, double from_ns, double to_ns, double step_ns,
		 struct best *best)
{
	for (double at = from_ns; at <= to_ns; at += step_ns)
		try(search, at, best);
}

/* What is found under one assumption of when a sample's CPU time was used. */
struct region {
	struct match best;
	double low_ns, high_ns; /* of the offsets that follow nearly as well */
	double threshold;	/* of logarithm(): a match above it is no candidate */
};

/* Residuals that follow each other are not as many as they seem. */
static double independent(const struct search *search, const struct match *match)
{
	double *left = mem_zalloc(match->nr, sizeof(*left));
	double nr = (double)match->nr, same;

	for (size_t i = 0; i < match->nr; i++) {
		double begin = search->begins[match->first + i] + match->offset_ns;
		double end = search->ends[match->first + i] + match->offset_ns;

		left[i] = search->input->intervals[match->first + i].cpu_ns -
			  match->scale * fit_curve_between(&search->curve, begin, end) -
			  match->level * (end - begin);
	}
	same = gsl_stats_lag1_autocorrelation(left, 1, match->nr);
	free(left);
	if (!(same > 0))
		same = 0;
	if (same > FIT_ALIKE_MAX)
		same = FIT_ALIKE_MAX;
	return fmax(1, nr * (1 - same) / (1 + same) - FIT_UNKNOWNS);
}

static struct error *undetermined(const char *why)
{
	return error_new(ERROR_INPUT, "the offset cannot be determined: %s", why);
}

/* Offsets that are nowhere near the best one and follow as well: the load repeats itself. */
static struct error *look_elsewhere(const struct search *search, const struct region *region)
{
	double step = search->tick_ns / FIT_COARSE, near = FIT_TICKS_MAX * search->tick_ns;
	double from = -search->ends[search->input->intervals_nr - 1];
	/* between two coarse offsets there may be a better one */
	double slack = region->threshold + FIT_SLACK;

	for (double at = from; at <= search->length_ns; at += step) {
		struct best best = {0};
		struct match match;

		if (fabs(at - region->best.offset_ns) < near || !look(search, at, &match) ||
		    logarithm(&match) > slack)
			continue;
		walk(search, at - step, at + step, step / FIT_FINE, &best);
		if (best.is_found && logarithm(&best.match) <= region->threshold)
			return undetermined("the load repeats itself, and several offsets follow "
					    "the counter as well");
	}
	return NULL;
}

static struct error *check(const struct match *match)
{
	double explained = 1 - match->rest / match->constant;
	double scale = match->sampled / match->counted;

	if (!(match->constant > 0) || explained < FIT_EXPLAINED_MIN)
		return undetermined(
			"the counter does not follow the sampled CPU time anywhere; its "
			"load varies too little, or it is of something else");
	if (scale < FIT_SCALE_MIN || scale > FIT_SCALE_MAX)
		return undetermined("sampled and counted CPU time are not of the same amount: the "
				    "counter is of another process, or of more than one");
	return NULL;
}

/* The offsets nearest the best one beyond which none is a candidate. */
static void find_region(const struct search *search, struct region *region)
{
	double step = search->tick_ns / FIT_COARSE / FIT_FINE;
	double reach = 2 * FIT_TICKS_MAX * search->tick_ns, best = region->best.offset_ns;

	region->low_ns = region->high_ns = best;
	for (double at = best - reach; at <= best + reach; at += step) {
		struct match match;

		if (!look(search, at, &match) || logarithm(&match) > region->threshold)
			continue;
		region->low_ns = fmin(region->low_ns, at - step);
		region->high_ns = fmax(region->high_ns, at + step);
	}
}

static struct error *find(const struct search *search, struct region *ret)
{
	double step = search->tick_ns / FIT_COARSE;
	struct best best = {0};
	struct error *err;

	walk(search, -search->ends[search->input->intervals_nr - 1], search->length_ns, step,
	     &best);
	if (!best.is_found)
		return undetermined("the CPU time that was sampled does not vary");
	walk(search, best.match.offset_ns - step, best.match.offset_ns + step, step / FIT_FINE,
	     &best);
	ret->best = best.match;
	err = check(&ret->best);
	if (err)
		return err;
	ret->threshold =
		logarithm(&ret->best) + 2 * log(FIT_ODDS) / independent(search, &ret->best);
	find_region(search, ret);
	return look_elsewhere(search, ret);
}

/* ---- the input */

static double median_tick(const struct fit_input *input)
{
	double *ticks = mem_zalloc(input->intervals_nr, sizeof(*ticks)), tick;

	for (size_t i = 0; i < input->intervals_nr; i++)
		ticks[i] = (double)(input->intervals[i].end_ns - input->intervals[i].begin_ns);
	gsl_sort(ticks, 1, input->intervals_nr);
	tick = gsl_stats_median_from_sorted_data(ticks, 1, input->intervals_nr);
	free(ticks);
	return tick;
}

static uint64_t median_period(const struct fit_input *input)
{
	double *periods = mem_zalloc(input->samples_nr, sizeof(*periods)), period;

	for (size_t i = 0; i < input->samples_nr; i++)
		periods[i] = (double)input->samples[i].cpu_ns;
	gsl_sort(periods, 1, input->samples_nr);
	period = gsl_stats_median_from_sorted_data(periods, 1, input->samples_nr);
	free(periods);
	return (uint64_t)period;
}

static void search_init(struct search *search, const struct fit_input *input)
{
	size_t nr = input->intervals_nr;
	uint64_t begin = input->intervals[0].begin_ns;
	double most;

	*search = (struct search){.input = input,
				  .begins = mem_zalloc(nr, sizeof(double)),
				  .ends = mem_zalloc(nr, sizeof(double)),
				  .base_ns = (int64_t)(input->start_ns - begin),
				  .tick_ns = median_tick(input),
				  .length_ns = (double)(input->end_ns - input->start_ns)};
	for (size_t i = 0; i < nr; i++) {
		search->begins[i] = (double)(input->intervals[i].begin_ns - begin);
		search->ends[i] = (double)(input->intervals[i].end_ns - begin);
	}
	most = fmin((double)nr, search->length_ns / search->tick_ns);
	search->nr_min = (size_t)fmax(FIT_INTERVALS_MIN, FIT_OVERLAP_MIN * most);
}

static void search_release(struct search *search)
{
	free(search->begins);
	free(search->ends);
}

static struct error *check_input(const struct search *search)
{
	double offsets = (search->length_ns + search->ends[search->input->intervals_nr - 1]) /
			 search->tick_ns * FIT_COARSE;
	double in = fmin((double)search->input->intervals_nr, search->length_ns / search->tick_ns);

	if (search->length_ns / search->tick_ns < FIT_INTERVALS_MIN)
		return undetermined("the recording is too short for what the counter resolves, or "
				    "the other way round");
	if (offsets * in * FIT_SPREAD_NR > (double)FIT_STEPS_MAX)
		return error_new(ERROR_LIMIT, "the counter is too long beside the recording to try "
					      "all offsets: import the part of it that may fit");
	return NULL;
}

static struct error *fit_all(struct search *search, struct fit *ret)
{
	const struct fit_input *input = search->input;
	struct region regions[FIT_SPREAD_NR];
	struct error *err = check_input(search);
	double low, high;

	for (int i = 0; !err && i < FIT_SPREAD_NR; i++) {
		fit_curve_init(&search->curve, input, i);
		err = find(search, &regions[i]);
		fit_curve_release(&search->curve);
	}
	if (err)
		return err;
	low = fmin(regions[0].low_ns, regions[1].low_ns);
	high = fmax(regions[0].high_ns, regions[1].high_ns);
	if (high - low > 2 * FIT_TICKS_MAX * search->tick_ns)
		return undetermined("the load varies too little, and offsets far apart follow the "
				    "counter as well");
	*ret = (struct fit){
		.offset_ns = search->base_ns + (int64_t)floor((low + high) / 2),
		.error_ns = (uint64_t)ceil((high - low) / 2) + median_period(input) / 2,
		.intervals = regions[0].best.nr,
		.explained = 1 - regions[0].best.rest / regions[0].best.constant,
		.scale = regions[0].best.sampled / regions[0].best.counted,
	};
	return NULL;
}

struct error *clock_fit(const struct fit_input *input, struct fit *ret)
{
	struct search search;
	struct error *err;

	if (!input->samples_nr || input->end_ns <= input->start_ns)
		return undetermined("there are no samples of CPU time");
	if (input->intervals_nr < FIT_INTERVALS_MIN)
		return undetermined("the counter has too few points");
	search_init(&search, input);
	err = fit_all(&search, ret);
	search_release(&search);
	return err;
}
