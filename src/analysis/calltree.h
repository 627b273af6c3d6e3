/* calltree.h - paths folded into a tree of calls, opened only as far as it is shown */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "model/modules.h"

struct naming;
struct paths;

#define CALLTREE_NO_PARENT UINT32_MAX

struct calltree_node {
	uint32_t function; /* of the most weight, where a name is in several modules */
	uint32_t doubted;  /* one of its functions whose name is not shown to be right, or that has
			    none for that reason (see trust_grade()); FUNCTION_NONE: there is none */
	uint32_t parent;   /* node index */
	uint32_t depth;	   /* 0 is the root, which has no function */
	uint32_t more;	   /* 0, or: stands for so many children of parent that are not shown */
	weight value;	   /* of all that is in it and under it */
	weight self;	   /* of what ends in it; of a "more" node unknown: 0 */
	weight lacks_caller; /* of self: of chains that may lack a caller, see walked.h */
	weight before;	     /* of its siblings to the left, in the order of the nodes */
	weight count;	     /* value in samples */
	weight self_count;   /* self in samples */
};

/* The other side of a tree of two: see calltree_build_joint(). */
struct calltree_after {
	weight value, self; /* as in struct calltree_node */
	double width;	    /* of the node; of "more": the widths of all that it stands for */
};

/* Which side of a tree of two says how wide a node is. */
enum calltree_widths {
	CALLTREE_WIDTHS_BOTH, /* the larger one */
	CALLTREE_WIDTHS_AFTER,
	CALLTREE_WIDTHS_BEFORE
};

struct calltree_options {
	weight least;		/* a node of less weight is not shown but added to "more" */
	uint32_t deepest;	/* a node below this depth neither; 0: no limit */
	bool is_reversed;	/* from the leaf outwards */
	bool is_heaviest_first; /* siblings by weight, ties by name; else by name */
	bool counts_samples;	/* weight is the number of samples, else the period */

	/* Of a tree of two sides: */
	enum calltree_widths widths;
	double after_scale; /* how wide a weight of the after side is, beside one of before */
};

/*
 * Nodes stand parent before children, siblings by the bytes of their names (or by weight),
 * "more" behind them. One node per path of names: the same name with another origin is the same
 * node.
 */
struct calltree {
	const struct paths *paths; /* borrowed */
	struct calltree_node *nodes;
	uint32_t nr;
	size_t nodes_alloc;
	uint32_t deepest;     /* the deepest node that is shown */
	uint64_t left_out_nr; /* nodes that stand in no row, as far as they were counted */
	weight total;

	/* Of a tree of two sides; nodes, total and the weights in them are of the first one. */
	bool is_joint;
	struct calltree_after *after; /* per node */
	size_t after_alloc;
	weight after_total;
};

/* Paths of one capture, and what its functions are among those of a tree of several. */
struct calltree_source {
	const struct paths *paths;
	const uint32_t *of_function; /* see naming_adopt() */
	bool is_after;
};

void calltree_build(struct calltree *tree, const struct paths *paths,
		    const struct calltree_options *options);

/*
 * The tree of several captures, on two sides: sources of the before side stand first. The
 * functions of its nodes are those of `naming`.
 */
void calltree_build_joint(struct calltree *tree, const struct naming *naming,
			  const struct calltree_source *sources, size_t nr,
			  const struct calltree_options *options);

/* The width of such a node, in units of the before side. */
double calltree_width(const struct calltree_options *options, weight before, weight after);
void calltree_release(struct calltree *tree);

/*
 * A node and, below it, others of which each is the only one in the one before. All weigh the same.
 * The self weights of `node` are those of the last, the others have none; but where it has none,
 * more nodes may follow below the last.
 */
struct calltree_chain {
	const struct calltree_node *node; /* all is borrowed */
	const uint32_t *functions;	  /* of the nodes below it */
	uint32_t nr;
	const bool *is_doubted; /* per function: such a node's `doubted` is its function */
};

/*
 * The same without an array: who wants the nodes is called for each, a node's subtree behind it,
 * in the order above. node->parent is not set, its depth tells it.
 */
struct calltree_visitor {
	void (*node)(struct calltree_visitor *visitor, const struct calltree_node *node);
	/* Most nodes come in chains: who has a shorter way for them says so here; NULL. */
	void (*chain)(struct calltree_visitor *visitor, const struct calltree_chain *chain);
	const struct calltree_after *after; /* of a walk of two sides: of the node that is said */
};

/* Says a chain to a visitor: node by node, the second only where it knows no other way. */
void calltree_chain_say_nodes(const struct calltree_chain *chain, struct calltree_visitor *visitor);
void calltree_chain_say(const struct calltree_chain *chain, struct calltree_visitor *visitor);

void calltree_walk(const struct paths *paths, const struct calltree_options *options,
		   struct calltree_visitor *visitor);

/* The same of two sides, see calltree_build_joint(). */
void calltree_walk_joint(const struct naming *naming, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options,
			 struct calltree_visitor *visitor);

/* Makes a tree of the nodes of a walk; borrows the tree, which is emptied first. */
struct calltree_collector {
	struct calltree_visitor visitor;
	struct calltree *tree;
	uint32_t *path; /* owned: the last node of each depth */
	size_t path_alloc;
};

void calltree_collector_init(struct calltree_collector *collector, struct calltree *tree,
			     const struct paths *paths);
void calltree_collector_release(struct calltree_collector *collector);
