/* calltree_radix.c - paths that come in no order as a radix tree of their names */
#include "analysis/calltree_radix.h"

#include "analysis/calltree_paths.h"
#include "base/mem.h"
#include "model/capture.h"

/*
 * A chain of 17 places has 46 functions where much is inlined, and to compare so many for each of
 * the paths is most of what putting them in order takes. But places are the same functions
 * wherever they are: so where a chain leads is looked up by its locations, the longest beginning
 * that is known first, and only behind it a place's functions are gone through one by one.
 */
struct beginning {
	size_t offset; /* of its locations among the ids of all stacks */
	uint32_t nr;
	uint32_t root; /* of the path */
	uint32_t node;
};

/* Where a whole chain leads, below the root that was asked for last. */
struct chain {
	uint32_t root; /* NOT_YET: no function */
	uint32_t node;
};

#define NOT_YET (UINT32_MAX - 1)

struct maker {
	struct calltree_radix *radix;
	const struct calltree_paths *paths;
	const struct paths *source;
	uint32_t *node_of;    /* per path: where its chain leads */
	struct chain *chains; /* per stack */
	struct beginning *list;
	uint32_t nr;
	size_t alloc;
	struct map map;	  /* of beginnings */
	uint64_t *hashes; /* of the beginnings of the chain at hand, the empty one first */
	size_t hashes_alloc;
};

/* The upper half of it is what is used: what ids differ in goes up, and never down. */
static inline uint64_t mix(uint64_t hash, uint32_t id)
{
	return (hash + id) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- nodes */

struct key {
	const struct calltree_radix *radix;
	uint32_t parent, name;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct calltree_radix_node *node = &key->radix->nodes[id];

	return node->parent == key->parent && node->name == key->name;
}

static inline uint32_t child_hash(uint32_t parent, uint32_t name)
{
	return (uint32_t)(mix((uint64_t)parent << 32, name) >> 32);
}

/* The slot of a node's child that begins with the function's name; its id may be MAP_NONE. */
static struct map_slot *find_child(struct calltree_radix *radix, uint32_t parent, uint32_t name,
				   uint32_t *ret_hash)
{
	*ret_hash = child_hash(parent, name);
	return map_find(&radix->map, *ret_hash, is_same, &(struct key){radix, parent, name});
}

static uint32_t add_node(struct calltree_radix *radix, uint32_t parent, const uint32_t *functions,
			 uint32_t nr)
{
	GROW(radix->nodes, (size_t)radix->nr + 1, radix->alloc);
	radix->nodes[radix->nr] = (struct calltree_radix_node){
		.parent = parent,
		.name = nr ? radix->paths->first_of[*functions] : FUNCTION_NONE,
		.functions = functions,
		.nr = nr,
		.child = CALLTREE_RADIX_NONE,
		.sibling = CALLTREE_RADIX_NONE,
		.path = CALLTREE_RADIX_NONE,
	};
	return radix->nr++;
}

/* So many names of the node these functions begin with. Notes where they are others. */
static uint32_t match(struct calltree_radix *radix, uint32_t id, const uint32_t *functions,
		      uint32_t nr)
{
	struct calltree_radix_node *node = &radix->nodes[id];
	const uint32_t *first_of = radix->paths->first_of;
	uint32_t i = 0;

	if (nr > node->nr)
		nr = node->nr;
	if (functions == node->functions) /* of the same place */
		return nr;
	for (; i < nr && first_of[functions[i]] == first_of[node->functions[i]]; i++)
		node->is_mixed |= functions[i] != node->functions[i];
	return i;
}

/* A node of its first names, above it. The node itself goes on to lead where it did. */
static uint32_t part(struct calltree_radix *radix, uint32_t id, uint32_t nr)
{
	struct calltree_radix_node node = radix->nodes[id];
	uint32_t above = add_node(radix, node.parent, node.functions, nr), hash;
	struct map_slot *slot = find_child(radix, node.parent, node.name, &hash);

	slot->id = above;
	radix->nodes[above].is_mixed = node.is_mixed;
	node.parent = above;
	node.functions += nr;
	node.nr -= nr;
	node.name = radix->paths->first_of[*node.functions];
	radix->nodes[id] = node;
	map_grow(&radix->map);
	slot = find_child(radix, above, node.name, &hash);
	map_fill(&radix->map, slot, hash, id);
	return above;
}

/* Goes on by as many of the functions as there are whole nodes of. Returns how many that are. */
static uint32_t go_along(struct calltree_radix *radix, uint32_t *node, const uint32_t *functions,
			 uint32_t nr)
{
	uint32_t at = 0, hash;

	while (at < nr) {
		uint32_t name = radix->paths->first_of[functions[at]], both;
		uint32_t child = find_child(radix, *node, name, &hash)->id;

		if (child == MAP_NONE)
			break;
		both = match(radix, child, functions + at, nr - at);
		if (both < radix->nodes[child].nr)
			break;
		at += both;
		*node = child;
	}
	return at;
}

/* Goes on by all of them; a node that they lead into is parted there. */
static uint32_t go_on(struct calltree_radix *radix, uint32_t node, const uint32_t *functions,
		      uint32_t nr)
{
	uint32_t at = 0, hash;

	while (at < nr) {
		struct map_slot *slot;
		uint32_t both;

		map_grow(&radix->map);
		slot = find_child(radix, node, radix->paths->first_of[functions[at]], &hash);
		if (slot->id == MAP_NONE) {
			map_fill(&radix->map, slot, hash, radix->nr);
			return add_node(radix, node, functions + at, nr - at);
		}
		node = slot->id;
		both = match(radix, node, functions + at, nr - at);
		if (both < radix->nodes[node].nr)
			node = part(radix, node, both);
		at += both;
	}
	return node;
}

/* ---- chains */

struct beginning_key {
	const struct maker *maker;
	const uint32_t *locations;
	uint32_t nr, root;
};

static bool is_same_beginning(const void *key_of, uint32_t id)
{
	const struct beginning_key *key = key_of;
	const struct beginning *known = &key->maker->list[id];

	return known->nr == key->nr && known->root == key->root &&
	       memcmp(key->maker->source->callers->ids + known->offset, key->locations,
		      key->nr * sizeof(*key->locations)) == 0;
}

static inline uint32_t slot_hash(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

static struct map_slot *find_beginning(const struct maker *maker, const struct path *path,
				       uint32_t nr)
{
	const struct beginning_key key = {
		.maker = maker,
		.locations = stacks_ids(maker->source->callers, path->callers),
		.nr = nr,
		.root = path->root,
	};

	return map_find(&maker->map, slot_hash(maker->hashes[nr]), is_same_beginning, &key);
}

static void hash_beginnings(struct maker *maker, const struct path *path)
{
	const uint32_t *locations = stacks_ids(maker->source->callers, path->callers);
	uint32_t nr = stacks_depth(maker->source->callers, path->callers);
	uint64_t hash = path->root;

	GROW(maker->hashes, (size_t)nr + 1, maker->hashes_alloc);
	for (uint32_t i = 0; i < nr; i++) {
		maker->hashes[i] = hash;
		hash = mix(hash, locations[i]);
	}
	maker->hashes[nr] = hash;
}

static void keep_beginning(struct maker *maker, const struct path *path, uint32_t nr, uint32_t node)
{
	size_t offset = maker->source->callers->list[path->callers].offset;
	struct map_slot *slot;

	map_grow(&maker->map);
	slot = find_beginning(maker, path, nr);
	map_fill(&maker->map, slot, slot_hash(maker->hashes[nr]), maker->nr);
	GROW(maker->list, (size_t)maker->nr + 1, maker->alloc);
	maker->list[maker->nr++] = (struct beginning){offset, nr, path->root, node};
}

/* Where the longest beginning that is known leads; *ret_nr is how long it is. */
static uint32_t longest_known(struct maker *maker, const struct path *path, uint32_t *ret_nr)
{
	uint32_t nr = stacks_depth(maker->source->callers, path->callers);

	for (; nr; nr--) {
		uint32_t id = find_beginning(maker, path, nr)->id;

		if (id == MAP_NONE)
			continue;
		*ret_nr = nr;
		return maker->list[id].node;
	}
	*ret_nr = 0;
	return path->root == FUNCTION_NONE ? 0 : go_on(maker->radix, 0, &path->root, 1);
}

static uint32_t chain_node(struct maker *maker, const struct path *path)
{
	const struct paths *source = maker->source;
	const uint32_t *locations = stacks_ids(source->callers, path->callers);
	uint32_t nr = stacks_depth(source->callers, path->callers), at, node;

	hash_beginnings(maker, path);
	node = longest_known(maker, path, &at);
	while (at < nr) {
		uint32_t place = source->place_of[locations[at++]];

		node = go_on(maker->radix, node, stacks_ids(&source->leaves, place),
			     stacks_depth(&source->leaves, place));
		keep_beginning(maker, path, at, node);
	}
	return node;
}

/* Many paths have the same chain and root. */
static uint32_t node_of(struct maker *maker, const struct path *path)
{
	struct chain *chain = &maker->chains[path->callers];

	if (chain->root != path->root)
		*chain = (struct chain){path->root, chain_node(maker, path)};
	return chain->node;
}

/* Tables are larger than caches: what a path needs of them is fetched so many paths before. */
#define AHEAD 8

/* A chain that is looked up soon: hashes of all of it, and of all but its last location. */
struct soon {
	uint32_t hashes[2];
	bool is_known; /* it need not be looked up */
};

static struct map_slot *slot_of(const struct map *map, uint32_t hash)
{
	return &map->slots[hash & map->mask];
}

static void fetch_slots(const struct maker *maker, const struct path *path, struct soon *ret)
{
	const uint32_t *locations = stacks_ids(maker->source->callers, path->callers);
	uint32_t nr = stacks_depth(maker->source->callers, path->callers);
	uint64_t hash = path->root, last = hash;

	ret->is_known = maker->chains[path->callers].root == path->root;
	if (ret->is_known)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		last = hash;
		hash = mix(hash, locations[i]);
	}
	ret->hashes[0] = slot_hash(hash);
	ret->hashes[1] = slot_hash(last);
	for (int i = 0; i < 2; i++)
		__builtin_prefetch(slot_of(&maker->map, ret->hashes[i]));
}

/* What the slots lead to, if they are of these hashes: that, or the locations that it begins with.
 */
static void fetch_beginning(const struct maker *maker, const struct soon *soon, bool is_again)
{
	for (int i = 0; i < 2 && !soon->is_known; i++) {
		const struct map_slot *slot = slot_of(&maker->map, soon->hashes[i]);

		if (slot->id == MAP_NONE || slot->hash != soon->hashes[i])
			continue;
		if (is_again)
			__builtin_prefetch(maker->source->callers->ids +
					   maker->list[slot->id].offset);
		else
			__builtin_prefetch(&maker->list[slot->id]);
		return;
	}
}

static void find_chains(struct maker *maker)
{
	const struct path *list = maker->source->list;
	uint32_t nr = maker->source->nr;
	struct soon soon[AHEAD] = {0};

	for (uint32_t i = 0; i < AHEAD; i++)
		soon[i].is_known = true;
	for (uint32_t i = 0; i < nr; i++) {
		if (i + AHEAD < nr)
			fetch_slots(maker, &list[i + AHEAD], &soon[i % AHEAD]);
		fetch_beginning(maker, &soon[(i + AHEAD / 2) % AHEAD], false);
		fetch_beginning(maker, &soon[(i + AHEAD / 4) % AHEAD], true);
		maker->node_of[i] = node_of(maker, &list[i]);
	}
}

/* ---- leaves */

/* The slot of a leaf; later the node that it leads to. */
static void fetch_leaf(const struct maker *maker, uint32_t path, bool is_again)
{
	const struct calltree_radix *radix = maker->radix;
	const struct stacks *leaves = &maker->source->leaves;
	uint32_t node = maker->node_of[path], leaf = maker->source->list[path].leaf, hash;
	const struct map_slot *slot;

	if (!stacks_depth(leaves, leaf))
		return;
	hash = child_hash(node, radix->paths->first_of[*stacks_ids(leaves, leaf)]);
	slot = slot_of(&radix->map, hash);
	if (!is_again)
		__builtin_prefetch(slot);
	else if (slot->id != MAP_NONE)
		__builtin_prefetch(&radix->nodes[slot->id]);
}

static void hang(const struct maker *maker, uint32_t path)
{
	struct calltree_radix *radix = maker->radix;
	const struct stacks *leaves = &maker->source->leaves;
	uint32_t node = maker->node_of[path], leaf = maker->source->list[path].leaf;
	const uint32_t *functions = stacks_ids(leaves, leaf);
	uint32_t nr = stacks_depth(leaves, leaf), taken = go_along(radix, &node, functions, nr);

	radix->hung[path] = (struct calltree_radix_path){
		.next = radix->nodes[node].path,
		.taken = taken,
		.name = taken < nr ? radix->paths->first_of[functions[taken]] : FUNCTION_NONE,
		.is_alone = taken + 1 == nr,
	};
	radix->nodes[node].path = path;
}

/* From the last one on, so that those of a node stand as they came. */
static void hang_paths(const struct maker *maker)
{
	for (uint32_t i = maker->source->nr; i--;) {
		if (i >= AHEAD) {
			__builtin_prefetch(&maker->radix->nodes[maker->node_of[i - AHEAD]].path);
			fetch_leaf(maker, i - AHEAD, false);
		}
		if (i >= AHEAD / 2)
			fetch_leaf(maker, i - AHEAD / 2, true);
		hang(maker, i);
	}
}

static void link_nodes(struct calltree_radix *radix)
{
	struct calltree_radix_node *nodes = radix->nodes;

	for (uint32_t i = 1; i < radix->nr; i++) {
		struct calltree_radix_node *parent = &nodes[nodes[i].parent];

		if (i + AHEAD < radix->nr)
			__builtin_prefetch(&nodes[nodes[i + AHEAD].parent].child);
		nodes[i].sibling = parent->child;
		parent->child = i;
	}
}

/* A chain is mostly one more beginning and one more node, or little more. */
static void expect(struct maker *maker, size_t chains_nr)
{
	size_t nr = chains_nr + chains_nr / 4;

	GROW(maker->radix->nodes, nr, maker->radix->alloc);
	GROW(maker->list, nr, maker->alloc);
	map_expect(&maker->radix->map, nr);
	map_expect(&maker->map, nr);
}

void calltree_radix_init(struct calltree_radix *radix, const struct calltree_paths *paths)
{
	const struct paths *source = paths->sides[0].paths;
	struct maker maker = {.radix = radix, .paths = paths, .source = source};
	uint32_t stacks_nr = source->callers->nr;

	*radix = (struct calltree_radix){
		.paths = paths,
		.hung = mem_alloc(source->nr * sizeof(*radix->hung)),
	};
	maker.node_of = mem_alloc(source->nr * sizeof(*maker.node_of));
	maker.chains = mem_alloc(stacks_nr * sizeof(*maker.chains));
	for (uint32_t i = 0; i < stacks_nr; i++)
		maker.chains[i].root = NOT_YET;
	expect(&maker, stacks_nr);
	add_node(radix, 0, NULL, 0);
	find_chains(&maker);
	free(maker.chains);
	free(maker.list);
	free(maker.hashes);
	map_release(&maker.map);
	hang_paths(&maker);
	free(maker.node_of);
	map_release(&radix->map);
	link_nodes(radix);
}

void calltree_radix_release(struct calltree_radix *radix)
{
	free(radix->nodes);
	free(radix->hung);
	map_release(&radix->map);
}
