/* intervals.c - which of many overlapping address ranges holds an address at a time */
#include "symbols/intervals.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- ending what is overwritten */

/*
 * A tree over the stretches between all the borders, in which is written, from the last
 * interval to the first, when each begins: what is found in an interval's place is then when
 * the next one takes a part of it. Node n has the children 2n and 2n + 1.
 */
struct takers {
	uint64_t *borders; /* owned; ascending */
	size_t nr;	   /* stretches */
	uint64_t *whole;   /* owned; who takes all of a node's stretches */
	uint64_t *part;	   /* owned; who takes any of them */
};

/* The stretches begin..end of the node at..to, and what is asked for or done there. */
struct stretches {
	size_t begin, end;
	uint64_t from;
};

static void take(struct takers *takers, size_t node, size_t at, size_t to,
		 const struct stretches *which)
{
	size_t middle = at + (to - at) / 2;

	if (which->end <= at || which->begin >= to)
		return;
	/* the later ones were here before: the earliest of them is the last written */
	takers->part[node] = which->from;
	if (which->begin <= at && to <= which->end) {
		takers->whole[node] = which->from;
		return;
	}
	take(takers, node * 2, at, middle, which);
	take(takers, node * 2 + 1, middle, to, which);
}

static uint64_t taken(const struct takers *takers, size_t node, size_t at, size_t to,
		      const struct stretches *which)
{
	size_t middle = at + (to - at) / 2;
	uint64_t first, second;

	if (which->end <= at || which->begin >= to)
		return UINT64_MAX;
	if (which->begin <= at && to <= which->end)
		return takers->part[node];
	first = taken(takers, node * 2, at, middle, which);
	second = taken(takers, node * 2 + 1, middle, to, which);
	first = second < first ? second : first;
	return takers->whole[node] < first ? takers->whole[node] : first;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int compare_begins(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static size_t border_at(const struct takers *takers, uint64_t address)
{
	const uint64_t *at = bsearch(&address, takers->borders, takers->nr + 1, sizeof(address),
				     compare_numbers);

	return (size_t)(at - takers->borders);
}

static void takers_init(struct takers *takers, const struct intervals *intervals)
{
	size_t nr = intervals->nr * 2, kept = 0;

	*takers = (struct takers){.borders = mem_zalloc(nr, sizeof(uint64_t))};
	for (size_t i = 0; i < intervals->nr; i++) {
		takers->borders[i * 2] = intervals->list[i].lo;
		takers->borders[i * 2 + 1] = intervals->list[i].hi;
	}
	qsort(takers->borders, nr, sizeof(uint64_t), compare_numbers);
	for (size_t i = 0; i < nr; i++)
		if (kept == 0 || takers->borders[kept - 1] != takers->borders[i])
			takers->borders[kept++] = takers->borders[i];
	takers->nr = kept - 1;
	takers->whole = mem_zalloc(takers->nr * 4, sizeof(uint64_t));
	takers->part = mem_zalloc(takers->nr * 4, sizeof(uint64_t));
	memset(takers->whole, 0xff, takers->nr * 4 * sizeof(uint64_t));
	memset(takers->part, 0xff, takers->nr * 4 * sizeof(uint64_t));
}

void intervals_end_overlapped(struct intervals *intervals)
{
	struct takers takers;

	if (intervals->nr == 0)
		return;
	takers_init(&takers, intervals);
	qsort(intervals->list, intervals->nr, sizeof(*intervals->list), compare_begins);
	for (size_t i = intervals->nr; i-- > 0;) {
		struct interval *interval = &intervals->list[i];
		struct stretches which = {border_at(&takers, interval->lo),
					  border_at(&takers, interval->hi), interval->from};
		uint64_t end = taken(&takers, 1, 0, takers.nr, &which);

		if (end < interval->to)
			interval->to = end;
		take(&takers, 1, 0, takers.nr, &which);
	}
	free(takers.borders);
	free(takers.whole);
	free(takers.part);
}

/* ---- look-up */

struct search {
	const struct intervals *intervals;
	uint64_t address, from, to; /* times, both included */
	intervals_visitor *visit;
	void *context;
	bool is_over;
};

static void consider(struct search *search, const struct interval *interval)
{
	if (search->address < interval->hi && search->to >= interval->from &&
	    search->from < interval->to)
		search->is_over = !search->visit(search->context, interval);
}

/* Goes only where something reaches the address: one path, where ranges do not overlap. */
static void look(struct search *search, size_t begin, size_t end)
{
	while (begin < end && !search->is_over) {
		size_t root = begin + (end - begin) / 2;

		if (search->intervals->reach[root] <= search->address)
			return;
		look(search, begin, root);
		if (search->is_over || search->intervals->list[root].lo > search->address)
			return;
		consider(search, &search->intervals->list[root]);
		begin = root + 1;
	}
}

void intervals_each(const struct intervals *intervals, uint64_t address, uint64_t from, uint64_t to,
		    intervals_visitor *visit, void *context)
{
	struct search search = {intervals, address, from, to, visit, context, false};

	look(&search, 0, intervals->nr);
}

static bool keep_later(void *context, const struct interval *interval)
{
	const struct interval **best = context;

	if (!*best || interval->from > (*best)->from ||
	    (interval->from == (*best)->from && interval->id > (*best)->id))
		*best = interval;
	return true;
}

uint32_t intervals_find(const struct intervals *intervals, uint64_t address, uint64_t time)
{
	const struct interval *best = NULL;

	intervals_each(intervals, address, time, time, keep_later, &best);
	return best ? best->id : INTERVALS_NONE;
}
