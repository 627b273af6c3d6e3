/* growth.c - the function whose CPU time per item grew most, between two spans of samples */
#include "analysis/growth.h"

#include <math.h>

#include "analysis/naming.h"
#include "analysis/order_limits.h"
#include "analysis/utilisation.h"
#include "base/mem.h"
#include "model/capture.h"

struct sums {
	const struct naming *naming;
	double *of_function[2]; /* before and during */
	double all[2];
	uint64_t *seen; /* per function, the last sample that held it, by number + 1 */
};

static void add_function(struct sums *sums, uint32_t function, int side, double ns, uint64_t nr)
{
	if (function == FUNCTION_NONE || sums->seen[function] == nr)
		return;
	sums->seen[function] = nr;
	sums->of_function[side][function] += ns;
}

static void add_place(struct sums *sums, uint32_t location, int side, double ns, uint64_t nr)
{
	const struct naming *naming = sums->naming;
	uint32_t frames_nr;
	const struct frame *frames = frames_of(&naming->capture->frames, location, &frames_nr);

	for (uint32_t i = 0; i < frames_nr; i++)
		add_function(sums, naming->of_location[frames[i].function], side, ns, nr);
	add_function(sums, naming->of_location[location], side, ns, nr);
}

static void add_cell(struct sums *sums, const struct utilisation *utilisation, size_t cell_nr,
		     int side)
{
	const struct utilisation_cell *cell = &utilisation->cells[cell_nr];
	const struct stacks *stacks = &sums->naming->capture->stacks;
	const uint32_t *ids = stacks_ids(stacks, cell->callers);
	double ns = utilisation->is_estimated ? utilisation->sample_ns * cell->count
					      : (double)cell->period;

	sums->all[side] += ns;
	for (uint32_t i = 0; i < stacks_depth(stacks, cell->callers); i++)
		add_place(sums, ids[i], side, ns, cell_nr + 1);
	if (cell->leaf != UINT32_MAX)
		add_place(sums, cell->leaf, side, ns, cell_nr + 1);
}

static bool is_within(const struct utilisation *utilisation, size_t cell_nr, struct span span)
{
	uint64_t time_ns = utilisation->cells[cell_nr].slot * UTILISATION_SLOT_NS +
			   UTILISATION_SLOT_NS / 2 + (uint64_t)utilisation->offset_ns;

	return time_ns > span.from_ns && time_ns <= span.to_ns;
}

/* By how many times it grew; what is new by more than anything else. */
static double factor(double before, double during)
{
	return before > 0 ? during / before : HUGE_VAL;
}

static struct growth best_of(const struct sums *sums, double items_before, double items_during)
{
	struct growth best = {.function = FUNCTION_NONE};
	double grew = sums->all[1] / items_during - sums->all[0] / items_before;

	for (uint32_t i = 0; grew > 0 && i < sums->naming->nr; i++) {
		struct growth of = {i, sums->of_function[0][i] / items_before,
				    sums->of_function[1][i] / items_during};
		double by = factor(of.before, of.during),
		       best_by = factor(best.before, best.during);

		if (sums->naming->list[i].is_unnamed || of.during - of.before < GROWTH_SHARE * grew)
			continue;
		if (best.function == FUNCTION_NONE || by > best_by ||
		    (by == best_by && of.during > best.during))
			best = of;
	}
	return best;
}

struct growth growth_find(const struct utilisation *utilisation, const struct naming *naming,
			  struct span before, double items_before, struct span during,
			  double items_during)
{
	struct sums sums = {.naming = naming};
	struct growth best = {.function = FUNCTION_NONE};

	if (!(items_before > 0) || !(items_during > 0))
		return best;
	sums.of_function[0] = mem_zalloc((size_t)naming->nr + 1, sizeof(double));
	sums.of_function[1] = mem_zalloc((size_t)naming->nr + 1, sizeof(double));
	sums.seen = mem_zalloc((size_t)naming->nr + 1, sizeof(*sums.seen));
	for (size_t i = 0; i < utilisation->nr; i++) {
		if (is_within(utilisation, i, before))
			add_cell(&sums, utilisation, i, 0);
		else if (is_within(utilisation, i, during))
			add_cell(&sums, utilisation, i, 1);
	}
	best = best_of(&sums, items_before, items_during);
	free(sums.of_function[0]);
	free(sums.of_function[1]);
	free(sums.seen);
	return best;
}
