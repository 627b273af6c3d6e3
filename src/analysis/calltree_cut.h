/* calltree_cut.h - of the nodes of a walk those that are wide enough, the others as "more" */
#pragma once

#include "analysis/calltree.h"

/*
 * A visitor before a visitor: what it passes on is what a walk with that `least` would have
 * said. So one walk can serve who wants all nodes and who wants the wide ones. The walk may be of
 * two sides: then it says how wide a node is.
 */
struct calltree_cut {
	struct calltree_visitor visitor;
	struct calltree_visitor *to; /* borrowed */
	weight least;
	double least_width;	       /* the same, of a walk of two sides */
	struct calltree_level *levels; /* owned, per depth below the node at hand */
	size_t levels_alloc;
	uint32_t levels_nr;
	bool is_joint; /* what is walked has two sides */
	bool is_cut;   /* the last node was too narrow: all that is under it is, too */
	uint32_t cut_depth;
};

void calltree_cut_init(struct calltree_cut *cut, weight least, struct calltree_visitor *to);

/* To be called behind the last node: passes on the "more" that are still open. */
void calltree_cut_end(struct calltree_cut *cut);
void calltree_cut_release(struct calltree_cut *cut);
