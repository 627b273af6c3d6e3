/* paths.c - weights per path of functions: what every picture and table is made of */
#include "analysis/paths.h"

#include "analysis/naming.h"
#include "analysis/tidy.h"
#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

enum frame_flags {
	FRAME_HIDDEN = 1 << 0,
	FRAME_FOCUS = 1 << 1,
	FRAME_IGNORE = 1 << 2,
	FRAME_IDLE = 1 << 3,
};

/* Of so many paths with the same callers it is looked whether they are the same; see add_path(). */
#define SAME_CALLERS_MAX 8

/* What a location stands for, found when first needed. */
struct place {
	uint32_t functions;  /* stack id in paths->leaves, STACK_NONE: not yet */
	uint32_t kind;	     /* the same for leaves that count alike: see find_place() */
	unsigned char flags; /* of all its functions */
	bool lacks_caller;
};

/* What is asked of a path when others are merged into it. */
struct merged {
	uint32_t next; /* path of the same callers, PATH_NONE */
	uint32_t root, kind;
	bool lacks_caller;
};

#define KIND_NO_LEAF UINT32_MAX

/* What goes on while paths are built. */
struct builder {
	struct paths *paths;
	const struct path_filter *filter;
	unsigned char *flags;	     /* per function, enum frame_flags */
	uint32_t *root_of;	     /* per root of the tally: function id */
	struct chain {		     /* per stack of the capture, found when first needed */
		uint32_t shortened;  /* stack id, STACK_NONE: not yet */
		unsigned char flags; /* of all its frames */
	} * chains;		     /* NULL where no frame is left out or looked for */
	struct place *places;	     /* per location */
	struct stacks kinds;
	struct merged *merged; /* per path; NULL: see is_merging() */
	uint32_t *of_callers;  /* per stack of paths->callers: its first path, PATH_NONE */
	size_t of_callers_nr, of_callers_alloc;
	uint32_t *ids; /* of a chain while it is shortened */
	size_t ids_alloc;
	uint32_t empty, no_stack; /* leaves */
	unsigned char *lacking;	  /* per stack of the capture, enum lacking; NULL: none is */
};

/* May a chain lack a caller of one of its frames? */
enum lacking {
	LACKING_NOT_YET,
	LACKING_NO,
	LACKING_YES
};

const char *paths_reason_word(enum path_reason reason)
{
	static const char *const words[PATH_REASON_NR] = {
		[PATH_IDLE] = "--no-idle",    [PATH_FOCUS] = "--focus", [PATH_IGNORE] = "--ignore",
		[PATH_SUBTREE] = "--subtree", [PATH_OF] = "--of",
	};

	return words[reason];
}

static bool matches(const regex_t *list, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (regexec(&list[i], name, 0, NULL, 0) == 0)
			return true;
	return false;
}

static unsigned char flags_of(const struct path_filter *filter, const char *name)
{
	unsigned char flags = 0;

	if (matches(filter->hide, filter->hide_nr, name) ||
	    (filter->show_nr && !matches(filter->show, filter->show_nr, name)))
		flags |= FRAME_HIDDEN;
	if (matches(filter->focus, filter->focus_nr, name))
		flags |= FRAME_FOCUS;
	if (matches(filter->ignore, filter->ignore_nr, name))
		flags |= FRAME_IGNORE;
	if (filter->no_idle && tidy_is_idle(name))
		flags |= FRAME_IDLE;
	return flags;
}

static bool has_filter(const struct path_filter *filter)
{
	return filter->focus_nr || filter->ignore_nr || filter->hide_nr || filter->show_nr;
}

/* Each name is matched once, however often it occurs. */
static void find_flags(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;
	const struct path_filter *filter = builder->filter;

	builder->flags = mem_zalloc(naming->nr, 1);
	if (!has_filter(filter) && !filter->no_idle)
		return;
	for (uint32_t i = 0; i < naming->nr; i++)
		builder->flags[i] = flags_of(
			filter, names_get(&naming->capture->names, naming->list[i].name)->bytes);
}

static void find_roots(struct builder *builder)
{
	const struct tally *tally = builder->paths->tally;

	builder->root_of = mem_alloc(tally->roots_nr * sizeof(*builder->root_of));
	for (uint32_t i = 0; i < tally->roots_nr; i++)
		builder->root_of[i] = naming_root(builder->paths->naming, &tally->roots[i]);
}

/* Chains are read as they are unless a frame of them may be left out or looked for. */
static void prepare_chains(struct builder *builder)
{
	struct paths *paths = builder->paths;
	const struct capture *capture = paths->naming->capture;
	bool is_needed = has_filter(builder->filter) || paths->naming->has_chains;

	for (uint32_t i = 0; !is_needed && i < capture->locations.nr; i++)
		is_needed = paths->naming->of_location[i] == FUNCTION_NONE;
	if (!is_needed) {
		paths->callers = &capture->stacks;
		paths->function_of = paths->naming->of_location;
		return;
	}
	paths->callers = &paths->shortened;
	builder->chains = mem_alloc(capture->stacks.nr * sizeof(*builder->chains));
	memset(builder->chains, 0xff, capture->stacks.nr * sizeof(*builder->chains));
}

/* Adds a function to builder->ids unless it is hidden. Returns its flags. */
static unsigned char put_function(struct builder *builder, uint32_t function, uint32_t *nr)
{
	if (function == FUNCTION_NONE)
		return 0;
	GROW(builder->ids, (size_t)*nr + 1, builder->ids_alloc);
	if (!(builder->flags[function] & FRAME_HIDDEN))
		builder->ids[(*nr)++] = function;
	return builder->flags[function];
}

/* All functions of a location, the outermost first. Returns their flags together. */
static unsigned char put_frames(struct builder *builder, uint32_t location, uint32_t *nr)
{
	const struct naming *naming = builder->paths->naming;
	uint32_t frames_nr;
	const struct frame *frames = frames_of(&naming->capture->frames, location, &frames_nr);
	unsigned char flags = 0;

	if (!frames_nr)
		return put_function(builder, naming->of_location[location], nr);
	for (uint32_t i = 0; i < frames_nr; i++)
		flags |= put_function(builder, naming->of_location[frames[i].function], nr);
	return flags;
}

/* What it stands for is kept: most locations are in many chains. */
static void make_place(struct builder *builder, uint32_t location)
{
	const struct capture *capture = builder->paths->naming->capture;
	const struct location *at = locations_get(&capture->locations, location);
	struct place *place = &builder->places[location];
	uint32_t nr = 0, frames_nr, kind[3];

	frames_of(&capture->frames, location, &frames_nr);
	place->flags = put_frames(builder, location, &nr);
	place->functions = stacks_add(&builder->paths->leaves, builder->ids, nr);
	kind[0] = place->functions;
	kind[1] = at->module;
	kind[2] = frames_nr || at->name != NAME_NONE;
	place->lacks_caller = walked_lacks_caller(capture, location);
	place->kind = stacks_add(&builder->kinds, kind, ARRAY_NR(kind));
}

static const struct place *find_place(struct builder *builder, uint32_t location)
{
	struct place *place = &builder->places[location];

	if (place->functions == STACK_NONE)
		make_place(builder, location);
	return place;
}

/* The functions that all places of a chain have. */
static uint32_t count_functions(struct builder *builder, const uint32_t *locations, uint32_t nr)
{
	const struct stacks *functions = &builder->paths->leaves;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < nr; i++)
		sum += stacks_depth(functions, find_place(builder, locations[i])->functions);
	return sum;
}

/* The frames of one chain that are not left out, and the flags of all of them. */
static void shorten(struct builder *builder, uint32_t callers)
{
	const struct stacks *stacks = &builder->paths->naming->capture->stacks;
	const struct stacks *functions = &builder->paths->leaves;
	const uint32_t *locations = stacks_ids(stacks, callers);
	uint32_t nr = stacks_depth(stacks, callers), at = 0;
	struct chain *chain = &builder->chains[callers];

	GROW(builder->ids, count_functions(builder, locations, nr), builder->ids_alloc);
	chain->flags = 0;
	for (uint32_t i = 0; i < nr; i++) {
		const struct place *place = &builder->places[locations[i]];
		const uint32_t *ids = stacks_ids(functions, place->functions);

		for (uint32_t j = 0; j < stacks_depth(functions, place->functions); j++)
			builder->ids[at++] = ids[j];
		chain->flags |= place->flags;
	}
	chain->shortened = stacks_add(&builder->paths->shortened, builder->ids, at);
}

static bool is_idle(const struct builder *builder, const struct tally_entry *entry)
{
	uint32_t leaf = entry->key.leaf, function;

	if (!builder->filter->no_idle || leaf == LOCATION_NONE)
		return false;
	function = builder->paths->naming->of_location[leaf];
	return function != FUNCTION_NONE &&
	       builder->paths->tally->roots[entry->key.root].is_idle_task &&
	       builder->flags[function] & FRAME_IDLE;
}

static bool callers_lack(struct builder *builder, const struct tally_key *key)
{
	const struct capture *capture = builder->paths->naming->capture;
	unsigned char *lacking = &builder->lacking[key->callers];

	if (*lacking == LACKING_NOT_YET)
		*lacking = walked_chain_lacks_caller(capture, key->event,
						     stacks_ids(&capture->stacks, key->callers),
						     stacks_depth(&capture->stacks, key->callers))
				   ? LACKING_YES
				   : LACKING_NO;
	return *lacking == LACKING_YES;
}

/* Only paths of one event are made, so that what was found of a stack holds for all. */
static bool lacks_caller(struct builder *builder, const struct tally_key *key)
{
	const struct capture *capture = builder->paths->naming->capture;

	if (!builder->lacking ||
	    capture->events.list[key->event].walked_by != WALKED_FRAME_POINTERS)
		return false;
	return (key->leaf != LOCATION_NONE && builder->places[key->leaf].lacks_caller) ||
	       callers_lack(builder, key);
}

/* Fills callers and leaf of a path. Returns the flags of all frames. */
static unsigned char fill(struct builder *builder, const struct tally_entry *entry,
			  struct path *path)
{
	const struct place *leaf = NULL;
	unsigned char flags = 0;

	path->callers = entry->key.callers;
	if (builder->chains) {
		struct chain *chain = &builder->chains[entry->key.callers];

		if (chain->shortened == STACK_NONE)
			shorten(builder, entry->key.callers);
		path->callers = chain->shortened;
		flags = chain->flags;
	}
	if (entry->key.leaf != LOCATION_NONE)
		leaf = find_place(builder, entry->key.leaf);
	path->leaf = leaf ? leaf->functions : builder->empty;
	path->lacks_caller = lacks_caller(builder, &entry->key);
	return leaf ? leaf->flags | flags : flags;
}

/*
 * Can leaves of one symbol be several entries? Only where they are counted by their address: where
 * it matters, and where names are found behind the samples.
 */
static bool is_merging(const struct tally *tally)
{
	const struct locations *locations = &tally->capture->locations;
	bool has_places = false;

	for (uint32_t i = 0; !has_places && i < locations->nr; i++)
		has_places = locations->list[i].name == NAME_NONE &&
			     locations->list[i].flags & LOCATION_HAS_ADDRESS;
	return tally->options.keeps_address || (tally->capture->has_offsets && has_places);
}

static void prepare_paths(struct builder *builder)
{
	struct paths *paths = builder->paths;
	uint32_t nr = paths->tally->nr;

	paths->list = mem_alloc(nr * sizeof(*paths->list));
	if (builder->filter->keeps_entries) {
		paths->of_entry = mem_alloc(nr * sizeof(*paths->of_entry));
		memset(paths->of_entry, 0xff, nr * sizeof(*paths->of_entry));
	}
	if (!is_merging(paths->tally))
		return;
	paths->sums = mem_alloc(nr * sizeof(*paths->sums));
	builder->merged = mem_alloc(nr * sizeof(*builder->merged));
}

static uint32_t *first_of(struct builder *builder, uint32_t callers)
{
	while (builder->of_callers_nr <= callers) {
		GROW(builder->of_callers, builder->of_callers_nr + 1, builder->of_callers_alloc);
		builder->of_callers[builder->of_callers_nr++] = PATH_NONE;
	}
	return &builder->of_callers[callers];
}

/*
 * The path to which this one's weight is added: of the same root and callers, with a leaf that
 * counts alike in all that is asked of a path's first entry. Most leaves of a stack are addresses
 * of few functions; where there are many, paths that are alike may stay apart.
 */
static uint32_t find_path(struct builder *builder, const struct path *path)
{
	struct paths *paths = builder->paths;
	uint32_t location = paths->tally->list[path->entry].key.leaf;
	uint32_t kind = location == LOCATION_NONE ? KIND_NO_LEAF : builder->places[location].kind;
	uint32_t *first = first_of(builder, path->callers), at = *first;

	for (int walked = 0; at != PATH_NONE && walked < SAME_CALLERS_MAX; walked++) {
		const struct merged *same = &builder->merged[at];

		if (same->root == path->root && same->kind == kind &&
		    same->lacks_caller == path->lacks_caller)
			return at;
		at = same->next;
	}
	paths->list[paths->nr] = *path;
	paths->sums[paths->nr] = (struct path_sum){0};
	builder->merged[paths->nr] = (struct merged){*first, path->root, kind, path->lacks_caller};
	*first = paths->nr;
	return paths->nr++;
}

/* The number of the path. */
static uint32_t add_path(struct builder *builder, const struct path *path)
{
	struct paths *paths = builder->paths;
	const struct tally_entry *entry = &paths->tally->list[path->entry];
	uint32_t number;

	paths->count += entry->count;
	paths->period += entry->period;
	if (!paths->sums) {
		paths->list[paths->nr] = *path;
		return paths->nr++;
	}
	number = find_path(builder, path);
	paths->sums[number].count += entry->count;
	paths->sums[number].period += entry->period;
	return number;
}

static void add_entry(struct builder *builder, uint32_t entry_id)
{
	struct paths *paths = builder->paths;
	const struct tally_entry *entry = &paths->tally->list[entry_id];
	struct path path = {
		.root = builder->root_of[entry->key.root],
		.entry = entry_id,
	};
	unsigned char flags;

	if (is_idle(builder, entry)) {
		paths->left_out[PATH_IDLE] += entry->count;
		return;
	}
	flags = fill(builder, entry, &path);
	if (flags & FRAME_IGNORE || (builder->filter->focus_nr && !(flags & FRAME_FOCUS))) {
		paths->left_out[flags & FRAME_IGNORE ? PATH_IGNORE : PATH_FOCUS] += entry->count;
		return;
	}
	if (entry->key.leaf == LOCATION_NONE)
		paths->without_chain += entry->count;
	if (path.root == FUNCTION_NONE && path.leaf == builder->empty &&
	    !stacks_depth(paths->callers, path.callers))
		path.leaf = builder->no_stack;
	entry_id = add_path(builder, &path);
	if (paths->of_entry)
		paths->of_entry[path.entry] = entry_id;
}

static void prepare_places(struct builder *builder)
{
	struct paths *paths = builder->paths;
	uint32_t nr = paths->naming->capture->locations.nr;
	uint32_t no_stack = naming_no_stack(paths->naming);

	builder->places = mem_alloc(nr * sizeof(*builder->places));
	memset(builder->places, 0xff, nr * sizeof(*builder->places));
	if (walked_has_lacking(paths->naming->capture))
		builder->lacking = mem_zalloc(paths->naming->capture->stacks.nr, 1);
	builder->empty = stacks_add(&paths->leaves, NULL, 0);
	builder->no_stack = stacks_add(&paths->leaves, &no_stack, 1);
}

/* Chains and paths lie all over memory; while one entry is looked at, what is next is fetched. */
#define AHEAD 8

/* The first path of the callers of this entry, as far as that is known; PATH_NONE for none. */
static uint32_t expected(const struct builder *builder, uint32_t entry)
{
	uint32_t callers = builder->paths->tally->list[entry].key.callers;

	if (builder->chains)
		callers = builder->chains[callers].shortened;
	return callers < builder->of_callers_nr ? builder->of_callers[callers] : PATH_NONE;
}

/* The callers' chain, then the first path of it, then the one behind that. */
static void prefetch(const struct builder *builder, uint32_t entry)
{
	const struct tally *tally = builder->paths->tally;
	uint32_t path;

	if (entry + 2 * AHEAD >= tally->nr)
		return;
	if (builder->chains)
		__builtin_prefetch(&builder->chains[tally->list[entry + 2 * AHEAD].key.callers]);
	path = expected(builder, entry + AHEAD);
	if (path != PATH_NONE)
		__builtin_prefetch(&builder->merged[path]);
	path = expected(builder, entry + AHEAD / 2);
	if (path != PATH_NONE)
		path = builder->merged[path].next;
	if (path != PATH_NONE)
		__builtin_prefetch(&builder->merged[path]);
}

void paths_build(struct paths *paths, const struct tally *tally, struct naming *naming,
		 uint32_t event, const struct path_filter *filter)
{
	struct builder builder = {.paths = paths, .filter = filter};

	*paths = (struct paths){.naming = naming, .tally = tally};
	find_roots(&builder);
	prepare_places(&builder);
	find_flags(&builder);
	prepare_paths(&builder);
	prepare_chains(&builder);
	for (uint32_t i = 0; i < tally->nr; i++) {
		prefetch(&builder, i);
		if (tally->list[i].key.event == event)
			add_entry(&builder, i);
	}
	free(builder.flags);
	free(builder.root_of);
	free(builder.chains);
	free(builder.places);
	stacks_release(&builder.kinds);
	free(builder.merged);
	free(builder.lacking);
	free(builder.of_callers);
	free(builder.ids);
}

void paths_release(struct paths *paths)
{
	stacks_release(&paths->shortened);
	stacks_release(&paths->leaves);
	free(paths->of_entry);
	free(paths->list);
	free(paths->sums);
	*paths = (struct paths){0};
}

void paths_move(struct paths *from, struct paths *to)
{
	bool is_own = from->callers == &from->shortened;

	*to = *from;
	if (is_own)
		to->callers = &to->shortened;
	*from = (struct paths){0};
}

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
