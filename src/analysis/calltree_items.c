/* calltree_items.c - the paths of all sources of a call tree, ready to be partitioned */
#include "analysis/calltree_items.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

static bool is_same_caller(const struct calltree_paths *source, uint32_t a, uint32_t b)
{
	return a == b || (source->of_caller && source->of_caller[a] == source->of_caller[b]);
}

/* How many functions, from the outermost on, a path has in common with the one before it. */
static uint32_t shared_with_last(const struct calltree_items *items, uint32_t path)
{
	const struct calltree_item *item = &items->item_of[path], *last = item - 1;
	uint32_t nr = item->callers_nr < last->callers_nr ? item->callers_nr : last->callers_nr;
	uint32_t i = 0, function;

	if (items->is_reversed || item->root != last->root || item->source != last->source)
		return 0;
	if (item->callers == last->callers)
		i = nr;
	while (i + 4 <= nr && memcmp(item->callers + i, last->callers + i, 4 * sizeof(i)) == 0)
		i += 4;
	while (i < nr &&
	       is_same_caller(&items->sources[item->source], item->callers[i], last->callers[i]))
		i++;
	if (i < nr)
		return i + (item->root != FUNCTION_NONE);
	i += item->root != FUNCTION_NONE;
	while ((function = calltree_function_at(items, path, i)) != FUNCTION_NONE &&
	       function == calltree_function_at(items, path - 1, i))
		i++;
	return i;
}

static void find_items_of(struct calltree_items *items, uint32_t source_id, bool counts_samples)
{
	const struct calltree_paths *source = &items->sources[source_id];
	const struct paths *paths = source->paths;
	weight *values = items->values + source->first, *counts = items->counts + source->first;
	weight *lacking = items->lacking ? items->lacking + source->first : NULL;

	for (uint32_t i = 0; i < paths->nr; i++) {
		const struct path *path = &paths->list[i];
		uint32_t root = path->root;

		if (root != FUNCTION_NONE && source->of_function)
			root = source->of_function[root];
		items->item_of[source->first + i] = (struct calltree_item){
			.callers = stacks_ids(paths->callers, path->callers),
			.callers_nr = stacks_depth(paths->callers, path->callers),
			.leaf = stacks_ids(&paths->leaves, path->leaf),
			.leaf_nr = stacks_depth(&paths->leaves, path->leaf),
			.root = root,
			.source = source_id,
		};
		items->shared[source->first + i] =
			i ? shared_with_last(items, source->first + i) : 0;
		counts[i + 1] = counts[i] + paths_weight(paths, i, true);
		values[i + 1] = values[i] + paths_weight(paths, i, counts_samples);
		if (lacking)
			lacking[i + 1] =
				lacking[i] + (path->lacks_caller ? values[i + 1] - values[i] : 0);
	}
}

static void find_less_shared(struct calltree_items *items)
{
	const uint32_t *shared = items->shared;
	uint32_t *less = items->less_shared = mem_alloc(items->nr * sizeof(*less));

	for (uint32_t i = items->nr; i--;) {
		uint32_t at = i + 1;

		while (at < items->nr && shared[at] >= shared[i])
			at = less[at];
		less[i] = at;
	}
}

static bool has_lacking(const struct calltree_items *items)
{
	for (uint32_t i = 0; i < items->sources_nr; i++)
		for (uint32_t j = 0; j < items->sources[i].paths->nr; j++)
			if (items->sources[i].paths->list[j].lacks_caller)
				return true;
	return false;
}

static void find_items(struct calltree_items *items, bool counts_samples)
{
	size_t nr = items->nr, sums_nr = nr + 1;

	items->item_of = mem_alloc(nr * sizeof(*items->item_of));
	items->shared = mem_alloc(nr * sizeof(*items->shared));
	items->values = mem_alloc(sums_nr * sizeof(*items->values));
	items->counts = mem_alloc(sums_nr * sizeof(*items->counts));
	items->values[0] = items->counts[0] = 0;
	if (has_lacking(items)) {
		items->lacking = mem_alloc(sums_nr * sizeof(*items->lacking));
		items->lacking[0] = 0;
	}
	for (uint32_t i = 0; i < items->sources_nr; i++)
		find_items_of(items, i, counts_samples);
	find_less_shared(items);
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

static void take_source(struct calltree_items *items, const struct calltree_source *source)
{
	const struct paths *paths = source->paths;
	struct calltree_paths *ret = &items->sources[items->sources_nr++];

	*ret = (struct calltree_paths){
		.paths = paths,
		.of_function = source->of_function,
		.of_caller = source->of_function ? source->of_function : paths->function_of,
		.first = items->nr,
	};
	if (source->of_function && paths->function_of)
		ret->of_caller = ret->composed = compose(paths, source->of_function);
	items->nr += paths->nr;
	if (!source->is_after)
		items->after = items->nr;
}

void calltree_items_init(struct calltree_items *items, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options)
{
	*items = (struct calltree_items){
		.sources = mem_zalloc(nr, sizeof(*items->sources)),
		.is_reversed = options->is_reversed,
	};
	for (size_t i = 0; i < nr; i++)
		take_source(items, &sources[i]);
	find_items(items, options->counts_samples);
}

void calltree_items_release(struct calltree_items *items)
{
	for (uint32_t i = 0; i < items->sources_nr; i++)
		free(items->sources[i].composed);
	free(items->sources);
	free(items->item_of);
	free(items->shared);
	free(items->less_shared);
	free(items->values);
	free(items->counts);
	free(items->lacking);
}
