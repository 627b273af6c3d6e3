/* embed_tree.h - the nodes of a walk as the rows of a picture: of one capture, and of two sides */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "renderers/flame_rows.h"

struct calltree_after;
struct calltree_chain;
struct calltree_node;
struct embed_functions;
struct flame_paints;
struct naming;

/* What is always there is the root: it fits into this. */
#define EMBED_TREE_LEAST (64 << 10)

/* Zeroed but for step, has_lacking and size_max to begin with, and for what rows have. */
struct embed_tree {
	struct flame_rows rows;
	struct embed_functions *functions; /* owned */
	const uint32_t *number_of;	   /* per function, see embed_functions_numbers() */
	uint32_t *numbers;		   /* owned: functions of a chain */
	size_t numbers_alloc;
	weight step[2]; /* of before and after: all weights are multiples of it */
	bool has_lacking;
	size_t size_max; /* of the rows and functions; what is over is not kept */
	bool is_over;
	uint64_t nodes_nr; /* of the walk, kept or not */
};

/*
 * Begins anew, before a walk; functions' texts are the naming's, which is borrowed as the paints
 * are. So many paths' rows are expected.
 */
void embed_tree_begin(struct embed_tree *tree, const struct naming *naming,
		      const struct flame_paints *paints, size_t paths_nr);
void embed_tree_release(struct embed_tree *tree);

/* A node or a chain of a walk; `after` of a walk of two sides. */
void embed_tree_add(struct embed_tree *tree, const struct calltree_node *node,
		    const struct calltree_after *after);
void embed_tree_add_chain(struct embed_tree *tree, const struct calltree_chain *chain,
			  const struct calltree_after *after);

/* Bytes of a picture that rows and functions take, about. */
size_t embed_tree_size(const struct embed_tree *tree);

/*
 * The size class from which on the nodes fit, if they are like those that were kept; by_size tells
 * how many nodes are of which class.
 */
unsigned embed_tree_class(const struct embed_tree *tree, const uint64_t *by_size, unsigned nr);

/* A weight in steps of a side; what does not fit is the most that does. */
uint64_t embed_tree_steps(const struct embed_tree *tree, weight w, bool is_after);

/* The largest weight that both are multiples of; 0 is a multiple of any. */
weight embed_tree_divisor(weight a, weight b);
