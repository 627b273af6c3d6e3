/* demand.c - what a stage was asked for and what it took, before an incident and during it */
#include "analysis/demand.h"

#include <math.h>

#include "analysis/order_limits.h"
#include "analysis/track.h"

#define SECOND_NS 1e9

/* ---- what the tracks say of a span */

/* At least 0; what is not known stays so, which fmax() would make 0. */
static double positive(double number)
{
	return number < 0 ? 0 : number;
}

/* Items a second by which the queue grew; NAN where it is not known. */
static double growth(const struct evidence *evidence, struct span span)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	double first = NAN, last = NAN;
	uint64_t from = 0, to = 0;

	for (size_t i = 0; depth && i < depth->nr; i++) {
		if (isnan(depth->values[i]) || depth->end_ns[i] > span.to_ns)
			continue;
		if (isnan(first) || depth->end_ns[i] <= span.from_ns) {
			first = depth->values[i];
			from = depth->end_ns[i];
		}
		last = depth->values[i];
		to = depth->end_ns[i];
	}
	return to > from ? (last - first) * SECOND_NS / (double)(to - from) : (double)NAN;
}

/* Was the queue full at some point of the span? */
static bool was_full(const struct evidence *evidence, struct span span)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];

	for (size_t i = 0; depth && i < depth->nr; i++) {
		if (depth->end_ns[i] > span.from_ns && depth->end_ns[i] <= span.to_ns &&
		    depth->values[i] >= CROSSING_FULL * evidence->capacity)
			return true;
	}
	return false;
}

/* Had the workers something to do all the time? */
static bool was_never_empty(const struct evidence *evidence, struct span span)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	size_t nr = 0, empty = 0;

	for (size_t i = 0; depth && i < depth->nr; i++) {
		if (depth->end_ns[i] <= span.from_ns || depth->end_ns[i] > span.to_ns)
			continue;
		nr++;
		empty += !(depth->values[i] > 0);
	}
	return nr > 0 && !empty;
}

static double completions(const struct evidence *evidence, struct span span)
{
	double counted = evidence_mean(evidence, EVIDENCE_COMPLETED, span);

	if (!isnan(counted))
		return counted;
	return positive(evidence_mean(evidence, EVIDENCE_ADMITTED, span) - growth(evidence, span));
}

static double arrivals(const struct evidence *evidence, struct span span, bool *ret_is_least)
{
	double offered = evidence_mean(evidence, EVIDENCE_OFFERED, span);
	double admitted = evidence_mean(evidence, EVIDENCE_ADMITTED, span);
	double rejected = evidence_mean(evidence, EVIDENCE_REJECTED, span);

	if (!isnan(offered))
		return offered;
	if (isnan(admitted))
		admitted =
			evidence_mean(evidence, EVIDENCE_COMPLETED, span) + growth(evidence, span);
	if (!isnan(rejected))
		return admitted + rejected;
	*ret_is_least = *ret_is_least || was_full(evidence, span);
	return admitted;
}

static double workers(const struct evidence *evidence)
{
	return isnan(evidence->workers) ? 1 : evidence->workers;
}

/* Rows that came later after the one before than the usual tick and its half. */
static double late(const struct evidence *evidence, struct span span)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	uint64_t tick_ns = depth ? track_tick_ns(depth) : 0;
	size_t nr = 0, late_nr = 0;

	if (!tick_ns || tick_ns > DEMAND_TICK_MAX_NS)
		return NAN;
	for (size_t i = 1; i < depth->nr; i++) {
		if (depth->end_ns[i] <= span.from_ns || depth->end_ns[i] > span.to_ns)
			continue;
		nr++;
		late_nr += (double)(depth->end_ns[i] - depth->end_ns[i - 1]) >
			   DEMAND_LATE * (double)tick_ns;
	}
	return nr ? (double)late_nr / (double)nr : (double)NAN;
}

/* ---- a side */

static double per_item(double per_second, const struct demand_side *side)
{
	return side->completions > 0 ? per_second / side->completions : (double)NAN;
}

/* Service that nothing counts is at least the CPU, and at most all the time there is for an item.
 */
static void service_set(const struct evidence *evidence, struct span span, struct demand_side *side)
{
	double busy = evidence_mean(evidence, EVIDENCE_BUSY, span);
	double all = per_item(workers(evidence) * SECOND_NS, side);

	if (!isnan(busy)) {
		side->service_least = side->service_most = per_item(busy, side);
	} else {
		side->service_least = was_never_empty(evidence, span) ? all : side->cpu_item;
		side->service_most = all;
	}
	side->wait_least = positive(side->service_least - side->cpu_item);
	side->wait_most = positive(side->service_most - side->cpu_item);
}

static void side_measure(const struct evidence *evidence, struct span span,
			 struct demand_side *side, struct demand *demand)
{
	side->arrivals = arrivals(evidence, span, &demand->arrivals_are_least);
	side->completions = completions(evidence, span);
	side->cpu = evidence_mean(evidence, demand->is_by_process ? EVIDENCE_CPU : EVIDENCE_STAGE,
				  span);
	side->used = side->cpu > workers(evidence) ? 1 : side->cpu / workers(evidence);
	side->cpu_item = per_item(side->cpu * SECOND_NS, side);
	service_set(evidence, span, side);
	side->lock_item = per_item(evidence_mean(evidence, EVIDENCE_LOCK_WAIT, span), side);
	side->delay_item = per_item(fmax(evidence_mean(evidence, EVIDENCE_RUN_DELAY, span),
					 evidence_mean(evidence, EVIDENCE_THROTTLED, span)),
				    side);
	side->run_on = evidence_mean(evidence, EVIDENCE_RUN_ON, span);
	side->late = late(evidence, span);
}

/* ---- shares */

static double within(double share)
{
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* The share of load in the growth of load * service. */
static double load_share(double load_log, double service_log)
{
	double load = fmax(load_log, 0), service = fmax(service_log, 0);

	return load + service > 0 ? load / (load + service) : (double)NAN;
}

/* Nothing says what came in. Where the service alone keeps the workers busy load is not needed. */
static double load_unknown_most(const struct evidence *evidence, const struct demand *demand)
{
	double needed = demand->during.service_least * demand->before.completions / SECOND_NS;

	return needed >= CROSSING_SATURATED * workers(evidence) ? 0.5 : 1;
}

static void load_set(const struct evidence *evidence, struct demand *demand)
{
	const struct demand_side *before = &demand->before, *during = &demand->during;
	double load = log(demand->load_ratio);
	double least = load_share(load, log(during->service_most / before->service_least));
	double most = load_share(load, log(during->service_least / before->service_most));

	if (isnan(demand->load_ratio)) {
		demand->load = (struct demand_share){0, load_unknown_most(evidence, demand)};
		return;
	}

	if (isnan(least) || isnan(most)) { /* service is not known, or nothing grew */
		bool is_flat = demand->load_ratio < DEMAND_FLAT && !demand->arrivals_are_least;

		demand->load = (struct demand_share){0, is_flat ? 0 : 1};
		return;
	}
	demand->load = (struct demand_share){fmin(least, most),
					     demand->arrivals_are_least ? 1 : fmax(least, most)};
}

/* What a part's growth is of the service's, where both are known: else between nothing and all. */
static struct demand_share part_of(double least, double most, double service_least,
				   double service_most)
{
	struct demand_share share = {within(least / service_most), within(most / service_least)};

	if (isnan(least) || isnan(most) || !(service_most > 0))
		return (struct demand_share){0, 1};
	if (!(service_least > 0))
		share.most = most > 0 ? 1 : 0;
	return share;
}

static struct demand_share rest_of(struct demand_share part, struct demand_share load)
{
	return (struct demand_share){part.least * (1 - load.most), part.most * (1 - load.least)};
}

static void parts_set(struct demand *demand)
{
	const struct demand_side *before = &demand->before, *during = &demand->during;
	double cpu = during->cpu_item - before->cpu_item;
	double wait_least = during->wait_least - before->wait_most;
	double wait_most = during->wait_most - before->wait_least;
	double least = positive(cpu) + positive(wait_least);
	double most = positive(cpu) + positive(wait_most);
	double delay = positive(during->delay_item - before->delay_item);
	struct demand_share part = part_of(wait_least, wait_most, least, most);

	/* what hardly grew has no parts: noise would be split */
	if (most < DEMAND_GROWTH_MIN * before->service_most) {
		demand->working = demand->wait = demand->waiting = demand->delay =
			(struct demand_share){0, 1 - demand->load.least};
		demand->has_delay = !isnan(delay);
		return;
	}

	demand->working = rest_of(part_of(cpu, cpu, least, most), demand->load);
	demand->wait = rest_of(part, demand->load);
	demand->has_delay = !isnan(delay);
	if (!demand->has_delay)
		return;
	part = part_of(fmin(delay, positive(wait_least)), fmin(delay, positive(wait_most)), least,
		       most);
	demand->delay = rest_of(part, demand->load);
	part = part_of(wait_least - delay, wait_most - delay, least, most);
	demand->waiting = rest_of(part, demand->load);
}

/*
 * While the queue is full and nothing counts what is turned away, nobody knows what came: where it
 * was long enough on its way there, only that is looked at.
 */
static struct span unfilled(const struct evidence *evidence, struct span span)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	size_t nr = 0, i = 0;
	uint64_t to_ns = span.from_ns;

	if (!depth || evidence->tracks[EVIDENCE_OFFERED] || evidence->tracks[EVIDENCE_REJECTED] ||
	    !was_full(evidence, span))
		return span;
	while (i < depth->nr && depth->end_ns[i] <= span.from_ns)
		i++;
	for (; !(depth->values[i] >= CROSSING_FULL * evidence->capacity); i++, nr++)
		to_ns = depth->end_ns[i];
	return nr >= INCIDENT_TICKS_MIN ? (struct span){span.from_ns, to_ns} : span;
}

void demand_measure(const struct evidence *evidence, const struct incident *incident,
		    struct demand *ret)
{
	/* samples that were not taken all the while tell less than a counter */
	*ret = (struct demand){
		.is_by_process = isnan(evidence_mean(evidence, EVIDENCE_STAGE, incident->before)) ||
				 isnan(evidence_mean(evidence, EVIDENCE_STAGE, incident->during))};
	side_measure(evidence, incident->before, &ret->before, ret);
	ret->arrivals_are_least = false;
	side_measure(evidence, unfilled(evidence, incident->during), &ret->during, ret);
	ret->load_ratio = ret->during.arrivals / ret->before.arrivals;
	ret->cost_ratio = ret->during.cpu_item / ret->before.cpu_item;
	load_set(evidence, ret);
	parts_set(ret);
}
