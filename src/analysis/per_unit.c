/* per_unit.c - how much of one thing there is for each of another, and how sure that is */
#include "analysis/per_unit.h"

#include <math.h>

#include "analysis/amounts.h"
#include "base/mem.h"

#define CONFIDENCE 0.975 /* one end of an interval of 95 % */
#define ALPHA	   0.05

/* What both had in each interval of the first. */
struct pairs {
	double *x, *n; /* owned */
	size_t nr;
};

static void watch_share(struct per_unit *result, const struct amount *amount)
{
	double share = 1;

	if (amount->enabled_ns)
		share = (double)amount->running_ns / (double)amount->enabled_ns;
	if (!result->intervals || share < result->running_least)
		result->running_least = share;
	if (!result->intervals || share > result->running_most)
		result->running_most = share;
	result->is_estimate |= share < 1;
}

static double share_of(const struct amounts *amounts, uint64_t from_ns, uint64_t to_ns)
{
	double enabled = 0, running = 0;

	for (size_t i = 0; i < amounts->nr; i++) {
		const struct amount *amount = &amounts->list[i];

		if (amount->begin_ns < from_ns || amount->end_ns > to_ns)
			continue;
		enabled += (double)amount->enabled_ns;
		running += (double)amount->running_ns;
	}
	return enabled > 0 ? running / enabled : 1;
}

static void collect(const struct amounts *x, const struct amounts *n, uint64_t from_ns,
		    uint64_t to_ns, struct pairs *pairs, struct per_unit *result)
{
	size_t hint = 0;

	pairs->x = mem_alloc(x->nr * sizeof(*pairs->x));
	pairs->n = mem_alloc(x->nr * sizeof(*pairs->n));
	for (size_t i = 0; i < x->nr; i++) {
		const struct amount *amount = &x->list[i];
		double divisor = (double)(amount->end_ns - amount->begin_ns) / 1e9;

		if (amount->begin_ns < from_ns || amount->end_ns > to_ns)
			continue;
		if (n && !amounts_between(n, amount->begin_ns, amount->end_ns, &hint, &divisor)) {
			result->left_out++;
			continue;
		}
		watch_share(result, amount);
		result->intervals++;
		result->total += amount->value;
		pairs->x[pairs->nr] = amount->value;
		pairs->n[pairs->nr++] = divisor;
	}
}

/* Neighbours added up, so that there are not more than PER_UNIT_BLOCKS_MAX of nearly equal size. */
static size_t make_blocks(struct pairs *pairs)
{
	size_t nr = pairs->nr < PER_UNIT_BLOCKS_MAX ? pairs->nr : PER_UNIT_BLOCKS_MAX, at = 0;

	for (size_t block = 0; block < nr; block++) {
		size_t end = pairs->nr * (block + 1) / nr;
		double x = 0, n = 0;

		for (; at < end; at++) {
			x += pairs->x[at];
			n += pairs->n[at];
		}
		pairs->x[block] = x;
		pairs->n[block] = n;
	}
	return nr;
}

static enum per_unit_refusal refusal_of(const struct amounts *x, const struct amounts *n,
					uint64_t from_ns, uint64_t to_ns,
					const struct per_unit *result)
{
	double share = share_of(x, from_ns, to_ns);
	double other = n ? share_of(n, from_ns, to_ns) : 1;

	if (!result->intervals)
		return PER_UNIT_NO_INTERVAL;
	if (result->ratio.divisor <= 0)
		return PER_UNIT_NO_WORK;
	if (other < 1 && fabs(share - other) > PER_UNIT_SHARE_SAME)
		return PER_UNIT_OTHER_TIME;
	return share < PER_UNIT_SHARE_LEAST ? PER_UNIT_GUESS : PER_UNIT_NOT_REFUSED;
}

struct per_unit per_unit_of(const struct amounts *x, const struct amounts *n, uint64_t from_ns,
			    uint64_t to_ns)
{
	struct per_unit result = {0};
	struct pairs pairs = {0};
	double spread = INFINITY;
	size_t blocks;

	collect(x, n, from_ns, to_ns, &pairs, &result);
	blocks = make_blocks(&pairs);
	result.ratio = ratio_of(pairs.x, pairs.n, blocks);
	result.refusal = refusal_of(x, n, from_ns, to_ns, &result);
	if (blocks > 1 && result.ratio.divisor > 0)
		spread = ratio_t_quantile(CONFIDENCE, (double)(blocks - 1)) *
			 sqrt(result.ratio.variance);
	result.low = result.ratio.value - spread;
	result.high = result.ratio.value + spread;
	free(pairs.x);
	free(pairs.n);
	return result;
}

struct ratio_test per_unit_compare(const struct per_unit *before, const struct per_unit *after)
{
	return ratio_compare(&before->ratio, &after->ratio, ALPHA, 1);
}
