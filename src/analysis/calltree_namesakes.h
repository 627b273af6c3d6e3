/* calltree_namesakes.h - of functions of one name that are one node: which one it tells of */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/calltree_items.h"

struct calltree_node;

/* A function of a node, with what it weighs in it. */
struct calltree_namesake {
	uint32_t function;
	uint32_t first; /* the first of its paths, as they came */
	weight value;
};

struct calltree_namesakes {
	const struct calltree_items *items;
	uint32_t *row_of; /* per function one more than its place in list; all 0 between nodes */
	struct calltree_namesake *list;
	size_t nr, alloc;
};

/* Borrows the items. */
void calltree_namesakes_init(struct calltree_namesakes *namesakes,
			     const struct calltree_items *items);
void calltree_namesakes_release(struct calltree_namesakes *namesakes);

/*
 * Of all functions that these paths have at this depth, where all are called the same, the one
 * with the most weight, ties go to the first module by its path; and the one whose name is doubted
 * most, as trust_more_doubted() has it: node->function and node->doubted.
 */
void calltree_namesakes_choose(struct calltree_namesakes *namesakes, struct calltree_range range,
			       uint32_t depth, struct calltree_node *ret);
