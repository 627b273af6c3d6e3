/* calltree_items.c - the paths of a call tree in its order, with their functions and weights */
#include "analysis/calltree_items.h"

#include "analysis/calltree.h"
#include "analysis/calltree_places.h"
#include "analysis/calltree_sort.h"
#include "analysis/paths.h"
#include "base/mem.h"

/* Paths have about so many functions that they do not share: what grows is copied. */
#define FUNCTIONS_A_PATH 4

/* Room for what a path does not share with the one before it. */
static inline uint32_t *add_functions(struct calltree_items *items, struct calltree_item *item)
{
	uint32_t nr = item->depth - item->own;

	GROW(items->functions, items->functions_nr + nr, items->functions_alloc);
	item->start = items->functions_nr - item->own;
	items->functions_nr += nr;
	return items->functions + items->functions_nr - nr;
}

/* Those that are called the same are mostly the same function, but not where names have several. */
static uint32_t own_of(const struct calltree_paths *paths, const struct calltree_path *last,
		       const struct calltree_path *path, uint32_t names_shared)
{
	uint32_t shared;

	if (!names_shared || !paths->has_namesakes)
		return names_shared;
	shared = calltree_paths_shared(paths, last, path);
	return shared < names_shared ? shared : names_shared;
}

/* Those that come in their source's order are fetched by the processor. */
static inline void fetch(const struct calltree_items *items, uint32_t at)
{
	const uint32_t *order = items->order + at;

	if (at + 2 * CALLTREE_PATHS_AHEAD >= items->nr ||
	    order[CALLTREE_PATHS_AHEAD] == order[0] + CALLTREE_PATHS_AHEAD)
		return;
	calltree_paths_fetch(&items->paths, order[2 * CALLTREE_PATHS_AHEAD],
			     order[CALLTREE_PATHS_AHEAD], 0);
}

static void find_items(struct calltree_items *items, const uint32_t *shared)
{
	struct calltree_path last, path;

	for (uint32_t i = 0; i < items->nr; i++, last = path) {
		struct calltree_item *item = &items->item_of[i];

		fetch(items, i);
		path = calltree_paths_get(&items->paths, items->order[i]);
		item->depth = path.depth;
		item->shared = shared[i];
		item->own = own_of(&items->paths, &last, &path, shared[i]);
		calltree_paths_functions(&items->paths, &path, item->own,
					 add_functions(items, item));
	}
}

/* The same of a source that keeps places. */
static void find_items_of_places(struct calltree_items *items, const struct calltree_order *order)
{
	for (uint32_t i = 0; i < items->nr; i++) {
		struct calltree_item *item = &items->item_of[i];
		struct calltree_path path;

		fetch(items, i);
		path = calltree_places_path(&items->paths, items->order[i]);
		item->depth = path.depth;
		item->shared = order->shared[i];
		item->own = order->own[i];
		calltree_places_functions(&path, item->own, add_functions(items, item));
	}
}

/* From the last path to the first: those behind one that keep less are passed over at one go. */
static void find_next(struct calltree_items *items)
{
	struct calltree_item *item_of = items->item_of;

	for (uint32_t i = items->nr; i--;) {
		uint32_t at = i + 1;

		while (at < items->nr && item_of[at].own >= item_of[i].own)
			at = item_of[at].next;
		item_of[i].next = at;
	}
}

/* ---- weights */

static bool has_lacking(const struct calltree_paths *paths)
{
	for (uint32_t i = 0; i < paths->sides_nr; i++)
		for (uint32_t j = 0; j < paths->sides[i].paths->nr; j++)
			if (paths->sides[i].paths->list[j].lacks_caller)
				return true;
	return false;
}

static weight *new_sums(uint32_t nr)
{
	weight *sums = mem_alloc(((size_t)nr + 1) * sizeof(*sums));

	sums[0] = 0;
	return sums;
}

/* Mostly all weights are the same as the counts, or none is. */
static weight *begin_counts(const struct calltree_sums *sums, uint32_t at, uint32_t nr)
{
	weight *counts = new_sums(nr);

	memcpy(counts, sums->values, ((size_t)at + 1) * sizeof(*counts));
	return counts;
}

/* What most trees are: of one source, all of it on one side, no caller lacking. */
static void find_plain_sums(struct calltree_items *items, bool counts_samples)
{
	const struct paths *paths = items->paths.sides[0].paths;
	struct calltree_sums *sums = &items->sums[0];
	weight values = 0, counts = 0;

	for (uint32_t i = 0; i < items->nr; i++) {
		values += paths_weight(paths, items->order[i], counts_samples);
		counts += paths_weight(paths, items->order[i], true);
		if (values != counts && sums->counts == sums->values)
			sums->counts = begin_counts(sums, i, items->nr);
		sums->values[i + 1] = values;
		if (sums->counts != sums->values)
			sums->counts[i + 1] = counts;
	}
}

static void add_weight(struct calltree_sums *sums, uint32_t at, uint32_t nr, weight value,
		       weight count)
{
	if (value != count && sums->counts == sums->values)
		sums->counts = begin_counts(sums, at, nr);
	sums->values[at + 1] = sums->values[at] + value;
	if (sums->counts != sums->values)
		sums->counts[at + 1] = sums->counts[at] + count;
}

/* Of a path that is so much further on. */
static void fetch_weight(const struct calltree_items *items, uint32_t at)
{
	const struct calltree_side *side;
	uint32_t path;

	if (at + CALLTREE_PATHS_AHEAD >= items->nr)
		return;
	side = calltree_paths_side(&items->paths, items->order[at + CALLTREE_PATHS_AHEAD]);
	path = items->order[at + CALLTREE_PATHS_AHEAD] - side->first;
	__builtin_prefetch(&side->paths->list[path]);
	if (side->paths->sums)
		__builtin_prefetch(&side->paths->sums[path]);
}

static void find_sums(struct calltree_items *items, bool counts_samples)
{
	struct calltree_sums *before = &items->sums[0], *after = &items->sums[1];
	uint32_t befores_nr = items->paths.after, at[2] = {0};

	before->values = before->counts = new_sums(befores_nr);
	after->values = new_sums(items->nr - befores_nr);
	if (befores_nr < items->nr)
		items->befores_nr = mem_alloc(((size_t)items->nr + 1) * sizeof(uint32_t));
	if (has_lacking(&items->paths))
		before->lacking = new_sums(befores_nr);
	if (items->paths.sides_nr == 1 && befores_nr == items->nr && !before->lacking) {
		find_plain_sums(items, counts_samples);
		return;
	}
	for (uint32_t i = 0; i < items->nr; i++) {
		const struct calltree_side *side =
			calltree_paths_side(&items->paths, items->order[i]);
		uint32_t path = items->order[i] - side->first;
		weight value = paths_weight(side->paths, path, counts_samples);

		fetch_weight(items, i);
		if (items->befores_nr)
			items->befores_nr[i] = at[0];
		if (side->is_after) {
			after->values[at[1] + 1] = after->values[at[1]] + value;
			at[1]++;
			continue;
		}
		add_weight(before, at[0], befores_nr, value, paths_weight(side->paths, path, true));
		if (before->lacking)
			before->lacking[at[0] + 1] =
				before->lacking[at[0]] +
				(side->paths->list[path].lacks_caller ? value : 0);
		at[0]++;
	}
	if (items->befores_nr)
		items->befores_nr[items->nr] = at[0];
}

void calltree_items_init(struct calltree_items *items, const struct naming *naming,
			 const struct calltree_source *sources, size_t nr,
			 const struct calltree_options *options)
{
	struct calltree_order order;

	*items = (struct calltree_items){0};
	calltree_paths_init(&items->paths, naming, sources, nr, options->is_reversed);
	calltree_order_init(&order, &items->paths, false);
	items->nr = items->paths.nr;
	items->order = order.paths;
	items->is_by_name = order.is_by_name;
	items->item_of = mem_alloc(items->nr * sizeof(*items->item_of));
	GROW(items->functions, FUNCTIONS_A_PATH * (size_t)items->nr, items->functions_alloc);
	if (items->paths.has_places)
		find_items_of_places(items, &order);
	else
		find_items(items, order.shared);
	free(order.shared);
	free(order.own);
	find_next(items);
	find_sums(items, options->counts_samples);
}

void calltree_items_release(struct calltree_items *items)
{
	calltree_paths_release(&items->paths);
	free(items->order);
	free(items->item_of);
	free(items->functions);
	free(items->befores_nr);
	for (int side = 0; side < 2; side++) {
		if (items->sums[side].counts != items->sums[side].values)
			free(items->sums[side].counts);
		free(items->sums[side].values);
		free(items->sums[side].lacking);
	}
}
