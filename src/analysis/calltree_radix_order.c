/* calltree_radix_order.c - the paths of a radix tree in the order of their names */
#include "analysis/calltree_places.h"
#include "analysis/calltree_radix.h"
#include "analysis/calltree_sort.h"
#include "base/mem.h"

/* How many functions are the same is not known yet. */
#define UNKNOWN UINT32_MAX

/* What is to be walked yet: a node, or a path that ends in one or with its leaf behind it. */
struct item {
	uint32_t rank;		/* see rank_of() */
	uint32_t name;		/* the first behind the node that it hangs on, FUNCTION_NONE */
	uint32_t id;		/* of a node or a path */
	uint32_t depth;		/* functions down to the node that it hangs on */
	bool is_path, is_mixed; /* is_mixed: that node is, or one above it */
	uint32_t names, own;	/* that it has behind that node, as the item before it there */
};

struct walker {
	const struct calltree_radix *radix;
	const struct calltree_paths *paths;
	const struct paths *source;
	struct calltree_order *order;
	uint32_t nr;	    /* paths that have their place */
	struct item *items; /* the next one last */
	size_t items_nr, items_alloc;
};

/*
 * In the order of the first name behind the node that an item hangs on: 0 without any, odd where
 * there is no other behind that one, which stands before all that go on.
 */
static uint32_t rank_of(const struct walker *walker, uint32_t name, bool is_alone)
{
	return name == FUNCTION_NONE ? 0 : 2 * (walker->paths->rank_of[name] + 1) - is_alone;
}

/* The functions of a path behind the node that it hangs on. */
static const uint32_t *rest_of(const struct walker *walker, uint32_t path, uint32_t *ret_nr)
{
	const struct stacks *leaves = &walker->source->leaves;
	uint32_t leaf = walker->source->list[path].leaf, taken = walker->radix->hung[path].taken;

	*ret_nr = stacks_depth(leaves, leaf) - taken;
	return stacks_ids(leaves, leaf) + taken;
}

/* The functions of an item behind the node that it hangs on. */
static const uint32_t *functions_of(const struct walker *walker, const struct item *item,
				    uint32_t *ret_nr)
{
	const struct calltree_radix_node *node = &walker->radix->nodes[item->id];

	if (item->is_path)
		return rest_of(walker, item->id, ret_nr);
	*ret_nr = node->nr;
	return node->functions;
}

/* So many names of them two items of one node have in common; *ret_own: functions. */
static uint32_t shared(const struct walker *walker, const struct item *a, const struct item *b,
		       uint32_t *ret_own)
{
	const uint32_t *ranks = walker->paths->rank_of;
	uint32_t a_nr, b_nr, i = 0, own = 0;
	const uint32_t *x = functions_of(walker, a, &a_nr), *y = functions_of(walker, b, &b_nr);

	for (; i < a_nr && i < b_nr && ranks[x[i]] == ranks[y[i]]; i++)
		own += own == i && x[i] == y[i];
	*ret_own = own;
	return i;
}

/* Items that go on by the same name: a node is one of them at most, and no path goes all along it.
 */
static int compare_further(const struct walker *walker, const struct item *a, const struct item *b)
{
	const uint32_t *ranks = walker->paths->rank_of;
	uint32_t a_nr, b_nr, own, at = shared(walker, a, b, &own);
	const uint32_t *x = functions_of(walker, a, &a_nr), *y = functions_of(walker, b, &b_nr);

	if (at < a_nr && at < b_nr)
		return ranks[x[at]] < ranks[y[at]] ? -1 : 1;
	if (a_nr != b_nr)
		return a_nr < b_nr ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The last one first. */
static int compare(const void *a, const void *b, void *walker_of)
{
	const struct item *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	if (x->rank && x->rank % 2 == 0)
		return -compare_further(walker_of, x, y);
	return x->id < y->id ? 1 : x->id > y->id ? -1 : 0;
}

static void add(struct walker *walker, struct item item)
{
	GROW(walker->items, walker->items_nr + 1, walker->items_alloc);
	walker->items[walker->items_nr++] = item;
}

static void add_paths(struct walker *walker, const struct calltree_radix_node *node,
		      struct item item)
{
	const struct calltree_radix_path *hung = walker->radix->hung;

	item.is_path = true;
	for (uint32_t i = node->path; i != CALLTREE_RADIX_NONE; i = hung[i].next) {
		item.id = i;
		item.name = hung[i].name;
		item.rank = rank_of(walker, item.name, hung[i].is_alone);
		add(walker, item);
	}
}

/* A node that is opened soon, and its first path. */
static void fetch(const struct calltree_radix *radix, const struct calltree_radix_node *node)
{
	if (node->child != CALLTREE_RADIX_NONE)
		__builtin_prefetch(&radix->nodes[node->child]);
	if (node->path != CALLTREE_RADIX_NONE)
		__builtin_prefetch(&radix->hung[node->path]);
}

static void add_children(struct walker *walker, const struct calltree_radix_node *node,
			 struct item item)
{
	const struct calltree_radix_node *nodes = walker->radix->nodes;

	item.is_path = false;
	for (uint32_t i = node->child; i != CALLTREE_RADIX_NONE; i = nodes[i].sibling) {
		fetch(walker->radix, &nodes[i]);
		item.id = i;
		item.name = nodes[i].name;
		item.rank = rank_of(walker, item.name, false);
		add(walker, item);
	}
}

/* For so few a simple sort is the fastest. */
#define FEW 12

static void insert(struct walker *walker, struct item *items, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct item item = items[i];
		size_t at = i;

		for (; at && compare(&items[at - 1], &item, walker) > 0; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static bool is_mixed(const struct walker *walker, const struct item *item)
{
	return !item->is_path && walker->radix->nodes[item->id].is_mixed;
}

/* Mostly that is a function that one of them ends in, and there is but one of its name. */
static void set_shared(const struct walker *walker, const struct item *before, struct item *item)
{
	item->names = item->own = 1;
	if ((item->rank | before->rank) % 2 && !walker->paths->has_namesake[item->name])
		return;
	item->names = shared(walker, before, item, &item->own);
	if (is_mixed(walker, before) || is_mixed(walker, item))
		item->own = UNKNOWN;
}

/* Of sorted items what they have in common with those before them, which stand behind them. */
static void find_shared(const struct walker *walker, size_t begin)
{
	struct item *items = walker->items;

	for (size_t i = begin; i + 1 < walker->items_nr; i++)
		if (items[i].name == items[i + 1].name && items[i].rank)
			set_shared(walker, &items[i + 1], &items[i]);
}

/* What hangs on a node takes the node's place. */
static void open_node(struct walker *walker, const struct item *of)
{
	const struct calltree_radix_node *node = &walker->radix->nodes[of->id];
	struct item item = {
		.depth = of->depth + node->nr,
		.is_mixed = of->is_mixed || node->is_mixed,
	};
	size_t begin = walker->items_nr, nr;

	add_paths(walker, node, item);
	add_children(walker, node, item);
	nr = walker->items_nr - begin;
	if (nr <= FEW)
		insert(walker, walker->items + begin, nr);
	else
		qsort_r(walker->items + begin, nr, sizeof(*walker->items), compare, walker);
	find_shared(walker, begin);
}

/* The next path parts from the last one where the item hangs on, or a little behind. */
static void part(const struct walker *walker, const struct item *item)
{
	bool is_known = !item->is_mixed && item->own != UNKNOWN;

	walker->order->shared[walker->nr] = item->depth + item->names;
	walker->order->own[walker->nr] = is_known ? item->depth + item->own : UNKNOWN;
}

static uint32_t find_own(const struct walker *walker, uint32_t a, uint32_t b, uint32_t shared_nr)
{
	struct calltree_path x = calltree_places_path(walker->paths, a);
	struct calltree_path y = calltree_places_path(walker->paths, b);
	uint32_t own = calltree_places_shared(&x, &y);

	return own < shared_nr ? own : shared_nr;
}

static void say(struct walker *walker, uint32_t last, uint32_t path)
{
	struct calltree_order *order = walker->order;
	uint32_t *own = &order->own[walker->nr];

	if (*own == UNKNOWN)
		*own = find_own(walker, last, path, order->shared[walker->nr]);
	order->paths[walker->nr++] = path;
}

void calltree_radix_order(const struct calltree_radix *radix, struct calltree_order *order)
{
	struct walker walker = {
		.radix = radix,
		.paths = radix->paths,
		.source = radix->paths->sides[0].paths,
		.order = order,
	};
	uint32_t last = 0;	/* path */
	bool is_parted = false; /* from the last path */

	if (radix->paths->nr)
		order->shared[0] = order->own[0] = 0;
	add(&walker, (struct item){0});
	while (walker.items_nr) {
		struct item item = walker.items[--walker.items_nr];

		if (walker.nr && !is_parted)
			part(&walker, &item);
		is_parted = true;
		if (!item.is_path) {
			open_node(&walker, &item);
			continue;
		}
		say(&walker, last, item.id);
		last = item.id;
		is_parted = false;
	}
	free(walker.items);
}
