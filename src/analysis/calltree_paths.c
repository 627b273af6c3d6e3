/* calltree_paths.c - the paths of all sources of a call tree, read as functions of the tree */
#include "analysis/calltree_paths.h"

#include <assert.h>

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

/* Callers of one source: what is the same there is the same function, and is compared at one go. */
static inline uint32_t shared_callers(const struct calltree_path *a, const struct calltree_path *b,
				      uint32_t from)
{
	uint32_t nr = a->callers_nr < b->callers_nr ? a->callers_nr : b->callers_nr, i = from;

	if (a->callers == b->callers)
		return nr;
	for (; i + 2 <= nr; i += 2) {
		uint64_t x, y;

		memcpy(&x, a->callers + i, sizeof(x));
		memcpy(&y, b->callers + i, sizeof(y));
		if (x != y)
			return i + (a->callers[i] == b->callers[i]);
	}
	return i + (i < nr && a->callers[i] == b->callers[i]);
}

static inline uint32_t least_depth(const struct calltree_path *a, const struct calltree_path *b)
{
	return a->depth < b->depth ? a->depth : b->depth;
}

/* The same, with the root, from a depth on up to which they are called the same. */
static inline uint32_t skip_same(const struct calltree_paths *paths, const struct calltree_path *a,
				 const struct calltree_path *b, uint32_t depth)
{
	uint32_t has_root = a->root != FUNCTION_NONE;

	if (paths->is_reversed || a->side != b->side || a->root != b->root)
		return depth;
	return has_root + shared_callers(a, b, depth > has_root ? depth - has_root : 0);
}

uint32_t calltree_paths_shared(const struct calltree_paths *paths, const struct calltree_path *a,
			       const struct calltree_path *b)
{
	uint32_t least = least_depth(a, b), i = skip_same(paths, a, b, 0);

	while (i < least &&
	       calltree_paths_function(paths, a, i) == calltree_paths_function(paths, b, i))
		i++;
	return i;
}

struct calltree_parting calltree_paths_part(const struct calltree_paths *paths,
					    const uint32_t *number_of,
					    const struct calltree_path *a,
					    const struct calltree_path *b, uint32_t depth)
{
	struct calltree_parting parting = {depth, FUNCTION_NONE, FUNCTION_NONE};
	uint32_t least = least_depth(a, b);

	if (depth < least)
		parting.depth = skip_same(paths, a, b, depth);
	for (; parting.depth < least; parting.depth++) {
		parting.a = calltree_paths_function(paths, a, parting.depth);
		parting.b = calltree_paths_function(paths, b, parting.depth);
		if (number_of[parting.a] != number_of[parting.b])
			return parting;
	}
	parting.a = parting.b = FUNCTION_NONE;
	if (parting.depth < a->depth)
		parting.a = calltree_paths_function(paths, a, parting.depth);
	else if (parting.depth < b->depth)
		parting.b = calltree_paths_function(paths, b, parting.depth);
	return parting;
}

int calltree_paths_compare(const struct calltree_paths *paths, const uint32_t *number_of,
			   const struct calltree_path *a, const struct calltree_path *b,
			   uint32_t *depth)
{
	struct calltree_parting parting = calltree_paths_part(paths, number_of, a, b, *depth);

	*depth = parting.depth;
	if (parting.a == FUNCTION_NONE || parting.b == FUNCTION_NONE)
		return (parting.a != FUNCTION_NONE) - (parting.b != FUNCTION_NONE);
	return number_of[parting.a] < number_of[parting.b] ? -1 : 1;
}

static uint32_t *copy_functions(const uint32_t *ids, uint32_t nr, const uint32_t *function_of,
				uint32_t *ret)
{
	for (uint32_t i = 0; i < nr; i++)
		*ret++ = function_of ? function_of[ids[i]] : ids[i];
	return ret;
}

void calltree_paths_functions(const struct calltree_paths *paths, const struct calltree_path *path,
			      uint32_t depth, uint32_t *ret)
{
	const struct calltree_side *side = path->side;

	if (paths->is_reversed) {
		for (; depth < path->depth; depth++)
			*ret++ = calltree_paths_function(paths, path, depth);
		return;
	}
	if (path->root != FUNCTION_NONE && depth-- == 0) {
		*ret++ = path->root;
		depth = 0;
	}
	if (depth < path->callers_nr)
		ret = copy_functions(path->callers + depth, path->callers_nr - depth,
				     side->of_caller, ret);
	depth = depth > path->callers_nr ? depth - path->callers_nr : 0;
	copy_functions(path->leaf + depth, path->leaf_nr - depth, side->of_function, ret);
}

/* Chains are of locations or of functions: what each of its ids is in the tree. */
static uint32_t *compose(const struct paths *paths, const uint32_t *of_function)
{
	const struct naming *naming = paths->naming;
	uint32_t nr = naming->capture->locations.nr;
	uint32_t *of_caller = mem_alloc(nr * sizeof(*of_caller));

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t function = naming->of_location[i];

		of_caller[i] = function == FUNCTION_NONE ? function : of_function[function];
	}
	return of_caller;
}

static void take_source(struct calltree_paths *all, const struct calltree_source *source)
{
	const struct paths *paths = source->paths;
	struct calltree_side *ret = &all->sides[all->sides_nr++];

	*ret = (struct calltree_side){
		.paths = paths,
		.of_function = source->of_function,
		.of_caller = source->of_function ? source->of_function : paths->function_of,
		.first = all->nr,
		.is_after = source->is_after,
	};
	if (source->of_function && paths->function_of)
		ret->of_caller = ret->composed = compose(paths, source->of_function);
	all->nr += paths->nr;
	all->has_places |= !!paths->place_of;
	if (!source->is_after)
		all->after = all->nr;
}

static void find_ranks(struct calltree_paths *paths)
{
	const struct naming *naming = paths->naming;
	uint32_t *ranks = names_ranks(&naming->capture->names);
	uint32_t *first_of = mem_alloc(naming->capture->names.nr * sizeof(*first_of));

	memset(first_of, 0xff, naming->capture->names.nr * sizeof(*first_of));
	paths->rank_of = mem_alloc(naming->nr * sizeof(*paths->rank_of));
	paths->first_of = mem_alloc(naming->nr * sizeof(*paths->first_of));
	paths->has_namesake = mem_zalloc(naming->nr, sizeof(*paths->has_namesake));
	for (uint32_t i = 0; i < naming->nr; i++) {
		uint32_t *first = &first_of[naming->list[i].name];

		if (*first == FUNCTION_NONE)
			*first = i;
		else
			paths->has_namesakes = paths->has_namesake[i] =
				paths->has_namesake[*first] = true;
		paths->rank_of[i] = ranks[naming->list[i].name];
		paths->first_of[i] = *first;
	}
	free(first_of);
	free(ranks);
}

void calltree_paths_init(struct calltree_paths *paths, const struct naming *naming,
			 const struct calltree_source *sources, size_t nr, bool is_reversed)
{
	*paths = (struct calltree_paths){
		.naming = naming,
		.sides = mem_zalloc(nr, sizeof(*paths->sides)),
		.is_reversed = is_reversed,
	};
	for (size_t i = 0; i < nr; i++)
		take_source(paths, &sources[i]);
	assert(!paths->has_places || (nr == 1 && !is_reversed && !sources->of_function));
	find_ranks(paths);
}

void calltree_paths_release(struct calltree_paths *paths)
{
	for (uint32_t i = 0; i < paths->sides_nr; i++)
		free(paths->sides[i].composed);
	free(paths->sides);
	free(paths->rank_of);
	free(paths->first_of);
	free(paths->has_namesake);
}
