/* calltree_items.h - the paths of all sources of a call tree, ready to be partitioned */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/naming.h"
#include "base/units.h"

struct calltree_options;
struct calltree_source;
struct paths;

/* A path, with what is asked of it again and again at hand. */
struct calltree_item {
	const uint32_t *callers, *leaf;
	uint32_t callers_nr, leaf_nr;
	uint32_t root;	 /* function of the tree */
	uint32_t source; /* index */
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
	uint32_t *shared;      /* per path: so many functions it begins with as the one before it */
	uint32_t *less_shared; /* per path: the next one behind it that shares less */
	weight *values, *counts; /* per path and one more: the sum of all before */
	weight *lacking;	 /* the same of values that may lack a caller; NULL: none does */
};

/* All is borrowed until calltree_items_release(). */
void calltree_items_init(struct calltree_items *items, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options);
void calltree_items_release(struct calltree_items *items);

/* The function of a path at this depth below the root, FUNCTION_NONE behind its end. */
static inline uint32_t calltree_function_at(const struct calltree_items *items, uint32_t path,
					    uint32_t depth)
{
	const struct calltree_item *item = &items->item_of[path];
	const struct calltree_paths *source = &items->sources[item->source];
	uint32_t id;

	if (items->is_reversed) {
		uint32_t nr = item->callers_nr + item->leaf_nr + (item->root != FUNCTION_NONE);

		if (depth >= nr)
			return FUNCTION_NONE;
		depth = nr - 1 - depth;
	}
	if (item->root != FUNCTION_NONE && depth-- == 0)
		return item->root;
	if (depth >= item->callers_nr) {
		if (depth - item->callers_nr >= item->leaf_nr)
			return FUNCTION_NONE;
		id = item->leaf[depth - item->callers_nr];
		return source->of_function ? source->of_function[id] : id;
	}
	id = item->callers[depth];
	return source->of_caller ? source->of_caller[id] : id;
}
