/* paths_sort.c - paths in the order of their names, from either end */
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

struct order {
	const struct paths *paths;
	const uint32_t *ranks; /* per name */
	bool is_from_leaf;
};

/* The function that is compared at this place. */
static uint32_t compared(const struct order *order, uint32_t path, uint32_t i)
{
	uint32_t nr;

	if (!order->is_from_leaf)
		return paths_function(order->paths, path, i);
	nr = paths_depth(order->paths, path);
	return i < nr ? paths_function(order->paths, path, nr - 1 - i) : FUNCTION_NONE;
}

static int compare_paths(const void *a, const void *b, void *order_of)
{
	const struct order *order = order_of;
	const struct function *functions = order->paths->naming->list;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	for (uint32_t i = 0;; i++) {
		uint32_t f = compared(order, x, i), g = compared(order, y, i);

		if (f == FUNCTION_NONE || g == FUNCTION_NONE)
			return (f != FUNCTION_NONE) - (g != FUNCTION_NONE);
		if (functions[f].name != functions[g].name)
			return order->ranks[functions[f].name] < order->ranks[functions[g].name]
				       ? -1
				       : 1;
	}
}

static uint32_t *sort(const struct paths *paths, bool is_from_leaf)
{
	uint32_t *sorted = mem_alloc(paths->nr * sizeof(*sorted));
	uint32_t *ranks = names_ranks(&paths->naming->capture->names);
	struct order order = {paths, ranks, is_from_leaf};

	for (uint32_t i = 0; i < paths->nr; i++)
		sorted[i] = i;
	qsort_r(sorted, paths->nr, sizeof(*sorted), compare_paths, &order);
	free(ranks);
	return sorted;
}

uint32_t *paths_sorted(const struct paths *paths)
{
	return sort(paths, false);
}

uint32_t *paths_sorted_from_leaf(const struct paths *paths)
{
	return sort(paths, true);
}
