/* calltree_items.h - the paths of all sources of a call tree, ready to be partitioned */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/naming.h"
#include "base/units.h"

struct calltree_options;
struct calltree_source;
struct paths;

/* A path. What it begins with as the one before it does is not kept a second time. */
struct calltree_item {
	size_t start;	 /* of items->functions: where depth 0 would be */
	uint32_t shared; /* so many functions it begins with as the path before it */
	uint32_t next;	 /* the first path behind it that shares less */
	uint32_t depth;	 /* functions */
};

/* A source, with what each of its ids is among the functions of the tree. */
struct calltree_paths {
	const struct paths *paths;
	const uint32_t *of_function; /* NULL: its functions are the tree's */
	const uint32_t *of_caller; /* of what its chains are made of; NULL: the tree's functions */
	uint32_t *composed;	   /* owned: of_caller where it had to be made */
	uint32_t first;		   /* its first path among those of all */
};

struct calltree_items {
	struct calltree_paths *sources;
	uint32_t sources_nr, nr; /* nr: paths of all sources */
	uint32_t after;		 /* the first path of the after side, nr where there is none */
	bool is_reversed;
	struct calltree_item *item_of; /* per path */
	uint32_t *functions;	       /* of all paths, of the tree */
	size_t functions_nr, functions_alloc;
	weight *values, *counts; /* per path and one more: the sum of all before; may be the same */
	weight *lacking;	 /* the same of values that may lack a caller; NULL: none does */
};

/* All is borrowed until calltree_items_release(). */
void calltree_items_init(struct calltree_items *items, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options);
void calltree_items_release(struct calltree_items *items);

/*
 * The function of a path at this depth below the root, FUNCTION_NONE behind its end. The depth is
 * not one that the path shares: the path before it knows those.
 */
static inline uint32_t calltree_function_at(const struct calltree_items *items, uint32_t path,
					    uint32_t depth)
{
	const struct calltree_item *item = &items->item_of[path];

	return depth < item->depth ? items->functions[item->start + depth] : FUNCTION_NONE;
}
