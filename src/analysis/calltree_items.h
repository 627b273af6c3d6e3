/* calltree_items.h - the paths of a call tree in its order, with their functions and weights */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calltree_paths.h"
#include "base/units.h"

struct calltree_options;
struct calltree_source;

/* A path. The functions that it begins with as the one before it does are kept once. */
struct calltree_item {
	size_t start;	 /* of items->functions: where depth 0 would be */
	uint32_t depth;	 /* functions */
	uint32_t shared; /* so many names it begins with as the path before it */
	uint32_t own;  /* from here on functions are kept: so many it shares; not more than names */
	uint32_t next; /* the first path behind it whose `own` is less */
};

/* Per path of a side and one more: the sum of all before. */
struct calltree_sums {
	weight *values, *counts; /* may be the same */
	weight *lacking;	 /* of values: what may lack a caller; NULL: none does */
};

struct calltree_items {
	struct calltree_paths paths;
	uint32_t nr;
	uint32_t *order;	       /* per path its number among those of the sources */
	bool is_by_name;	       /* siblings stand in the order of their names, else in any */
	struct calltree_item *item_of; /* per path, in the order of the tree */
	uint32_t *functions;
	size_t functions_nr, functions_alloc;
	uint32_t *befores_nr; /* per path and one more: of all before those of the before side;
				 NULL: all are */
	struct calltree_sums sums[2]; /* of the before side, and of the after side's values alone */
};

/* Paths that follow each other. */
struct calltree_range {
	uint32_t begin, end;
};

/* All is borrowed until calltree_items_release(). */
void calltree_items_init(struct calltree_items *items, const struct naming *naming,
			 const struct calltree_source *sources, size_t nr,
			 const struct calltree_options *options);
void calltree_items_release(struct calltree_items *items);

/* The function of a path at this depth below the root, which is not less than its `own`. */
static inline uint32_t calltree_function_at(const struct calltree_items *items, uint32_t path,
					    uint32_t depth)
{
	return items->functions[items->item_of[path].start + depth];
}

/* Of these paths those of one side, as its sums go by. */
static inline struct calltree_range calltree_side_of(const struct calltree_items *items,
						     struct calltree_range range, bool is_after)
{
	uint32_t begin, end;

	if (!items->befores_nr)
		return is_after ? (struct calltree_range){0, 0} : range;
	begin = items->befores_nr[range.begin];
	end = items->befores_nr[range.end];
	return is_after ? (struct calltree_range){range.begin - begin, range.end - end}
			: (struct calltree_range){begin, end};
}

static inline weight calltree_weight_in(const weight *sums, struct calltree_range range)
{
	return sums[range.end] - sums[range.begin];
}
