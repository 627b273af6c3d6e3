/* paths.h - weights per path of functions: what every picture and table is made of */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/units.h"
#include "model/stacks.h"
#include "model/tally.h"

struct naming;

/* Which frames and samples, by name, in pprof's words. Each list holds alternatives. */
struct path_filter {
	regex_t *focus, *ignore, *hide, *show;
	size_t focus_nr, ignore_nr, hide_nr, show_nr;
	bool no_idle;
	bool keeps_entries; /* paths->of_entry is wanted */
	bool keeps_places;  /* paths->place_of may be there: nothing but a call tree is wanted */
};

/* Why a sample was left out by its names. */
enum path_reason {
	PATH_IDLE,
	PATH_FOCUS,
	PATH_IGNORE,
	PATH_SUBTREE, /* see transform.h */
	PATH_OF,      /* see sandwich.h */
	PATH_REASON_NR
};

/*
 * A path of functions: root, callers, leaf. Several may have the same names. There are as many
 * as entries of the tally, and a picture waits for the memory that they take; so their weights
 * are not copied: see paths_weight().
 */
struct path {
	uint32_t root;	   /* function id, FUNCTION_NONE */
	uint32_t callers;  /* stack id in paths->callers */
	uint32_t leaf;	   /* stack id in paths->leaves */
	uint32_t entry;	   /* of the tally, the first with this path */
	bool lacks_caller; /* see walked_lacks_caller() */
};

#define PATH_NONE UINT32_MAX

/* What the entries of a path weigh together. */
struct path_sum {
	weight count, period;
};

/*
 * Callers and leaf stay apart, as in the tally: there are far fewer caller chains than paths.
 * Where no frame is left out the chains are not even copied, but read as locations; and where
 * some have several functions, the copies would be far larger than the chains. Entries whose
 * leaves are addresses and turned out to be the same functions are one path.
 */
struct paths {
	struct naming *naming;	   /* borrowed */
	const struct tally *tally; /* borrowed */
	struct path *list;
	struct path_sum *sums; /* per path; NULL: each is one entry of the tally */
	uint32_t nr;
	const struct stacks *callers; /* of functions, or of locations with one of the next two */
	const uint32_t *function_of;  /* per location */
	uint32_t *place_of; /* owned: per location of callers its functions, a stack id in leaves;
			       STACK_NONE: of no callers */
	uint32_t *depth_of; /* owned, with place_of: per stack its functions, if it is of a path */
	struct stacks shortened; /* owned: callers where frames are left out */
	struct stacks leaves;	 /* owned: the functions of a leaf, the innermost last */
	uint32_t *of_entry;	 /* owned: per entry of the tally its path, PATH_NONE; or NULL */
	weight count, period;	 /* of all paths */
	weight without_chain;	 /* count of samples that had no call chain */
	weight left_out[PATH_REASON_NR];
};

/*
 * Names the tally's entries of one event. Deterministic: the order of paths is that of the
 * tally.
 */
void paths_build(struct paths *paths, const struct tally *tally, struct naming *naming,
		 uint32_t event, const struct path_filter *filter);
void paths_release(struct paths *paths);

/* To another place, which is not released before; `from` is as if it were empty then. */
void paths_move(struct paths *from, struct paths *to);

/* The innermost function of a path, FUNCTION_NONE where it has none. */
uint32_t paths_last(const struct paths *paths, uint32_t path);

/* ---- the functions of paths without places */

/* Functions of a path, the root too. */
static inline uint32_t paths_depth(const struct paths *paths, uint32_t path)
{
	const struct path *at = &paths->list[path];

	return stacks_depth(paths->callers, at->callers) + (at->root != UINT32_MAX) +
	       stacks_depth(&paths->leaves, at->leaf);
}

/* The function at a depth, 0 the outermost; FUNCTION_NONE behind the end. */
static inline uint32_t paths_function(const struct paths *paths, uint32_t path, uint32_t depth)
{
	const struct path *at = &paths->list[path];
	uint32_t nr = stacks_depth(paths->callers, at->callers), id;

	if (at->root != UINT32_MAX && depth-- == 0)
		return at->root;
	if (depth >= nr)
		return depth - nr < stacks_depth(&paths->leaves, at->leaf)
			       ? stacks_ids(&paths->leaves, at->leaf)[depth - nr]
			       : UINT32_MAX;
	id = stacks_ids(paths->callers, at->callers)[depth];
	return paths->function_of ? paths->function_of[id] : id;
}

/*
 * So many functions, of the root and of the callers, two paths are known to have in common: what
 * is behind them needs a look. 0 is known of most that do not stand in order.
 */
static inline uint32_t paths_callers_shared(const struct paths *paths, uint32_t before,
					    uint32_t path)
{
	const struct path *a = &paths->list[before], *b = &paths->list[path];
	const struct stack *callers = &paths->callers->list[b->callers];

	if (a->root != b->root)
		return 0;
	if (a->callers == b->callers)
		return callers->nr + (b->root != UINT32_MAX);
	return a->callers + 1 == b->callers ? callers->shared + (b->root != UINT32_MAX) : 0;
}

static inline weight paths_weight(const struct paths *paths, uint32_t path, bool counts_samples)
{
	const struct tally_entry *entry;

	if (paths->sums)
		return counts_samples ? paths->sums[path].count : paths->sums[path].period;
	entry = &paths->tally->list[paths->list[path].entry];
	return counts_samples ? entry->count : entry->period;
}

/* The option that left samples out: "--no-idle". */
const char *paths_reason_word(enum path_reason reason);

/*
 * The paths in the order of their names from the outermost frame on, by bytes; those called the
 * same as they came. An array of paths->nr; the caller frees it.
 */
uint32_t *paths_sorted(const struct paths *paths);

/* The same from the leaf outwards. */
uint32_t *paths_sorted_from_leaf(const struct paths *paths);

/*
 * As paths_sorted(). *ret_shared is another array, the caller's, of how many names each begins
 * with as the one before it does.
 */
uint32_t *paths_sorted_shared(const struct paths *paths, uint32_t **ret_shared);
