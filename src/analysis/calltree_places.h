/* calltree_places.h - paths whose callers are places of several functions each */
#pragma once

#include <stdint.h>

#include "analysis/calltree_paths.h"

/* A path of a source that keeps places: its callers are such, its depth is that of functions. */
static inline struct calltree_path calltree_places_path(const struct calltree_paths *paths,
							uint32_t path_id)
{
	const struct paths *source = paths->sides[0].paths;
	struct calltree_path path = calltree_paths_get(paths, path_id);

	path.depth += source->depth_of[source->list[path_id].callers] - path.callers_nr;
	return path;
}

/* What it is made of, outermost first: its root, the places of its callers, its leaf. */
static inline uint32_t calltree_places_nr(const struct calltree_path *path)
{
	return (path->root != FUNCTION_NONE) + path->callers_nr + 1;
}

/* The functions of one of them; *ret_nr may be 0. A root lives as long as the path. */
static inline const uint32_t *calltree_places_get(const struct calltree_path *path, uint32_t at,
						  uint32_t *ret_nr)
{
	const struct paths *paths = path->side->paths;
	uint32_t has_root = path->root != FUNCTION_NONE, place;

	*ret_nr = 1;
	if (at < has_root)
		return &path->root;
	at -= has_root;
	*ret_nr = path->leaf_nr;
	if (at == path->callers_nr)
		return path->leaf;
	place = paths->place_of[path->callers[at]];
	*ret_nr = stacks_depth(&paths->leaves, place);
	return stacks_ids(&paths->leaves, place);
}

/* So many functions two paths of one source begin with alike; more of them may be called the same.
 */
uint32_t calltree_places_shared(const struct calltree_path *a, const struct calltree_path *b);

/* Writes the functions of a path from a depth on, as many as it has. */
void calltree_places_functions(const struct calltree_path *path, uint32_t depth, uint32_t *ret);
