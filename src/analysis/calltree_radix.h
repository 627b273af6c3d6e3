/* calltree_radix.h - paths that come in no order as a radix tree of their names */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct calltree_order;
struct calltree_paths;

#define CALLTREE_RADIX_NONE UINT32_MAX

/* Some names behind those of its parent. No two children of one begin with the same. */
struct calltree_radix_node {
	uint32_t parent;
	uint32_t name;		   /* its first: a function that is the first of its name */
	const uint32_t *functions; /* borrowed from the paths */
	uint32_t nr;		   /* of them; the root has none */
	bool is_mixed;		   /* not all that goes through it has these very functions */
	uint32_t child, sibling;   /* in no order */
	uint32_t path;		   /* the first that hangs on it */
};

/* A path hangs on the node that its functions lead to, as far as they lead through whole nodes. */
struct calltree_radix_path {
	uint32_t next;	/* of the same node */
	uint32_t taken; /* so many functions of its leaf are of nodes */
	uint32_t
		name; /* of the first one behind them, as of a node; FUNCTION_NONE: there is none */
	bool is_alone; /* nor is there any behind that one */
};

struct calltree_radix {
	const struct calltree_paths *paths; /* borrowed */
	struct calltree_radix_node *nodes;
	uint32_t nr;
	size_t alloc;
	struct calltree_radix_path *hung; /* per path */
	struct map map;			  /* of nodes, by parent and name */
};

/*
 * Of a source that keeps places, from the outermost function on. There are nodes for chains of
 * callers alone, no more than they have different beginnings as locations, and as many again.
 */
void calltree_radix_init(struct calltree_radix *radix, const struct calltree_paths *paths);
void calltree_radix_release(struct calltree_radix *radix);

/* Fills the order's arrays, which are there. */
void calltree_radix_order(const struct calltree_radix *radix, struct calltree_order *order);
