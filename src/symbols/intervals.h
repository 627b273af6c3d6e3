/* intervals.h - which of many overlapping address ranges holds an address at a time */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
	uint64_t lo, hi;   /* lo <= address < hi */
	uint64_t from, to; /* from <= time < to */
	uint32_t id;	   /* the owner's */
};

/* A balanced tree without pointers: each range of the sorted list has its middle as its root. */
struct intervals {
	struct interval *list; /* owned; by lo once sealed */
	uint64_t *reach;       /* owned; the highest hi below each root */
	size_t nr, alloc;
};

#define INTERVALS_NONE UINT32_MAX

void intervals_release(struct intervals *intervals);

/* Empty ranges are not kept. */
void intervals_add(struct intervals *intervals, struct interval interval);

/* Sorts; between the last add and the first find. Can be done again after more adds. */
void intervals_seal(struct intervals *intervals);

/*
 * Ends each when another, which began later (of equals: has a greater id), takes a part of its
 * place: code is not there any more when something is written over it. After the last add.
 */
void intervals_end_overlapped(struct intervals *intervals);

/*
 * Of those that hold the address at the time, the one that began last; of equals the one with
 * the greatest id. INTERVALS_NONE for none.
 */
uint32_t intervals_find(const struct intervals *intervals, uint64_t address, uint64_t time);

/*
 * Calls visit for each that holds the address at a time from `from` to `to`, both included, as
 * long as it answers true.
 */
typedef bool intervals_visitor(void *context, const struct interval *interval);
void intervals_each(const struct intervals *intervals, uint64_t address, uint64_t from, uint64_t to,
		    intervals_visitor *visit, void *context);
