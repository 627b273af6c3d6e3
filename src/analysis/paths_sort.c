/* paths_sort.c - paths in the order of their names, from either end */
#include "analysis/calltree.h"
#include "analysis/calltree_paths.h"
#include "analysis/calltree_sort.h"
#include "analysis/paths.h"
#include "base/mem.h"

/* That of a call tree of these paths alone whose siblings stand by their names. */
static uint32_t *sort(const struct paths *paths, bool is_from_leaf, uint32_t **ret_shared)
{
	const struct calltree_source source = {.paths = paths};
	struct calltree_paths all;
	struct calltree_order order;

	calltree_paths_init(&all, paths->naming, &source, 1, is_from_leaf);
	calltree_order_init(&order, &all, true);
	calltree_paths_release(&all);
	free(order.own);
	*ret_shared = order.shared;
	return order.paths;
}

uint32_t *paths_sorted_shared(const struct paths *paths, uint32_t **ret_shared)
{
	return sort(paths, false, ret_shared);
}

static uint32_t *sort_alone(const struct paths *paths, bool is_from_leaf)
{
	uint32_t *shared, *sorted = sort(paths, is_from_leaf, &shared);

	free(shared);
	return sorted;
}

uint32_t *paths_sorted(const struct paths *paths)
{
	return sort_alone(paths, false);
}

uint32_t *paths_sorted_from_leaf(const struct paths *paths)
{
	return sort_alone(paths, true);
}
