/* calltree_places.c - paths whose callers are places of several functions each */
#include "analysis/calltree_places.h"

/* A walk through the functions of a path. */
struct walk {
	const struct calltree_path *path;
	uint32_t place;		   /* the next one */
	const uint32_t *functions; /* that are left of the one at hand */
	uint32_t nr;
};

/* False: the path ends. */
static bool is_at_function(struct walk *walk)
{
	uint32_t nr = calltree_places_nr(walk->path);

	while (!walk->nr && walk->place < nr)
		walk->functions = calltree_places_get(walk->path, walk->place++, &walk->nr);
	return walk->nr;
}

static void pass(struct walk *walk, uint32_t nr)
{
	walk->functions += nr;
	walk->nr -= nr;
}

/* The same place of the same source: its functions lie at the same address. */
static bool is_same_place(const struct walk *a, const struct walk *b)
{
	return a->functions == b->functions && a->nr == b->nr;
}

/* Callers that are the same are not looked at but counted. */
static uint32_t skip_same(struct walk *a, struct walk *b)
{
	const struct calltree_path *x = a->path, *y = b->path;
	uint32_t nr = x->callers_nr < y->callers_nr ? x->callers_nr : y->callers_nr;
	uint32_t has_root = x->root != FUNCTION_NONE, depth = has_root, place_nr, i = 0;

	if (x->root != y->root)
		return 0;
	if (x->callers == y->callers && x->callers_nr == y->callers_nr) {
		a->place = b->place = has_root + nr;
		return x->depth - x->leaf_nr;
	}
	for (; i < nr && x->callers[i] == y->callers[i]; i++) {
		calltree_places_get(x, has_root + i, &place_nr);
		depth += place_nr;
	}
	a->place = b->place = has_root + i;
	return depth;
}

uint32_t calltree_places_shared(const struct calltree_path *x, const struct calltree_path *y)
{
	struct walk a = {.path = x}, b = {.path = y};
	uint32_t depth = skip_same(&a, &b);

	while (is_at_function(&a) && is_at_function(&b)) {
		uint32_t nr = is_same_place(&a, &b) ? a.nr : 1;

		if (*a.functions != *b.functions)
			break;
		depth += nr;
		pass(&a, nr);
		pass(&b, nr);
	}
	return depth;
}

/* What is asked for is mostly short and at the end. */
void calltree_places_functions(const struct calltree_path *path, uint32_t depth, uint32_t *ret)
{
	uint32_t left = path->depth - depth;

	for (uint32_t at = calltree_places_nr(path); left && at--;) {
		uint32_t nr;
		const uint32_t *functions = calltree_places_get(path, at, &nr);

		for (; left && nr; nr--)
			ret[--left] = functions[nr - 1];
	}
}
