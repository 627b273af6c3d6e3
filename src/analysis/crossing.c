/* crossing.c - when a limit was reached */
#include "analysis/crossing.h"

#include <math.h>

#include "analysis/onset.h"
#include "analysis/order_limits.h"
#include "analysis/track.h"
#include "base/mem.h"

static bool found(const struct track *track, size_t index, enum milestone_what what,
		  struct milestone *ret, size_t *ret_index)
{
	if (index >= track->nr)
		return false;
	*ret = onset_milestone(track, index, what);
	if (ret_index)
		*ret_index = index;
	return true;
}

static size_t sustained_from(const struct track *track, double least)
{
	bool *holds = mem_zalloc(track->nr, sizeof(*holds));
	size_t index;

	for (size_t i = 0; i < track->nr; i++)
		holds[i] = track->values[i] >= least; /* NAN does not */
	index = onset_sustained(holds, track->nr, 0, ONSET_WINDOW);
	free(holds);
	return index;
}

bool crossing_saturation(const struct track *used, double available, struct milestone *ret,
			 size_t *ret_index)
{
	return found(used, sustained_from(used, CROSSING_SATURATED * available),
		     MILESTONE_SATURATION, ret, ret_index);
}

bool crossing_capacity(const struct track *depth, double capacity, struct milestone *ret,
		       size_t *ret_index)
{
	size_t index = 0;

	while (index < depth->nr && !(depth->values[index] >= CROSSING_FULL * capacity))
		index++;
	return found(depth, index, MILESTONE_AT_CAPACITY, ret, ret_index);
}

bool crossing_rejection(const struct track *rejected, struct milestone *ret, size_t *ret_index)
{
	size_t index = 0;

	while (index < rejected->nr && !(rejected->values[index] > 0))
		index++;
	/* where the first point rejects, when it began is not in the series */
	if (index == 0 || !found(rejected, index, MILESTONE_FIRST_REJECTION, ret, ret_index))
		return false;
	/* the counter did not move before: no widening by the window of a rate */
	ret->after_ns += rejected->begin_ns[index] - rejected->begin_ns[index - 1];
	return true;
}

bool crossing_admission(const struct track *completed, const struct track *admitted,
			struct milestone *ret, size_t *ret_index)
{
	bool *behind, is_found;

	if (completed->nr != admitted->nr)
		return false;
	behind = mem_zalloc(completed->nr, sizeof(*behind));
	for (size_t i = 0; i < completed->nr; i++)
		behind[i] = completed->end_ns[i] == admitted->end_ns[i] &&
			    completed->values[i] < CROSSING_BEHIND * admitted->values[i];
	is_found = found(completed, onset_sustained(behind, completed->nr, 0, ONSET_WINDOW),
			 MILESTONE_BELOW_ADMISSION, ret, ret_index);
	free(behind);
	return is_found;
}
