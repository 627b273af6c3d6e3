/* paths.c - weights per path of functions: what every picture and table is made of */
#include "analysis/paths.h"

#include "analysis/naming.h"
#include "analysis/path_filter.h"
#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

/* What a location stands for, found when first needed. */
struct place {
	uint32_t functions;  /* stack id in paths->leaves, STACK_NONE: not yet */
	uint32_t kind;	     /* the same for leaves that count alike: see find_place() */
	unsigned char flags; /* of all its functions */
	bool lacks_caller;
};

/* What is asked of a path when others are merged into it. */
struct merged {
	uint32_t callers, root, kind, lacks_caller;
};

_Static_assert(sizeof(struct merged) == 16, "padding in struct merged");

/* An entry of the tally on its way to its path. */
struct coming {
	struct path path;
	struct merged merged;
	uint32_t hash; /* of merged */
	bool is_left_out;
};

/* Paths lie all over memory: what an entry needs of them is fetched so many entries before. */
#define AHEAD 8

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
	struct map map;	       /* of merged */
	struct coming coming[AHEAD];
	uint32_t *ids; /* of a place */
	size_t ids_alloc;
	uint32_t *chain; /* while it is shortened */
	size_t chain_alloc;
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

static void find_roots(struct builder *builder)
{
	const struct tally *tally = builder->paths->tally;

	builder->root_of = mem_alloc(tally->roots_nr * sizeof(*builder->root_of));
	for (uint32_t i = 0; i < tally->roots_nr; i++)
		builder->root_of[i] = naming_root(builder->paths->naming, &tally->roots[i]);
}

/* What a call tree is made of them takes memory for each location; see calltree_radix.h. */
#define PLACES_IDS_MAX (8 << 20)

static void prepare_place_of(struct builder *builder)
{
	struct paths *paths = builder->paths;
	const struct capture *capture = paths->naming->capture;

	paths->callers = &capture->stacks;
	paths->place_of = mem_alloc(capture->locations.nr * sizeof(*paths->place_of));
	memset(paths->place_of, 0xff, capture->locations.nr * sizeof(*paths->place_of));
	paths->depth_of = mem_alloc(capture->stacks.nr * sizeof(*paths->depth_of));
	memset(paths->depth_of, 0xff, capture->stacks.nr * sizeof(*paths->depth_of));
}

/* Chains are read as they are unless a frame of them may be left out or looked for. */
static void prepare_chains(struct builder *builder)
{
	struct paths *paths = builder->paths;
	const struct capture *capture = paths->naming->capture;
	bool is_needed = path_filter_is_any(builder->filter) || paths->naming->has_chains;

	for (uint32_t i = 0; !is_needed && i < capture->locations.nr; i++)
		is_needed = paths->naming->of_location[i] == FUNCTION_NONE;
	if (!is_needed) {
		paths->callers = &capture->stacks;
		paths->function_of = paths->naming->of_location;
		return;
	}
	if (builder->filter->keeps_places && !path_filter_is_any(builder->filter) &&
	    capture->stacks.ids_nr <= PLACES_IDS_MAX) {
		prepare_place_of(builder);
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

/* The frames of one chain that are not left out, and the flags of all of them. */
static void shorten(struct builder *builder, uint32_t callers)
{
	const struct stacks *stacks = &builder->paths->naming->capture->stacks;
	const struct stacks *functions = &builder->paths->leaves;
	const uint32_t *locations = stacks_ids(stacks, callers);
	struct chain *chain = &builder->chains[callers];
	uint32_t at = 0;
	bool lacks_caller = false;

	chain->flags = 0;
	for (uint32_t i = 0; i < stacks_depth(stacks, callers); i++) {
		const struct place *place = find_place(builder, locations[i]);
		const uint32_t *ids = stacks_ids(functions, place->functions);
		uint32_t nr = stacks_depth(functions, place->functions);

		GROW(builder->chain, (size_t)at + nr, builder->chain_alloc);
		for (uint32_t j = 0; j < nr; j++)
			builder->chain[at++] = ids[j];
		chain->flags |= place->flags;
		lacks_caller |= place->lacks_caller;
	}
	if (builder->lacking) /* all of it was looked at, so it need not be again */
		builder->lacking[callers] = lacks_caller ? LACKING_YES : LACKING_NO;
	chain->shortened = stacks_add(&builder->paths->shortened, builder->chain, at);
}

#define DEPTH_NOT_YET UINT32_MAX

/* One chain that is kept as it is: what there is to know of it. */
static void measure(struct builder *builder, uint32_t callers)
{
	struct paths *paths = builder->paths;
	const uint32_t *locations = stacks_ids(paths->callers, callers);
	uint32_t nr = stacks_depth(paths->callers, callers), depth = 0;
	bool lacks_caller = false;

	if (paths->depth_of[callers] != DEPTH_NOT_YET)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		const struct place *place = find_place(builder, locations[i]);

		depth += stacks_depth(&paths->leaves, place->functions);
		lacks_caller |= place->lacks_caller;
		paths->place_of[locations[i]] = place->functions;
	}
	paths->depth_of[callers] = depth;
	if (builder->lacking)
		builder->lacking[callers] = lacks_caller ? LACKING_YES : LACKING_NO;
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
	} else if (builder->paths->depth_of) {
		measure(builder, path->callers);
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
	map_expect(&builder->map, paths->tally->capture->stacks.nr);
}

struct key {
	const struct builder *builder;
	const struct merged *merged;
};

static bool is_same(const void *key_of, uint32_t path)
{
	const struct key *key = key_of;

	return memcmp(&key->builder->merged[path], key->merged, sizeof(*key->merged)) == 0;
}

/*
 * The path to which this one's weight is added: of the same root and callers, with a leaf that
 * counts alike in all that is asked of a path's first entry.
 */
static uint32_t find_path(struct builder *builder, const struct coming *coming)
{
	struct paths *paths = builder->paths;
	struct map_slot *slot;

	map_grow(&builder->map);
	slot = map_find(&builder->map, coming->hash, is_same,
			&(struct key){builder, &coming->merged});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&builder->map, slot, coming->hash, paths->nr);
	paths->list[paths->nr] = coming->path;
	paths->sums[paths->nr] = (struct path_sum){0};
	builder->merged[paths->nr] = coming->merged;
	return paths->nr++;
}

/* The number of the path. */
static uint32_t add_path(struct builder *builder, const struct coming *coming)
{
	struct paths *paths = builder->paths;
	const struct tally_entry *entry = &paths->tally->list[coming->path.entry];
	uint32_t number;

	paths->count += entry->count;
	paths->period += entry->period;
	if (!paths->sums) {
		paths->list[paths->nr] = coming->path;
		return paths->nr++;
	}
	number = find_path(builder, coming);
	paths->sums[number].count += entry->count;
	paths->sums[number].period += entry->period;
	return number;
}

static uint32_t callers_depth(const struct paths *paths, uint32_t callers)
{
	return paths->depth_of ? paths->depth_of[callers] : stacks_depth(paths->callers, callers);
}

/* What the entry's path is; false where it is left out, which is counted. */
static bool make_path(struct builder *builder, uint32_t entry_id, struct path *ret)
{
	struct paths *paths = builder->paths;
	const struct tally_entry *entry = &paths->tally->list[entry_id];
	unsigned char flags;

	*ret = (struct path){
		.root = builder->root_of[entry->key.root],
		.entry = entry_id,
	};
	if (is_idle(builder, entry)) {
		paths->left_out[PATH_IDLE] += entry->count;
		return false;
	}
	flags = fill(builder, entry, ret);
	if (flags & FRAME_IGNORE || (builder->filter->focus_nr && !(flags & FRAME_FOCUS))) {
		paths->left_out[flags & FRAME_IGNORE ? PATH_IGNORE : PATH_FOCUS] += entry->count;
		return false;
	}
	if (entry->key.leaf == LOCATION_NONE)
		paths->without_chain += entry->count;
	if (ret->root == FUNCTION_NONE && ret->leaf == builder->empty &&
	    !callers_depth(paths, ret->callers))
		ret->leaf = builder->no_stack;
	return true;
}

/* ---- three steps for each entry, each with what the one before has fetched */

static void begin_entry(struct builder *builder, uint32_t entry, struct coming *ret)
{
	const struct tally *tally = builder->paths->tally;
	uint32_t leaf = tally->list[entry].key.leaf;
	const struct path *path = &ret->path;

	if (builder->chains && entry + AHEAD < tally->nr)
		__builtin_prefetch(&builder->chains[tally->list[entry + AHEAD].key.callers]);
	ret->is_left_out = !make_path(builder, entry, &ret->path);
	if (ret->is_left_out || !builder->merged)
		return;
	ret->merged = (struct merged){
		.callers = path->callers,
		.root = path->root,
		.kind = leaf == LOCATION_NONE ? KIND_NO_LEAF : builder->places[leaf].kind,
		.lacks_caller = path->lacks_caller,
	};
	ret->hash = map_hash(&ret->merged, sizeof(ret->merged));
	__builtin_prefetch(&builder->map.slots[ret->hash & builder->map.mask]);
}

static void fetch_path(const struct builder *builder, const struct coming *coming)
{
	uint32_t path;

	if (coming->is_left_out || !builder->merged)
		return;
	path = builder->map.slots[coming->hash & builder->map.mask].id;
	if (path == MAP_NONE)
		return;
	__builtin_prefetch(&builder->merged[path]);
	__builtin_prefetch(&builder->paths->sums[path]);
}

static void end_entry(struct builder *builder, const struct coming *coming)
{
	uint32_t path;

	if (coming->is_left_out)
		return;
	path = add_path(builder, coming);
	if (builder->paths->of_entry)
		builder->paths->of_entry[coming->path.entry] = path;
}

static void add_entries(struct builder *builder, uint32_t event)
{
	const struct tally *tally = builder->paths->tally;
	uint32_t begun = 0, fetched = 0, ended = 0; /* entries of the event */

	for (uint32_t i = 0; i < tally->nr; i++) {
		if (tally->list[i].key.event != event)
			continue;
		begin_entry(builder, i, &builder->coming[begun++ % AHEAD]);
		if (begun - fetched > AHEAD / 2)
			fetch_path(builder, &builder->coming[fetched++ % AHEAD]);
		if (begun - ended == AHEAD)
			end_entry(builder, &builder->coming[ended++ % AHEAD]);
	}
	while (ended < begun)
		end_entry(builder, &builder->coming[ended++ % AHEAD]);
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

void paths_build(struct paths *paths, const struct tally *tally, struct naming *naming,
		 uint32_t event, const struct path_filter *filter)
{
	struct builder builder = {.paths = paths, .filter = filter};

	*paths = (struct paths){.naming = naming, .tally = tally};
	find_roots(&builder);
	prepare_places(&builder);
	builder.flags = path_filter_flags(filter, naming);
	prepare_paths(&builder);
	prepare_chains(&builder);
	add_entries(&builder, event);
	free(builder.flags);
	free(builder.root_of);
	free(builder.chains);
	free(builder.places);
	stacks_release(&builder.kinds);
	free(builder.merged);
	free(builder.lacking);
	map_release(&builder.map);
	free(builder.ids);
	free(builder.chain);
}

void paths_release(struct paths *paths)
{
	stacks_release(&paths->shortened);
	stacks_release(&paths->leaves);
	free(paths->place_of);
	free(paths->depth_of);
	free(paths->of_entry);
	free(paths->list);
	free(paths->sums);
	*paths = (struct paths){0};
}

uint32_t paths_last(const struct paths *paths, uint32_t path)
{
	const struct path *at = &paths->list[path];
	uint32_t leaf_nr = stacks_depth(&paths->leaves, at->leaf);

	if (leaf_nr)
		return stacks_ids(&paths->leaves, at->leaf)[leaf_nr - 1];
	for (uint32_t i = stacks_depth(paths->callers, at->callers); i--;) {
		uint32_t id = stacks_ids(paths->callers, at->callers)[i], nr;

		if (!paths->place_of)
			return paths->function_of ? paths->function_of[id] : id;
		nr = stacks_depth(&paths->leaves, paths->place_of[id]);
		if (nr)
			return stacks_ids(&paths->leaves, paths->place_of[id])[nr - 1];
	}
	return at->root;
}

void paths_move(struct paths *from, struct paths *to)
{
	bool is_own = from->callers == &from->shortened;

	*to = *from;
	if (is_own)
		to->callers = &to->shortened;
	*from = (struct paths){0};
}
