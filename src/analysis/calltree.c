/* calltree.c - paths folded into a tree of calls, opened only as far as it is shown */
#include "analysis/calltree.h"

#include "analysis/calltree_items.h"
#include "analysis/calltree_namesakes.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "model/capture.h"

/*
 * A node whose children are not all said yet. This and nodes are set member by member, or as a
 * whole: to clear them before takes as long as all that is said of a node.
 */
struct open {
	struct calltree_range rest; /* of its paths those that are still to be said; where children
				       are sorted by weight: of builder->children */
	uint32_t depth;
	weight before; /* of the children that were said */
	uint32_t more; /* children that are not shown; without any, what follows is not set */
	weight more_value, more_count;
	struct calltree_after more_after;
};

/* A child of a node whose children are sorted. */
struct child {
	struct calltree_range range;
	uint32_t rank; /* of its name */
};

/*
 * Paths stand in another order than sorted children are said in, so that what is known of one lies
 * anywhere: while a child is said, the next one's is fetched.
 */
static void fetch(const struct calltree_items *items, struct calltree_range range)
{
	const struct calltree_sums *sums = &items->sums[0];

	__builtin_prefetch(&items->item_of[range.begin]);
	if (items->befores_nr) /* sums go by other numbers */
		return;
	__builtin_prefetch(&sums->values[range.begin]);
	__builtin_prefetch(&sums->values[range.end]);
	__builtin_prefetch(&sums->counts[range.begin]);
	__builtin_prefetch(&sums->counts[range.end]);
}

/* What a node weighs. */
struct weighed {
	struct calltree_range range; /* its paths */
	struct calltree_range side;  /* of them those of the before side */
	weight value;
	struct calltree_after after; /* where there are two sides */
};

/*
 * Paths stand in the order of the tree. So the paths of a node follow each other, those that end
 * in it first, and its children are found in passing: a node costs no more than a look at where
 * the next one begins.
 */
struct builder {
	const struct naming *naming;
	const struct calltree_options *options;
	struct calltree_visitor *visitor;
	struct calltree_items items;
	struct calltree_namesakes namesakes;
	bool is_joint, shows_all;
	bool sorts_children; /* they do not stand in the order in which they are to be said */
	double least_width;  /* of two sides: options->least */
	bool *is_doubted;    /* per function, see trust_grade() */
	struct open *opens;
	size_t opens_nr, opens_alloc;
	struct child *children; /* where they are sorted: of all nodes that are open */
	size_t children_nr, children_alloc;
};

static void weigh(const struct builder *builder, struct calltree_range range, struct weighed *ret)
{
	const struct calltree_items *items = &builder->items;

	ret->range = range;
	ret->side = calltree_side_of(items, range, false);
	ret->value = calltree_weight_in(items->sums[0].values, ret->side);
	ret->after = (struct calltree_after){0};
	if (!builder->is_joint)
		return;
	ret->after = (struct calltree_after){
		.value = calltree_weight_in(items->sums[1].values,
					    calltree_side_of(items, range, true)),
	};
	ret->after.width = calltree_width(builder->options, ret->value, ret->after.value);
}

/* The paths of the child that begins with the first of these. */
static struct calltree_range first_child(const struct builder *builder, struct calltree_range rest,
					 uint32_t depth)
{
	const struct calltree_item *item_of = builder->items.item_of;
	uint32_t end = rest.begin + 1;

	while (end < rest.end && item_of[end].shared > depth)
		end = item_of[end].own > depth ? item_of[end].next : end + 1;
	return (struct calltree_range){rest.begin, end < rest.end ? end : rest.end};
}

/* ---- the order of siblings */

static uint32_t rank_of(const struct builder *builder, uint32_t path, uint32_t depth)
{
	return builder->items.paths.rank_of[calltree_function_at(&builder->items, path, depth)];
}

static int compare_names(const void *a, const void *b, void *builder_of)
{
	const struct child *x = a, *y = b;

	(void)builder_of;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int compare_values(const void *a, const void *b, void *builder_of)
{
	const struct builder *builder = builder_of;
	const struct child *i = a, *k = b;
	struct weighed x, y;

	weigh(builder, i->range, &x);
	weigh(builder, k->range, &y);
	if (builder->is_joint && x.after.width != y.after.width)
		return x.after.width > y.after.width ? -1 : 1;
	if (x.value != y.value)
		return x.value > y.value ? -1 : 1;
	return compare_names(a, b, builder_of);
}

/*
 * Most nodes have few children, and for so few a sort is a call too many. A child's place is the
 * number of those before it, which takes no branch: branches on ranks are guessed wrongly.
 */
#define FEW 12

static void sort_few(struct child *children, uint32_t nr)
{
	struct child sorted[FEW];

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t rank = children[i].rank, at = 0;

		for (uint32_t k = 0; k < i; k++)
			at += children[k].rank <= rank;
		for (uint32_t k = i + 1; k < nr; k++)
			at += children[k].rank < rank;
		sorted[at] = children[i];
	}
	memcpy(children, sorted, nr * sizeof(*children));
}

static void sort_children(struct builder *builder, struct open *open)
{
	struct calltree_range rest = open->rest;
	uint32_t nr = 0;

	open->rest.begin = (uint32_t)builder->children_nr;
	for (; rest.begin < rest.end; nr++) {
		struct calltree_range range = first_child(builder, rest, open->depth);

		GROW(builder->children, builder->children_nr + 1, builder->children_alloc);
		builder->children[builder->children_nr++] =
			(struct child){range, rank_of(builder, range.begin, open->depth)};
		rest.begin = range.end;
	}
	open->rest.end = (uint32_t)builder->children_nr;
	if (nr <= FEW && !builder->options->is_heaviest_first) {
		if (nr > 1)
			sort_few(builder->children + open->rest.begin, nr);
	} else {
		qsort_r(builder->children + open->rest.begin, nr, sizeof(*builder->children),
			builder->options->is_heaviest_first ? compare_values : compare_names,
			builder);
	}
}

static struct calltree_range next_child(struct builder *builder, struct open *open)
{
	struct calltree_range child;

	if (builder->sorts_children) {
		const struct child *sorted = &builder->children[open->rest.begin++];

		if (open->rest.begin < open->rest.end)
			fetch(&builder->items, sorted[1].range);
		return sorted->range;
	}
	child = first_child(builder, open->rest, open->depth);
	open->rest.begin = child.end;
	return child;
}

/* ---- nodes */

/* A name that is not shown to be right, and stands alone. */
static uint32_t doubted(const struct builder *builder, uint32_t function)
{
	return builder->is_doubted[function] ? function : FUNCTION_NONE;
}

/* What ends in a node: all of it in most nodes that something ends in. */
static void add_self(const struct builder *builder, uint32_t end, struct calltree_node *node,
		     struct weighed *weighed)
{
	const struct calltree_items *items = &builder->items;
	const struct calltree_sums *sums = &items->sums[0];
	struct calltree_range range = {weighed->range.begin, end}, side = weighed->side;

	if (end == weighed->range.end) {
		node->self = node->value;
		node->self_count = node->count;
		weighed->after.self = weighed->after.value;
	} else {
		side = calltree_side_of(items, range, false);
		node->self = calltree_weight_in(sums->values, side);
		node->self_count = calltree_weight_in(sums->counts, side);
		if (builder->is_joint)
			weighed->after.self = calltree_weight_in(
				items->sums[1].values, calltree_side_of(items, range, true));
	}
	if (sums->lacking)
		node->lacks_caller = calltree_weight_in(sums->lacking, side);
}

static void say(struct builder *builder, const struct calltree_node *node,
		const struct calltree_after *after)
{
	builder->visitor->after = builder->is_joint ? after : NULL;
	builder->visitor->node(builder->visitor, node);
}

/* Says a node whose paths part, with what ends in it. Its children are said later. */
static void open_node(struct builder *builder, struct calltree_node *node, struct weighed *weighed)
{
	const struct calltree_item *item_of = builder->items.item_of;
	uint32_t end = weighed->range.begin;
	struct open *open;

	while (end < weighed->range.end && item_of[end].depth == node->depth)
		end++;
	if (end > weighed->range.begin)
		add_self(builder, end, node, weighed);
	say(builder, node, &weighed->after);
	if (end == weighed->range.end)
		return;
	GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
	open = &builder->opens[builder->opens_nr++];
	open->rest = (struct calltree_range){end, weighed->range.end};
	open->depth = node->depth;
	open->more = 0;
	open->before = 0;
	if (builder->sorts_children)
		sort_children(builder, open);
}

/*
 * How deep the paths of a node go on together: most nodes of most trees have a single path, and
 * need not be opened one by one.
 */
static uint32_t depth_shared(const struct builder *builder, struct calltree_range range,
			     uint32_t depth)
{
	const struct calltree_item *item_of = builder->items.item_of;
	uint32_t shared = depth;

	if (builder->options->deepest)
		return depth;
	if (range.begin + 1 == range.end)
		return item_of[range.begin].depth;
	for (uint32_t at = range.begin + 1; at < range.end; at = item_of[at].next) {
		shared = item_of[at].own;
		if (shared <= depth)
			return depth;
	}
	return shared;
}

/*
 * Says the nodes below one as far as its paths go on together, and the first of them with it.
 * Where they part, `node` becomes the node that is still to be opened; false where they end.
 */
static bool say_chain(struct builder *builder, struct calltree_node *node, struct weighed *weighed,
		      uint32_t depth)
{
	const struct calltree_item *item = &builder->items.item_of[weighed->range.begin];
	bool is_end = depth == item->depth && weighed->range.begin + 1 == weighed->range.end;
	struct calltree_chain chain;

	if (is_end)
		add_self(builder, weighed->range.end, node, weighed);
	chain = (struct calltree_chain){
		.node = node,
		.functions = builder->items.functions + item->start + node->depth,
		.nr = depth - node->depth - !is_end,
		.is_doubted = builder->is_doubted,
	};
	builder->visitor->after = builder->is_joint ? &weighed->after : NULL;
	calltree_chain_say(&chain, builder->visitor);
	if (is_end)
		return false;
	node->function = chain.functions[chain.nr];
	node->doubted = doubted(builder, node->function);
	node->depth = depth;
	node->before = 0;
	return true;
}

/* Says a node, and what is below it as far as that is one path. */
static void say_from(struct builder *builder, struct calltree_node *node, struct weighed *weighed)
{
	uint32_t shared = depth_shared(builder, weighed->range, node->depth);

	if (shared == node->depth || say_chain(builder, node, weighed, shared))
		open_node(builder, node, weighed);
}

static void say_child(struct builder *builder, struct weighed *weighed, uint32_t depth,
		      weight before)
{
	const struct calltree_items *items = &builder->items;
	uint32_t function = calltree_function_at(items, weighed->range.begin, depth);
	struct calltree_node node = {
		.function = function,
		.doubted = doubted(builder, function),
		.parent = 0,
		.depth = depth + 1,
		.more = 0,
		.value = weighed->value,
		.self = 0,
		.lacks_caller = 0,
		.before = before,
		.count = calltree_weight_in(items->sums[0].counts, weighed->side),
		.self_count = 0,
	};

	if (items->paths.has_namesake[function] && weighed->range.begin + 1 < weighed->range.end)
		calltree_namesakes_choose(&builder->namesakes, weighed->range, depth, &node);
	say_from(builder, &node, weighed);
}

static bool is_shown(const struct builder *builder, const struct weighed *weighed, uint32_t depth)
{
	const struct calltree_options *options = builder->options;

	if (builder->shows_all)
		return true;
	if (options->deepest && depth + 1 > options->deepest)
		return false;
	if (builder->is_joint)
		return weighed->after.width >= builder->least_width;
	return weighed->value >= options->least;
}

/* What is not shown, together. */
static void add_more(const struct builder *builder, struct open *open,
		     const struct weighed *weighed)
{
	if (!open->more++) {
		open->more_value = open->more_count = 0;
		open->more_after = (struct calltree_after){0};
	}
	open->more_value += weighed->value;
	open->more_count += calltree_weight_in(builder->items.sums[0].counts, weighed->side);
	if (!builder->is_joint)
		return;
	open->more_after.value += weighed->after.value;
	open->more_after.width += weighed->after.width;
}

static void say_more(struct builder *builder, const struct open *open)
{
	const struct calltree_node more = {
		.function = FUNCTION_NONE,
		.doubted = FUNCTION_NONE,
		.depth = open->depth + 1,
		.more = open->more,
		.value = open->more_value,
		.count = open->more_count,
		.before = open->before,
	};

	say(builder, &more, &open->more_after);
}

static void close_node(struct builder *builder)
{
	const struct open *open = &builder->opens[--builder->opens_nr];

	if (open->more)
		say_more(builder, open);
	if (!builder->sorts_children)
		return;
	builder->children_nr =
		builder->opens_nr ? builder->opens[builder->opens_nr - 1].rest.end : 0;
}

/* The next child of the node that was opened last, or what is not shown of it. */
static void go_on(struct builder *builder)
{
	struct open *open = &builder->opens[builder->opens_nr - 1];
	uint32_t depth = open->depth;
	struct weighed weighed;
	weight before;

	if (open->rest.begin == open->rest.end) {
		close_node(builder);
		return;
	}
	weigh(builder, next_child(builder, open), &weighed);
	if (!is_shown(builder, &weighed, depth)) {
		add_more(builder, open, &weighed);
		return;
	}
	before = open->before;
	open->before += weighed.value;
	say_child(builder, &weighed, depth, before);
}

static void say_root(struct builder *builder)
{
	struct calltree_node node = {.function = FUNCTION_NONE, .doubted = FUNCTION_NONE};
	struct weighed weighed;

	weigh(builder, (struct calltree_range){0, builder->items.nr}, &weighed);
	node.value = weighed.value;
	node.count = calltree_weight_in(builder->items.sums[0].counts, weighed.side);
	say_from(builder, &node, &weighed);
}

static void find_doubted(struct builder *builder)
{
	const struct naming *naming = builder->naming;

	builder->is_doubted = mem_alloc(naming->nr * sizeof(*builder->is_doubted));
	for (uint32_t i = 0; i < naming->nr; i++)
		builder->is_doubted[i] =
			trust_grade(naming->capture, &naming->list[i]) != TRUST_SHOWN;
}

static void walk(struct builder *builder, const struct calltree_source *sources, size_t nr)
{
	const struct calltree_options *options = builder->options;

	builder->shows_all = !options->deepest && !options->least;
	find_doubted(builder);
	calltree_items_init(&builder->items, builder->naming, sources, nr, options);
	builder->sorts_children = options->is_heaviest_first || !builder->items.is_by_name;
	calltree_namesakes_init(&builder->namesakes, &builder->items);
	say_root(builder);
	while (builder->opens_nr)
		go_on(builder);
	calltree_namesakes_release(&builder->namesakes);
	calltree_items_release(&builder->items);
	free(builder->is_doubted);
	free(builder->opens);
	free(builder->children);
}

void calltree_walk(const struct paths *paths, const struct calltree_options *options,
		   struct calltree_visitor *visitor)
{
	struct calltree_source source = {.paths = paths};
	struct builder builder = {.naming = paths->naming, .options = options, .visitor = visitor};

	walk(&builder, &source, 1);
}

void calltree_walk_joint(const struct naming *naming, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options,
			 struct calltree_visitor *visitor)
{
	struct builder builder = {.naming = naming,
				  .options = options,
				  .visitor = visitor,
				  .is_joint = true,
				  .least_width = weight_number(options->least)};

	walk(&builder, sources, nr);
}
