/* ordering.c - what left its baseline when, what reached its limit, and what that is read as */
#include "analysis/ordering.h"

#include <math.h>

#include "analysis/crossing.h"
#include "analysis/order_limits.h"
#include "analysis/track.h"
#include "base/mem.h"

static void add(struct ordering *order, const struct milestone *milestone)
{
	GROW(order->milestones, order->nr + 1, order->alloc);
	order->milestones[order->nr++] = *milestone;
}

/* Busy time is there for service per item, which has the onset; how long a thread goes on is none.
 */
static void add_onsets(struct ordering *order, const struct evidence *evidence)
{
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		bool is_doubled = kind == EVIDENCE_RUN_ON ||
				  (kind == EVIDENCE_BUSY && evidence->tracks[EVIDENCE_SERVICE]);

		if (evidence->tracks[kind] && !is_doubled && order->incident.onsets[kind].is_found)
			add(order, &order->incident.onsets[kind].milestone);
	}
}

/* What was so from the first point on did not begin here. */
static void add_saturation(struct ordering *order, const struct evidence *evidence,
			   enum evidence_kind kind)
{
	double workers = isnan(evidence->workers) ? 1 : evidence->workers;
	struct milestone milestone;
	size_t index;

	if (evidence->tracks[kind] &&
	    crossing_saturation(evidence->tracks[kind], workers, &milestone, &index) && index > 0)
		add(order, &milestone);
}

/* A counter proves what a gauge may miss: where something was turned away the queue was full. */
static void add_capacity(struct ordering *order, const struct evidence *evidence)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	const struct track *rejected = evidence->tracks[EVIDENCE_REJECTED];
	struct milestone full, rejection;
	size_t index = 1;
	bool is_full = depth && !isnan(evidence->capacity) &&
		       crossing_capacity(depth, evidence->capacity, &full, &index);
	bool is_rejecting = rejected && crossing_rejection(rejected, &rejection, NULL);

	if (is_rejecting)
		add(order, &rejection);
	if (depth && is_rejecting && (!is_full || rejection.until_ns < full.until_ns)) {
		full = rejection;
		full.role = depth->name;
		full.what = MILESTONE_AT_CAPACITY;
		is_full = true;
	}
	if (is_full && index > 0)
		add(order, &full);
}

static void add_admission(struct ordering *order, const struct evidence *evidence)
{
	const struct track *completed = evidence->tracks[EVIDENCE_COMPLETED];
	const struct track *admitted = evidence->tracks[EVIDENCE_ADMITTED];
	struct milestone milestone;

	if (completed && admitted && crossing_admission(completed, admitted, &milestone, NULL))
		add(order, &milestone);
}

static void add_more(struct ordering *order, const struct track *const *more, size_t nr,
		     uint64_t seed)
{
	for (size_t i = 0; i < nr; i++) {
		struct onset onset;

		onset_find(more[i], seed, &onset);
		if (onset.is_found)
			add(order, &onset.milestone);
	}
}

void ordering_make(const struct evidence *evidence, const struct track *const *more, size_t more_nr,
		   uint64_t seed, struct ordering *ret)
{
	*ret = (struct ordering){.nr = 0};
	incident_find(evidence, seed, &ret->incident);
	readings_make(evidence, &ret->incident, &ret->readings);
	add_onsets(ret, evidence);
	add_saturation(ret, evidence, EVIDENCE_STAGE);
	add_saturation(ret, evidence, EVIDENCE_CPU);
	add_capacity(ret, evidence);
	add_admission(ret, evidence);
	add_more(ret, more, more_nr, seed);
	milestones_sort(ret->milestones, ret->nr);
}

void ordering_release(struct ordering *order)
{
	readings_release(&order->readings);
	free(order->milestones);
	*order = (struct ordering){.nr = 0};
}
