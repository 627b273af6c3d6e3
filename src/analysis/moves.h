/* moves.h - changes inside a caller whose own cost did not change: work that moved */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calltree_source;
struct diff;
struct judge;
struct naming;

#define MOVE_OTHERS_MAX 3

/*
 * A function that surely changed, nearly all of it under a caller that surely changed by less than
 * half as much, and was not found to change at all: what it does was done by something else there
 * before, or is now.
 */
struct move {
	size_t row, caller;		/* of diff->functions */
	size_t others[MOVE_OTHERS_MAX]; /* rows under the caller that surely changed the other
					   way, by no less than others of them */
	size_t others_nr;		/* 0: no single function is seen */
};

struct moves {
	struct move *list; /* owned, in the order of diff->functions */
	size_t nr, alloc;
};

/*
 * Looks at the functions that changed most, 64 of them. A caller that holds nearly all there is
 * says nothing in a reading in which all is the same by itself: a share, and a busy CPU's second.
 */
void moves_find(struct moves *moves, const struct diff *diff, const struct judge *judge,
		const struct naming *naming, const struct calltree_source *sources,
		size_t sources_nr, bool counts_samples);
void moves_release(struct moves *moves);

/* The move of a row of diff->functions, NULL where there is none. */
const struct move *moves_of(const struct moves *moves, size_t row);
