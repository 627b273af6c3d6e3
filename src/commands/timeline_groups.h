/* timeline_groups.h - which row of an embedded tree a path's samples end in */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "base/units.h"

struct paths;

/* A node of the whole tree, as far as it matters for its row. */
struct timeline_node {
	uint32_t depth, group; /* group: UINT32_MAX where nothing ends in it */
	weight value;
};

/*
 * Paths of the same names are a group; groups in the order of their names are the nodes of the
 * whole tree that something ends in. A visitor: say a walk of the whole tree to it.
 */
struct timeline_groups {
	struct calltree_visitor visitor;
	uint32_t *of_path;	     /* owned: UINT32_MAX for a path without weight */
	uint32_t nr, met;	     /* groups; of which so many nodes were said */
	struct timeline_node *nodes; /* owned, in the order of the walk */
	size_t nodes_nr, nodes_alloc;
};

void timeline_groups_init(struct timeline_groups *groups, const struct paths *paths,
			  bool counts_samples);
void timeline_groups_release(struct timeline_groups *groups);

/*
 * For each group its row among those with a self weight, of the tree whose nodes below `least` are
 * left out: what they leave out is in a row of its own behind the siblings. An array that the
 * caller frees; *ret_nr is the number of such rows.
 */
uint32_t *timeline_groups_rows(const struct timeline_groups *groups, weight least,
			       uint32_t *ret_nr);
