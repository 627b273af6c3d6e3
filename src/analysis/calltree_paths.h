/* calltree_paths.h - the paths of all sources of a call tree, read as functions of the tree */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/naming.h"
#include "analysis/paths.h"

struct calltree_source;

/* A source, with what each of its ids is among the functions of the tree. */
struct calltree_side {
	const struct paths *paths;
	const uint32_t *of_function; /* NULL: its functions are the tree's */
	const uint32_t *of_caller; /* of what its chains are made of; NULL: the tree's functions */
	uint32_t *composed;	   /* owned: of_caller where it had to be made */
	uint32_t first;		   /* its first path among those of all */
	bool is_after;
};

/* Paths of all sources, one behind another; functions are those of the naming. */
struct calltree_paths {
	const struct naming *naming; /* borrowed */
	struct calltree_side *sides;
	uint32_t sides_nr, nr; /* nr: paths of all */
	uint32_t after;	       /* the first path of the after side, nr where there is none */
	bool is_reversed;      /* from the leaf outwards */
	uint32_t *rank_of;     /* per function: of its name */
	uint32_t *first_of;    /* per function: the first one of its name */
	bool *has_namesake;    /* per function: others have its name */
	bool has_namesakes;    /* some have */
	bool has_places; /* the source, the only one, keeps places; only from the outermost on */
};

/* A path as its source has it; of one with places see calltree_places.h. */
struct calltree_path {
	const struct calltree_side *side;
	const uint32_t *callers, *leaf;
	uint32_t callers_nr, leaf_nr;
	uint32_t root;	/* function of the tree */
	uint32_t depth; /* functions */
};

/* All is borrowed until calltree_paths_release(). */
void calltree_paths_init(struct calltree_paths *paths, const struct naming *naming,
			 const struct calltree_source *sources, size_t nr, bool is_reversed);
void calltree_paths_release(struct calltree_paths *paths);

/* The source that a path is of. */
static inline const struct calltree_side *calltree_paths_side(const struct calltree_paths *paths,
							      uint32_t path)
{
	const struct calltree_side *side = &paths->sides[paths->sides_nr - 1];

	while (path < side->first)
		side--;
	return side;
}

static inline struct calltree_path calltree_paths_get(const struct calltree_paths *all,
						      uint32_t path_id)
{
	const struct calltree_side *side = calltree_paths_side(all, path_id);
	const struct paths *paths = side->paths;
	const struct path *path = &paths->list[path_id - side->first];
	struct calltree_path ret;

	ret = (struct calltree_path){
		.side = side,
		.callers = stacks_ids(paths->callers, path->callers),
		.callers_nr = stacks_depth(paths->callers, path->callers),
		.leaf = stacks_ids(&paths->leaves, path->leaf),
		.leaf_nr = stacks_depth(&paths->leaves, path->leaf),
		.root = path->root != FUNCTION_NONE && side->of_function
				? side->of_function[path->root]
				: path->root,
	};
	ret.depth = ret.callers_nr + ret.leaf_nr + (ret.root != FUNCTION_NONE);
	return ret;
}

/* Paths in no order lie all over memory; while one is looked at, those further on are fetched. */
#define CALLTREE_PATHS_AHEAD 8

/*
 * Where the path that is twice as far ahead begins; and of the one that is so far ahead, whose
 * beginning is there by now, its ids from a depth on.
 */
static inline void calltree_paths_fetch(const struct calltree_paths *all, uint32_t begin_of,
					uint32_t ids_of, uint32_t depth)
{
	const struct calltree_side *side = calltree_paths_side(all, begin_of);
	struct calltree_path path = calltree_paths_get(all, ids_of);

	__builtin_prefetch(&side->paths->list[begin_of - side->first]);
	if (depth < path.callers_nr)
		__builtin_prefetch(path.callers + depth);
	if (depth + 16 < path.callers_nr)
		__builtin_prefetch(path.callers + depth + 16);
	__builtin_prefetch(path.leaf);
}

/* The function of a path at this depth below the root, which it has. */
static inline uint32_t calltree_paths_function(const struct calltree_paths *paths,
					       const struct calltree_path *path, uint32_t depth)
{
	const struct calltree_side *side = path->side;
	uint32_t id;

	if (paths->is_reversed)
		depth = path->depth - 1 - depth;
	if (path->root != FUNCTION_NONE && depth-- == 0)
		return path->root;
	if (depth >= path->callers_nr) {
		id = path->leaf[depth - path->callers_nr];
		return side->of_function ? side->of_function[id] : id;
	}
	id = path->callers[depth];
	return side->of_caller ? side->of_caller[id] : id;
}

/* So many functions two paths begin with alike; more of them may be called the same. */
uint32_t calltree_paths_shared(const struct calltree_paths *paths, const struct calltree_path *a,
			       const struct calltree_path *b);

/* Where two paths part: the functions there, FUNCTION_NONE of one that ends. */
struct calltree_parting {
	uint32_t depth, a, b;
};

/*
 * From a depth on up to which they are called the same, by a number that each function has and all
 * of its name.
 */
struct calltree_parting calltree_paths_part(const struct calltree_paths *paths,
					    const uint32_t *number_of,
					    const struct calltree_path *a,
					    const struct calltree_path *b, uint32_t depth);

/* Writes the functions of a path from a depth on, as many as it has. */
void calltree_paths_functions(const struct calltree_paths *paths, const struct calltree_path *path,
			      uint32_t depth, uint32_t *ret);

/*
 * Compares two paths from a depth on up to which they are called the same, by a number that each
 * function has and all of its name: below 0, 0 or above it. What begins as the other one goes on
 * stands first. *depth becomes where they part.
 */
int calltree_paths_compare(const struct calltree_paths *paths, const uint32_t *number_of,
			   const struct calltree_path *a, const struct calltree_path *b,
			   uint32_t *depth);
