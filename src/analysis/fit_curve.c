/* fit_curve.c - sampled CPU time as a curve over time, which can be read at any moment */
#include "analysis/fit_curve.h"

#include <math.h>

#include "analysis/clock_fit_limits.h"
#include "base/map.h"
#include "base/mem.h"

/* Steps are not finer than a recorder's timer, nor than what a grid of that size resolves. */
#define STEP_NS 100000.0

/* The time of each thread's latest sample. */
struct threads {
	struct map map;
	struct thread {
		uint32_t id;
		uint64_t time_ns;
	} * list; /* owned */
	uint32_t nr;
	size_t alloc;
};

static bool same_thread(const void *key, uint32_t id)
{
	const struct threads *threads = key;

	return threads->list[id].id == threads->list[threads->nr].id;
}

/* The thread's sample before, 0 for none; the time is kept as its latest. */
static uint64_t swap_latest(struct threads *threads, uint32_t id, uint64_t time_ns)
{
	uint32_t hash = map_hash(&id, sizeof(id));
	struct map_slot *slot;
	uint64_t before;

	GROW(threads->list, threads->nr + 1u, threads->alloc);
	threads->list[threads->nr] = (struct thread){id, time_ns};
	map_grow(&threads->map);
	slot = map_find(&threads->map, hash, same_thread, threads);
	if (slot->id == MAP_NONE) {
		map_fill(&threads->map, slot, hash, threads->nr++);
		return 0;
	}
	before = threads->list[slot->id].time_ns;
	threads->list[slot->id].time_ns = time_ns;
	return before;
}

/*
 * The curve is a sum of ramps, and a ramp the difference of two hinges: slope x (t - begin) from
 * its begin on. What a hinge adds to the steps behind it is kept where it begins.
 */
struct hinges {
	double *slopes, *offsets; /* owned, one each step */
	size_t nr;
};

/* at: in steps from the curve's start */
static void add_hinge(struct hinges *hinges, double at, double slope)
{
	double step = ceil(at < 0 ? 0 : at);

	if (step >= (double)hinges->nr)
		return;
	hinges->slopes[(size_t)step] += slope;
	hinges->offsets[(size_t)step] -= slope * at;
}

static void add_sample(const struct fit_curve *curve, struct hinges *hinges,
		       const struct fit_sample *sample, double length_ns)
{
	double end = ((double)sample->time_ns - (double)curve->start_ns) / curve->step_ns;
	double length = length_ns / curve->step_ns;
	double slope = (double)sample->cpu_ns / length;

	add_hinge(hinges, end - length, slope);
	add_hinge(hinges, end, -slope);
}

static void sum_up(struct fit_curve *curve, const struct hinges *hinges)
{
	double slope = 0, offset = 0;

	for (size_t i = 0; i < curve->nr; i++) {
		slope += hinges->slopes[i];
		offset += hinges->offsets[i];
		curve->sums[i] = slope * (double)i + offset;
	}
}

static double length_of(const struct fit_sample *sample, uint64_t before_ns, enum fit_spread spread)
{
	uint64_t length_ns = sample->cpu_ns ? sample->cpu_ns : 1;

	if (spread == FIT_SPREAD_GAP && before_ns && sample->time_ns - before_ns > length_ns)
		length_ns = sample->time_ns - before_ns;
	return length_ns > FIT_SPREAD_MAX_NS ? (double)FIT_SPREAD_MAX_NS : (double)length_ns;
}

void fit_curve_init(struct fit_curve *curve, const struct fit_input *input, enum fit_spread spread)
{
	double length = (double)(input->end_ns - input->start_ns);
	struct threads threads = {0};
	struct hinges hinges;

	*curve = (struct fit_curve){.start_ns = input->start_ns, .step_ns = STEP_NS};
	if (length / curve->step_ns > FIT_GRID_MAX - 2)
		curve->step_ns = length / (FIT_GRID_MAX - 2);
	curve->nr = (size_t)(length / curve->step_ns) + 2;
	curve->sums = mem_zalloc(curve->nr, sizeof(*curve->sums));
	hinges = (struct hinges){mem_zalloc(curve->nr, sizeof(double)),
				 mem_zalloc(curve->nr, sizeof(double)), curve->nr};
	for (size_t i = 0; i < input->samples_nr; i++) {
		const struct fit_sample *sample = &input->samples[i];
		uint64_t before = swap_latest(&threads, sample->thread, sample->time_ns);

		add_sample(curve, &hinges, sample, length_of(sample, before, spread));
	}
	sum_up(curve, &hinges);
	free(hinges.slopes);
	free(hinges.offsets);
	free(threads.list);
	map_release(&threads.map);
}

void fit_curve_release(struct fit_curve *curve)
{
	free(curve->sums);
	*curve = (struct fit_curve){0};
}

static double read_at(const struct fit_curve *curve, double time_ns)
{
	double at = time_ns / curve->step_ns;
	size_t step;

	if (at <= 0)
		return curve->sums[0];
	if (at >= (double)(curve->nr - 1))
		return curve->sums[curve->nr - 1];
	step = (size_t)at;
	return curve->sums[step] +
	       (at - (double)step) * (curve->sums[step + 1] - curve->sums[step]);
}

double fit_curve_between(const struct fit_curve *curve, double begin_ns, double end_ns)
{
	return read_at(curve, end_ns) - read_at(curve, begin_ns);
}
