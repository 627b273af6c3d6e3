/* utilisation.c - CPU over time, from samples */
#include "analysis/utilisation.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "analysis/frame_marks.h"
#include "analysis/order_limits.h"
#include "analysis/track.h"
#include "base/mem.h"
#include "model/capture.h"

/* Bins that a track may have: an hour in hundredths of a second, and half as many again. */
#define BINS_MAX 540000

#define SECOND_NS    UINT64_C(1000000000)
#define SECOND_SLOTS (SECOND_NS / UTILISATION_SLOT_NS)

static bool is_idle(const struct utilisation *utilisation, const struct sample *sample)
{
	return sample->task != TASK_NONE && utilisation->capture->tasks.list[sample->task].tid == 0;
}

static bool is_same(const struct utilisation_cell *a, const struct utilisation_cell *b)
{
	return a->slot == b->slot && a->task == b->task && a->callers == b->callers &&
	       a->leaf == b->leaf && a->cpu == b->cpu;
}

static struct error *take_sample(struct sink *sink, const struct sample *sample)
{
	struct utilisation *utilisation = (struct utilisation *)sink;
	struct utilisation_cell *cell, new = {
					       .slot = sample->time_ns / UTILISATION_SLOT_NS,
					       .period = (uint64_t)weight_number(sample->period),
					       .count = (uint32_t)weight_number(sample->count),
					       .task = sample->task,
					       .callers = sample->callers,
					       .leaf = sample->leaf,
					       .cpu = sample->cpu,
				       };

	if (utilisation->event == EVENT_NONE)
		utilisation->event = sample->event;
	if (sample->event != utilisation->event)
		return NULL;
	if (!(sample->flags & SAMPLE_HAS_TIME)) {
		utilisation->without_time++;
		return NULL;
	}
	if (is_idle(utilisation, sample)) {
		utilisation->idle++;
		return NULL;
	}
	cell = utilisation->nr ? &utilisation->cells[utilisation->nr - 1] : NULL;
	if (cell && is_same(cell, &new)) {
		cell->count += new.count;
		cell->period += new.period;
		return NULL;
	}
	GROW(utilisation->cells, utilisation->nr + 1, utilisation->alloc);
	utilisation->cells[utilisation->nr++] = new;
	return NULL;
}

void utilisation_init(struct utilisation *utilisation, const struct capture *capture)
{
	*utilisation = (struct utilisation){
		.sink = {.sample = take_sample},
		.capture = capture,
		.event = EVENT_NONE,
	};
}

void utilisation_release(struct utilisation *utilisation)
{
	free(utilisation->cells);
	free(utilisation->lost);
	*utilisation = (struct utilisation){0};
}

/* ---- the rate */

static int compare_cpus(const void *a, const void *b)
{
	const struct utilisation_cell *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Samples of a busy CPU come in the distance of the rate; idle ones make longer gaps, a minority of
 * them. */
static double distance_ns(const struct utilisation *utilisation)
{
	size_t nr = utilisation->nr, gaps_nr = 0;
	struct utilisation_cell *cells = mem_alloc((nr + 1) * sizeof(*cells));
	double *gaps = mem_alloc((nr + 1) * sizeof(*gaps)), median;

	if (nr)
		memcpy(cells, utilisation->cells, nr * sizeof(*cells));
	qsort(cells, nr, sizeof(*cells), compare_cpus);
	for (size_t i = 1; i < nr; i++) {
		if (cells[i].cpu == cells[i - 1].cpu)
			gaps[gaps_nr++] = (double)((cells[i].slot - cells[i - 1].slot) *
						   UTILISATION_SLOT_NS) /
					  cells[i - 1].count;
	}
	gsl_sort(gaps, 1, gaps_nr);
	median = gaps_nr ? gsl_stats_median_from_sorted_data(gaps, 1, gaps_nr) : 0;
	free(cells);
	free(gaps);
	return median > 0 ? median : (double)UTILISATION_SLOT_NS;
}

static double period_ns(const struct utilisation *utilisation)
{
	double *periods = mem_alloc(utilisation->nr * sizeof(*periods)), median;

	for (size_t i = 0; i < utilisation->nr; i++)
		periods[i] = (double)utilisation->cells[i].period / utilisation->cells[i].count;
	gsl_sort(periods, 1, utilisation->nr);
	median = gsl_stats_median_from_sorted_data(periods, 1, utilisation->nr);
	free(periods);
	return median;
}

/* 1, 2 or 5 times a power of ten of slots, not less than so many nanoseconds. */
static uint64_t round_bin(double least_ns)
{
	static const uint64_t steps[] = {1, 2, 5};

	for (uint64_t unit = UTILISATION_SLOT_NS; unit < UINT64_MAX / 100; unit *= 10) {
		for (size_t i = 0; i < ARRAY_NR(steps); i++) {
			if ((double)(steps[i] * unit) >= least_ns)
				return steps[i] * unit;
		}
	}
	return UINT64_MAX / 100;
}

static double used_ns(const struct utilisation *utilisation, const struct utilisation_cell *cell)
{
	return utilisation->is_estimated ? utilisation->sample_ns * cell->count
					 : (double)cell->period;
}

/* ---- what is lost: known by the second */

/* Cells are in the order of time. */
size_t utilisation_find(const struct utilisation *utilisation, uint64_t slot)
{
	size_t low = 0, high = utilisation->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (utilisation->cells[middle].slot < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Samples of that second. */
static uint64_t seen_in(const struct utilisation *utilisation, uint64_t second)
{
	uint64_t from = second * SECOND_SLOTS, seen = 0;
	size_t at = utilisation_find(utilisation, from);

	while (at < utilisation->nr && utilisation->cells[at].slot < from + SECOND_SLOTS)
		seen += utilisation->cells[at++].count;
	return seen;
}

static int compare_seconds(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Losses come by kind and event, and there may be several of one second. */
static void lost_find(struct utilisation *utilisation)
{
	const struct losses *losses = &utilisation->capture->losses;

	utilisation->lost = mem_alloc(((size_t)losses->nr + 1) * sizeof(*utilisation->lost));
	for (uint32_t i = 0; i < losses->nr; i++) {
		const struct loss *loss = &losses->list[i];
		uint64_t seen;

		if (loss->second == LOSS_NO_SECOND)
			continue;
		seen = loss->kind == LOSS_EVENTS ? seen_in(utilisation, loss->second) : 0;
		if ((loss->kind == LOSS_EVENTS && loss->count &&
		     (double)loss->count / (double)(loss->count + seen) > UTILISATION_LOST) ||
		    (loss->kind == LOSS_THROTTLED && (double)loss->ns / 1e9 > UTILISATION_LOST))
			utilisation->lost[utilisation->lost_nr++] = loss->second;
	}
	qsort(utilisation->lost, utilisation->lost_nr, sizeof(*utilisation->lost), compare_seconds);
}

bool utilisation_is_lost(const struct utilisation *utilisation, uint64_t from_ns, uint64_t to_ns)
{
	size_t low = 0, high = utilisation->lost_nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (utilisation->lost[middle] < from_ns / SECOND_NS)
			low = middle + 1;
		else
			high = middle;
	}
	return low < utilisation->lost_nr && utilisation->lost[low] * SECOND_NS < to_ns;
}

bool utilisation_finish(struct utilisation *utilisation)
{
	const struct event *event;

	if (!utilisation->nr)
		return false;
	event = &utilisation->capture->events.list[utilisation->event];
	utilisation->is_estimated = event->unit != UNIT_NS || !event->has_periods;
	utilisation->sample_ns =
		utilisation->is_estimated ? distance_ns(utilisation) : period_ns(utilisation);
	if (!(utilisation->sample_ns >= 1))
		utilisation->sample_ns = 1;
	lost_find(utilisation);
	utilisation->bin_ns = round_bin(utilisation->sample_ns * UTILISATION_BIN_SAMPLES);
	return true;
}

/* ---- tracks */

static bool is_of(const struct utilisation *utilisation, const struct utilisation_of *of,
		  const struct utilisation_cell *cell)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct task *task =
		cell->task == TASK_NONE ? &nobody : &utilisation->capture->tasks.list[cell->task];

	if (of->marks && !frame_marks_hold(of->marks, cell->callers, cell->leaf))
		return false;
	switch (of->by) {
	case UTILISATION_ALL:
		return true;
	case UTILISATION_PROCESS:
		return task->pid == of->key;
	case UTILISATION_THREAD:
		return task->tid == of->key;
	case UTILISATION_CPU:
		return cell->cpu == of->key;
	case UTILISATION_COMM:
		return task->comm == of->key;
	case UTILISATION_STAGE:
		return cell->task != TASK_NONE && of->stage_of_task[cell->task] == of->key;
	}
	return false;
}

void utilisation_track(const struct utilisation *utilisation, const struct utilisation_of *of,
		       uint64_t bin_ns, struct track *ret)
{
	uint64_t slots = ((bin_ns ? bin_ns : utilisation->bin_ns) + UTILISATION_SLOT_NS - 1) /
			 UTILISATION_SLOT_NS;
	uint64_t first, last;
	double *bins;

	if (!utilisation->nr)
		return;
	first = utilisation->cells[0].slot / slots;
	last = utilisation->cells[utilisation->nr - 1].slot / slots;
	if (last < first || last - first >= BINS_MAX)
		return;
	bins = mem_zalloc(last - first + 1, sizeof(*bins));
	for (size_t i = 0; i < utilisation->nr; i++) {
		uint64_t bin = utilisation->cells[i].slot / slots;

		if (bin >= first && bin <= last && is_of(utilisation, of, &utilisation->cells[i]))
			bins[bin - first] += used_ns(utilisation, &utilisation->cells[i]);
	}
	for (uint64_t bin = first; bin <= last; bin++) {
		uint64_t begin_ns = bin * slots * UTILISATION_SLOT_NS;
		uint64_t end_ns = begin_ns + slots * UTILISATION_SLOT_NS;

		track_add(ret, begin_ns + (uint64_t)utilisation->offset_ns,
			  end_ns + (uint64_t)utilisation->offset_ns,
			  utilisation_is_lost(utilisation, begin_ns, end_ns)
				  ? (double)NAN
				  : bins[bin - first] / (double)(end_ns - begin_ns));
	}
	free(bins);
}

/* ---- how long it goes on */

/* A next sample this many distances later, or sooner, is the one that follows. */
#define FOLLOWS_AT_ONCE 1.5

void utilisation_run_on(const struct utilisation *utilisation, const struct utilisation_of *of,
			struct track *ret)
{
	uint64_t slots = utilisation->bin_ns / UTILISATION_SLOT_NS, bin = 0, samples = 0,
		 follow = 0;
	double near_slots = FOLLOWS_AT_ONCE * utilisation->sample_ns / (double)UTILISATION_SLOT_NS;
	uint64_t *last = mem_zalloc((size_t)utilisation->capture->tasks.nr + 1, sizeof(*last));

	for (size_t i = 0; i <= utilisation->nr; i++) {
		const struct utilisation_cell *cell = &utilisation->cells[i];
		bool is_end = i == utilisation->nr;

		if (is_end || cell->slot / slots != bin) {
			uint64_t begin_ns = bin * slots * UTILISATION_SLOT_NS +
					    (uint64_t)utilisation->offset_ns;

			if (samples)
				track_add(ret, begin_ns, begin_ns + slots * UTILISATION_SLOT_NS,
					  (double)follow / (double)samples);
			samples = follow = 0;
			bin = is_end ? 0 : cell->slot / slots;
		}
		if (is_end || cell->task == TASK_NONE || !is_of(utilisation, of, cell))
			continue;
		samples += cell->count;
		follow += cell->count - 1;
		follow += last[cell->task] && (double)(cell->slot - last[cell->task]) <= near_slots;
		last[cell->task] = cell->slot;
	}
	free(last);
}
