/* track.c - one quantity over time, in memory */
#include "analysis/track.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "base/mem.h"

void track_init(struct track *track, const char *name, enum track_kind kind)
{
	*track = (struct track){.name = mem_strdup(name), .kind = kind};
}

void track_release(struct track *track)
{
	free(track->name);
	free(track->begin_ns);
	free(track->end_ns);
	free(track->values);
	*track = (struct track){0};
}

void track_add(struct track *track, uint64_t begin_ns, uint64_t end_ns, double value)
{
	if (track->nr == track->alloc) {
		track->alloc = mem_next_alloc(track->alloc, track->nr + 1, sizeof(uint64_t));
		track->begin_ns = mem_realloc(track->begin_ns, track->alloc, sizeof(uint64_t));
		track->end_ns = mem_realloc(track->end_ns, track->alloc, sizeof(uint64_t));
		track->values = mem_realloc(track->values, track->alloc, sizeof(double));
	}
	track->begin_ns[track->nr] = begin_ns;
	track->end_ns[track->nr] = end_ns;
	track->values[track->nr++] = value;
}

bool track_has_value(const struct track *track)
{
	for (size_t i = 0; i < track->nr; i++)
		if (!isnan(track->values[i]))
			return true;
	return false;
}

uint64_t track_tick_ns(const struct track *track)
{
	double *steps, median;

	if (track->nr < 2)
		return 0;
	steps = mem_alloc((track->nr - 1) * sizeof(*steps));
	for (size_t i = 1; i < track->nr; i++)
		steps[i - 1] = (double)(track->end_ns[i] - track->end_ns[i - 1]);
	gsl_sort(steps, 1, track->nr - 1);
	median = gsl_stats_median_from_sorted_data(steps, 1, track->nr - 1);
	free(steps);
	return (uint64_t)median;
}

size_t track_first_after(const struct track *track, uint64_t time_ns)
{
	size_t low = 0, high = track->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (track->end_ns[middle] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The known values in the range, in an array that the caller frees. */
static double *values_within(const struct track *track, uint64_t from_ns, uint64_t to_ns,
			     size_t *ret_nr)
{
	size_t first = track_first_after(track, from_ns), end = track_first_after(track, to_ns);
	double *values = mem_alloc((end > first ? end - first : 1) * sizeof(*values));
	size_t nr = 0;

	for (size_t i = first; i < end; i++)
		if (!isnan(track->values[i]))
			values[nr++] = track->values[i];
	*ret_nr = nr;
	return values;
}

double track_mean(const struct track *track, uint64_t from_ns, uint64_t to_ns)
{
	size_t nr;
	double *values = values_within(track, from_ns, to_ns, &nr), mean;

	mean = nr ? gsl_stats_mean(values, 1, nr) : NAN;
	free(values);
	return mean;
}

double track_median(const struct track *track, uint64_t from_ns, uint64_t to_ns)
{
	size_t nr;
	double *values = values_within(track, from_ns, to_ns, &nr), median = NAN;

	if (nr) {
		gsl_sort(values, 1, nr);
		median = gsl_stats_median_from_sorted_data(values, 1, nr);
	}
	free(values);
	return median;
}

void track_add_rates(struct track *ret, const uint64_t *times_ns, const double *values, size_t nr,
		     double scale)
{
	for (size_t i = 1; i < nr; i++) {
		double step = values[i] - values[i - 1]; /* NAN stays NAN */
		double seconds = (double)(times_ns[i] - times_ns[i - 1]) / 1e9;

		if (times_ns[i] <= times_ns[i - 1])
			continue;
		track_add(ret, times_ns[i - 1], times_ns[i],
			  step < 0 ? (double)NAN : step * scale / seconds);
	}
}
