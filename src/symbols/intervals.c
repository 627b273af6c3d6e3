/* intervals.c - which of many overlapping address ranges holds an address at a time */
#include "symbols/intervals.h"

#include <stdlib.h>

#include "base/mem.h"

void intervals_release(struct intervals *intervals)
{
	free(intervals->list);
	free(intervals->reach);
	*intervals = (struct intervals){0};
}

void intervals_add(struct intervals *intervals, struct interval interval)
{
	if (interval.lo >= interval.hi || interval.from >= interval.to)
		return;
	GROW(intervals->list, intervals->nr + 1, intervals->alloc);
	intervals->list[intervals->nr++] = interval;
}

static int compare(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* The depth is the logarithm of the number. */
static uint64_t fill_reach(struct intervals *intervals, size_t begin, size_t end)
{
	size_t root = begin + (end - begin) / 2;
	uint64_t reach, below;

	if (begin == end)
		return 0;
	reach = intervals->list[root].hi;
	below = fill_reach(intervals, begin, root);
	reach = below > reach ? below : reach;
	below = fill_reach(intervals, root + 1, end);
	reach = below > reach ? below : reach;
	intervals->reach[root] = reach;
	return reach;
}

void intervals_seal(struct intervals *intervals)
{
	if (intervals->nr == 0)
		return;
	qsort(intervals->list, intervals->nr, sizeof(*intervals->list), compare);
	intervals->reach = mem_realloc(intervals->reach, intervals->nr, sizeof(*intervals->reach));
	fill_reach(intervals, 0, intervals->nr);
}

struct search {
	const struct intervals *intervals;
	uint64_t address, time;
	const struct interval *best;
};

static void consider(struct search *search, const struct interval *interval)
{
	const struct interval *best = search->best;

	if (search->address >= interval->hi || search->time < interval->from ||
	    search->time >= interval->to)
		return;
	if (!best || interval->from > best->from ||
	    (interval->from == best->from && interval->id > best->id))
		search->best = interval;
}

/* Goes only where something reaches the address: one path, where ranges do not overlap. */
static void look(struct search *search, size_t begin, size_t end)
{
	while (begin < end) {
		size_t root = begin + (end - begin) / 2;

		if (search->intervals->reach[root] <= search->address)
			return;
		look(search, begin, root);
		if (search->intervals->list[root].lo > search->address)
			return;
		consider(search, &search->intervals->list[root]);
		begin = root + 1;
	}
}

uint32_t intervals_find(const struct intervals *intervals, uint64_t address, uint64_t time)
{
	struct search search = {intervals, address, time, NULL};

	look(&search, 0, intervals->nr);
	return search.best ? search.best->id : INTERVALS_NONE;
}
