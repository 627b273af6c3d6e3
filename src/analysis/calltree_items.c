/* calltree_items.c - the paths of all sources of a call tree, ready to be partitioned */
#include "analysis/calltree_items.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

/* Paths have about so many functions that they do not share, and more. */
#define FUNCTIONS_A_PATH 3

/* A path as its source has it. */
struct raw {
	const uint32_t *callers, *leaf;
	uint32_t callers_nr, leaf_nr;
	uint32_t root; /* function of the tree */
};

static struct raw raw_of(const struct calltree_paths *source, uint32_t path_id)
{
	const struct paths *paths = source->paths;
	const struct path *path = &paths->list[path_id];
	uint32_t root = path->root;

	return (struct raw){
		.callers = stacks_ids(paths->callers, path->callers),
		.callers_nr = stacks_depth(paths->callers, path->callers),
		.leaf = stacks_ids(&paths->leaves, path->leaf),
		.leaf_nr = stacks_depth(&paths->leaves, path->leaf),
		.root = root != FUNCTION_NONE && source->of_function ? source->of_function[root]
								     : root,
	};
}

static uint32_t depth_of(const struct raw *raw)
{
	return raw->callers_nr + raw->leaf_nr + (raw->root != FUNCTION_NONE);
}

static uint32_t function_at(const struct calltree_paths *source, const struct raw *raw,
			    uint32_t depth)
{
	uint32_t id;

	if (raw->root != FUNCTION_NONE && depth-- == 0)
		return raw->root;
	if (depth >= raw->callers_nr) {
		id = raw->leaf[depth - raw->callers_nr];
		return source->of_function ? source->of_function[id] : id;
	}
	id = raw->callers[depth];
	return source->of_caller ? source->of_caller[id] : id;
}

static bool is_same_caller(const struct calltree_paths *source, uint32_t a, uint32_t b)
{
	return a == b || (source->of_caller && source->of_caller[a] == source->of_caller[b]);
}

/* How many functions, from the outermost on, two paths of a source have in common. */
static uint32_t shared_by(const struct calltree_paths *source, const struct raw *a,
			  const struct raw *b)
{
	uint32_t nr = a->callers_nr < b->callers_nr ? a->callers_nr : b->callers_nr;
	uint32_t i = 0, least = depth_of(a) < depth_of(b) ? depth_of(a) : depth_of(b);

	if (a->root != b->root)
		return 0;
	if (a->callers == b->callers)
		i = nr;
	while (i + 4 <= nr && memcmp(a->callers + i, b->callers + i, 4 * sizeof(i)) == 0)
		i += 4;
	while (i < nr && is_same_caller(source, a->callers[i], b->callers[i]))
		i++;
	if (i < nr)
		return i + (a->root != FUNCTION_NONE);
	i += a->root != FUNCTION_NONE;
	while (i < least && function_at(source, a, i) == function_at(source, b, i))
		i++;
	return i;
}

/* Callers in a row: what each of them is lies all over a large table, and is fetched at one go. */
static uint32_t *add_callers(const struct calltree_paths *source, const struct raw *raw,
			     uint32_t from, uint32_t *at)
{
	const uint32_t *of_caller = source->of_caller;

	for (uint32_t i = from; i < raw->callers_nr; i++) {
		uint32_t id = raw->callers[i];

		*at++ = of_caller ? of_caller[id] : id;
	}
	return at;
}

/* What a path does not share with the one before it. */
static void add_functions(struct calltree_items *items, const struct calltree_paths *source,
			  const struct raw *raw, struct calltree_item *item)
{
	uint32_t nr = item->depth - item->shared, from = item->shared, *at, *end;

	GROW(items->functions, items->functions_nr + nr, items->functions_alloc);
	at = items->functions + items->functions_nr;
	end = at + nr;
	item->start = items->functions_nr - item->shared;
	items->functions_nr += nr;
	if (items->is_reversed) {
		for (uint32_t i = item->depth; i--;)
			*at++ = function_at(source, raw, i);
		return;
	}
	if (raw->root != FUNCTION_NONE && from == 0) {
		*at++ = raw->root;
		from++;
	}
	at = add_callers(source, raw, from - (raw->root != FUNCTION_NONE), at);
	for (uint32_t i = item->depth - (uint32_t)(end - at); i < item->depth; i++)
		*at++ = function_at(source, raw, i);
}

static void find_items_of(struct calltree_items *items, const struct calltree_paths *source)
{
	struct raw last = {.root = FUNCTION_NONE};

	for (uint32_t i = 0; i < source->paths->nr; i++) {
		struct calltree_item *item = &items->item_of[source->first + i];
		struct raw raw = raw_of(source, i);

		item->depth = depth_of(&raw);
		item->shared = i && !items->is_reversed ? shared_by(source, &raw, &last) : 0;
		add_functions(items, source, &raw, item);
		last = raw;
	}
}

static void find_weights_of(struct calltree_items *items, const struct calltree_paths *source,
			    bool counts_samples)
{
	const struct paths *paths = source->paths;
	weight *values = items->values + source->first, *counts = items->counts + source->first;
	weight *lacking = items->lacking ? items->lacking + source->first : NULL;

	for (uint32_t i = 0; i < paths->nr; i++) {
		weight value = paths_weight(paths, i, counts_samples);

		values[i + 1] = values[i] + value;
		if (counts != values)
			counts[i + 1] = counts[i] + paths_weight(paths, i, true);
		if (lacking)
			lacking[i + 1] = lacking[i] + (paths->list[i].lacks_caller ? value : 0);
	}
}

/* From the last path to the first: those behind one that share more are passed over at one go. */
static void find_next(struct calltree_items *items)
{
	struct calltree_item *item_of = items->item_of;

	for (uint32_t i = items->nr; i--;) {
		uint32_t at = i + 1;

		while (at < items->nr && item_of[at].shared >= item_of[i].shared)
			at = item_of[at].next;
		item_of[i].next = at;
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

static weight *new_sums(const struct calltree_items *items)
{
	weight *sums = mem_alloc(((size_t)items->nr + 1) * sizeof(*sums));

	sums[0] = 0;
	return sums;
}

static void find_items(struct calltree_items *items, bool counts_samples)
{
	items->item_of = mem_alloc(items->nr * sizeof(*items->item_of));
	GROW(items->functions, FUNCTIONS_A_PATH * (size_t)items->nr, items->functions_alloc);
	items->values = new_sums(items);
	items->counts = counts_samples ? items->values : new_sums(items);
	if (has_lacking(items))
		items->lacking = new_sums(items);
	for (uint32_t i = 0; i < items->sources_nr; i++) {
		find_items_of(items, &items->sources[i]);
		find_weights_of(items, &items->sources[i], counts_samples);
	}
	find_next(items);
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
	free(items->functions);
	if (items->counts != items->values)
		free(items->counts);
	free(items->values);
	free(items->lacking);
}
