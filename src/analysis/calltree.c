/* calltree.c - paths folded into a tree of calls, opened only as far as it is shown */
#include "analysis/calltree.h"

#include "analysis/calltree_items.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "model/capture.h"

#define CHILD_NONE UINT32_MAX

/* A child while its parent is being partitioned. */
struct child {
	uint32_t rank, function; /* of its name */
	uint32_t begin, runs_nr; /* its runs, once they are put together */
	uint32_t paths_nr;
	bool is_mixed; /* its paths have several functions of that name */
	weight value, count;
};

/* Paths that follow each other. */
struct run {
	uint32_t begin, nr;
};

/* A part of a run that goes into one child. */
struct piece {
	struct run run;
	uint32_t child;
};

/* A node whose children are still to be found; its runs are in a slice as long as its paths. */
struct open {
	struct calltree_node node;
	uint32_t begin, runs_nr;
};

/*
 * Paths of a profile come in their order, those of many a capture do nearly, so that a node's
 * paths are few runs: what neighbours share is compared once, and a run is weighed at one go.
 */
struct builder {
	const struct naming *naming;
	const struct calltree_options *options;
	struct calltree_visitor *visitor;
	struct calltree_items items;
	bool is_joint;
	struct run *runs;
	struct piece *pieces; /* of the node at hand */
	size_t pieces_nr, pieces_alloc;
	uint32_t *rank_of;	 /* per function: of its name */
	uint32_t *child_of_rank; /* CHILD_NONE but for the node at hand */
	bool *is_doubted;	 /* per function, see trust_grade() */
	weight *sum_of_function; /* all 0 but while one child is looked at */
	struct child *children;
	size_t children_nr, children_alloc;
	uint32_t *order; /* of children */
	size_t order_alloc;
	struct open *opens;
	size_t opens_nr, opens_alloc;

	/* Of two sides: the other one of each child, whose width is what it is sorted by; of opens.
	 */
	struct calltree_after *after_of_child, *after_of_open;
	size_t after_of_child_alloc, after_of_open_alloc;
};

/* Paths lie all over memory; while one is looked at, those further on are fetched. */
#define AHEAD 8

static void prefetch(const struct builder *builder, const struct open *open, uint32_t at,
		     uint32_t depth)
{
	const struct run *runs = builder->runs + at;
	uint32_t left = open->begin + open->runs_nr - at;

	if (left > 2 * AHEAD)
		__builtin_prefetch(&builder->items.item_of[runs[2 * AHEAD].begin]);
	if (left > AHEAD)
		__builtin_prefetch(builder->items.functions +
				   builder->items.item_of[runs[AHEAD].begin].start + depth);
}

static uint32_t child_of(struct builder *builder, uint32_t function)
{
	uint32_t rank = builder->rank_of[function], *index = &builder->child_of_rank[rank];

	if (*index == CHILD_NONE) {
		GROW(builder->children, builder->children_nr + 1, builder->children_alloc);
		*index = (uint32_t)builder->children_nr;
		builder->children[builder->children_nr++] =
			(struct child){.rank = rank, .function = function};
		if (builder->is_joint) {
			GROW(builder->after_of_child, builder->children_nr,
			     builder->after_of_child_alloc);
			builder->after_of_child[*index] = (struct calltree_after){0};
		}
	}
	return *index;
}

/* The paths that a run begins with and that have the same function at this depth. */
static struct run cut_run(const struct builder *builder, struct run *run, uint32_t depth)
{
	uint32_t end = run->begin + run->nr, at = run->begin + 1;
	struct run first = {.begin = run->begin};

	while (at < end && builder->items.item_of[at].shared > depth)
		at = builder->items.item_of[at].next;
	if (at > end)
		at = end;
	first.nr = at - run->begin;
	*run = (struct run){at, end - at};
	return first;
}

static weight weight_in(const weight *sums, const struct run *run)
{
	return sums[run->begin + run->nr] - sums[run->begin];
}

static void add_piece(struct builder *builder, uint32_t child_id, const struct run *run,
		      uint32_t function)
{
	struct child *child = &builder->children[child_id];

	child->paths_nr += run->nr;
	child->is_mixed |= child->function != function;
	if (run->begin < builder->items.after) {
		child->value += weight_in(builder->items.values, run);
		child->count += weight_in(builder->items.counts, run);
	} else {
		builder->after_of_child[child_id].value += weight_in(builder->items.values, run);
		builder->after_of_child[child_id].count += weight_in(builder->items.counts, run);
	}
	GROW(builder->pieces, builder->pieces_nr + 1, builder->pieces_alloc);
	builder->pieces[builder->pieces_nr++] = (struct piece){*run, child_id};
}

/* The other side of a node that is open, NULL where there is none. */
static struct calltree_after *after_of(const struct builder *builder, const struct open *open)
{
	return builder->is_joint ? &builder->after_of_open[open - builder->opens] : NULL;
}

static void add_self(const struct builder *builder, const struct run *run, struct open *open)
{
	weight self = weight_in(builder->items.values, run);

	if (run->begin >= builder->items.after) {
		after_of(builder, open)->self += self;
		return;
	}
	open->node.self += self;
	open->node.self_count += weight_in(builder->items.counts, run);
	if (builder->items.lacking)
		open->node.lacks_caller += weight_in(builder->items.lacking, run);
}

/* Finds the children of a node; what ends in the node is its self weight. */
static void find_children(struct builder *builder, struct open *open, uint32_t depth)
{
	uint32_t last = FUNCTION_NONE, last_child = CHILD_NONE;

	builder->children_nr = 0;
	builder->pieces_nr = 0;
	for (uint32_t i = open->begin; i < open->begin + open->runs_nr; i++) {
		struct run rest = builder->runs[i];

		prefetch(builder, open, i, depth);
		while (rest.nr) {
			uint32_t function =
				calltree_function_at(&builder->items, rest.begin, depth);
			struct run run = cut_run(builder, &rest, depth);

			if (function == FUNCTION_NONE) {
				add_self(builder, &run, open);
				continue;
			}
			if (function != last) { /* neighbours are often in the same child */
				last = function;
				last_child = child_of(builder, function);
			}
			add_piece(builder, last_child, &run, function);
		}
	}
	for (size_t i = 0; i < builder->children_nr; i++)
		builder->child_of_rank[builder->children[i].rank] = CHILD_NONE;
}

/* Puts the runs of each child together, into a slice that has room for all its paths. */
static void sort_runs(struct builder *builder, const struct open *open)
{
	uint32_t at = open->begin;

	for (size_t i = 0; i < builder->children_nr; i++) {
		builder->children[i].begin = at;
		at += builder->children[i].paths_nr;
	}
	for (size_t i = 0; i < builder->pieces_nr; i++) {
		const struct piece *piece = &builder->pieces[i];
		struct child *child = &builder->children[piece->child];
		struct run *run = &builder->runs[child->begin + child->runs_nr];

		if (child->runs_nr && run[-1].begin + run[-1].nr == piece->run.begin &&
		    piece->run.begin != builder->items.after) {
			run[-1].nr += piece->run.nr;
		} else {
			*run = piece->run;
			child->runs_nr++;
		}
	}
}

static int compare_names(const void *a, const void *b, void *builder_of)
{
	const struct builder *builder = builder_of;
	uint32_t x = builder->children[*(const uint32_t *)a].rank;
	uint32_t y = builder->children[*(const uint32_t *)b].rank;

	return x < y ? -1 : x > y;
}

static int compare_values(const void *a, const void *b, void *builder_of)
{
	const struct builder *builder = builder_of;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct child *x = &builder->children[i], *y = &builder->children[k];

	if (builder->is_joint &&
	    builder->after_of_child[i].width != builder->after_of_child[k].width)
		return builder->after_of_child[i].width > builder->after_of_child[k].width ? -1 : 1;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return compare_names(a, b, builder_of);
}

/* Most nodes have few children, and for so few a sort is a call too many. */
#define FEW 12

static void sort_few(struct builder *builder)
{
	uint32_t *order = builder->order;

	for (uint32_t i = 1; i < builder->children_nr; i++) {
		uint32_t rank = builder->children[i].rank, at = i;

		for (; at && builder->children[order[at - 1]].rank > rank; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void sort_children(struct builder *builder)
{
	bool is_by_value = builder->options->is_heaviest_first;

	GROW(builder->order, builder->children_nr, builder->order_alloc);
	for (uint32_t i = 0; i < builder->children_nr; i++)
		builder->order[i] = i;
	if (builder->children_nr <= FEW && !is_by_value)
		sort_few(builder);
	else
		qsort_r(builder->order, builder->children_nr, sizeof(*builder->order),
			is_by_value ? compare_values : compare_names, builder);
}

/*
 * The function with the most weight in a child whose name is found in several modules, ties
 * go to the first module by its path; and of all of them the one whose name is doubted.
 */
static void choose_functions(const struct builder *builder, const struct child *child,
			     uint32_t depth, struct calltree_node *ret)
{
	const struct naming *naming = builder->naming;
	weight *sums = builder->sum_of_function;
	uint32_t heaviest = child->function, end = child->begin + child->runs_nr;
	struct run rest;

	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr;) {
			uint32_t function =
				calltree_function_at(&builder->items, rest.begin, depth);
			struct run run = cut_run(builder, &rest, depth);

			sums[function] += weight_in(builder->items.values, &run);
		}
	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr; cut_run(builder, &rest, depth)) {
			uint32_t function =
				calltree_function_at(&builder->items, rest.begin, depth);

			if (sums[function] > sums[heaviest] ||
			    (sums[function] == sums[heaviest] &&
			     naming_compare_modules(naming, function, heaviest) < 0))
				heaviest = function;
			ret->doubted = trust_more_doubted(naming, function, ret->doubted);
		}
	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr; cut_run(builder, &rest, depth))
			sums[calltree_function_at(&builder->items, rest.begin, depth)] = 0;
	ret->function = heaviest;
}

/* A name that is not shown to be right, and stands alone. */
static uint32_t doubted(const struct builder *builder, uint32_t function)
{
	return builder->is_doubted[function] ? function : FUNCTION_NONE;
}

static struct open *add_open(struct builder *builder)
{
	GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
	if (builder->is_joint)
		GROW(builder->after_of_open, builder->opens_nr + 1, builder->after_of_open_alloc);
	return &builder->opens[builder->opens_nr++];
}

static void find_widths(struct builder *builder)
{
	for (size_t i = 0; i < builder->children_nr; i++)
		builder->after_of_child[i].width =
			calltree_width(builder->options, builder->children[i].value,
				       builder->after_of_child[i].value);
}

static bool is_shown(const struct builder *builder, size_t child, uint32_t depth)
{
	const struct calltree_options *options = builder->options;

	if (options->deepest && depth + 1 > options->deepest)
		return false;
	if (builder->is_joint)
		return builder->after_of_child[child].width >= weight_number(options->least);
	return builder->children[child].value >= options->least;
}

static void add_after(struct calltree_after *sum, const struct calltree_after *after)
{
	sum->value += after->value;
	sum->count += after->count;
	sum->width += after->width;
}

/* What is not shown, behind what is. Returns the weight of the latter. */
static weight add_more(struct builder *builder, uint32_t depth)
{
	struct open more = {
		.node = {.function = FUNCTION_NONE, .doubted = FUNCTION_NONE, .depth = depth + 1}};
	struct calltree_after after = {0};
	weight shown = 0;

	for (size_t i = 0; i < builder->children_nr; i++) {
		const struct child *child = &builder->children[i];

		if (is_shown(builder, i, depth)) {
			shown += child->value;
			continue;
		}
		more.node.more++;
		more.node.value += child->value;
		more.node.count += child->count;
		if (builder->is_joint)
			add_after(&after, &builder->after_of_child[i]);
	}
	more.node.before = shown;
	if (more.node.more) {
		*add_open(builder) = more;
		if (builder->is_joint)
			builder->after_of_open[builder->opens_nr - 1] = after;
	}
	return shown;
}

static void add_child(struct builder *builder, uint32_t id, uint32_t depth, weight before)
{
	const struct child *child = &builder->children[id];
	struct open *open = add_open(builder);

	*open = (struct open){
		.node = {.function = child->function,
			 .doubted = doubted(builder, child->function),
			 .depth = depth + 1,
			 .value = child->value,
			 .count = child->count,
			 .before = before},
		.begin = child->begin,
		.runs_nr = child->runs_nr,
	};
	if (child->is_mixed)
		choose_functions(builder, child, depth, &open->node);
	if (builder->is_joint) {
		struct calltree_after *after = &builder->after_of_open[builder->opens_nr - 1];

		*after = builder->after_of_child[id];
		after->width = 0;
	}
}

/*
 * Children that are wide enough become nodes to be opened, the others one "more". Nodes are opened
 * from the last that is open on: so the first of the children is put there last.
 */
static void add_children(struct builder *builder, uint32_t depth)
{
	weight before = add_more(builder, depth);

	for (size_t i = builder->children_nr; i--;) {
		uint32_t id = builder->order[i];

		if (!is_shown(builder, id, depth))
			continue;
		before -= builder->children[id].value;
		add_child(builder, id, depth, before);
	}
}

static void say(const struct builder *builder, const struct open *open)
{
	builder->visitor->after = after_of(builder, open);
	builder->visitor->node(builder->visitor, &open->node);
}

/*
 * How deep the paths of a node go on together, so that nothing is to be partitioned: most nodes of
 * most trees have a single path.
 */
static uint32_t depth_shared(const struct builder *builder, const struct open *open)
{
	const struct run *run = &builder->runs[open->begin];
	const struct calltree_item *item_of = builder->items.item_of;
	uint32_t depth = open->node.depth, end = run->begin + run->nr, shared = depth;

	if (open->runs_nr != 1 || builder->options->deepest)
		return depth;
	if (run->nr == 1)
		return item_of[run->begin].depth;
	for (uint32_t at = run->begin + 1; at < end; at = item_of[at].next) {
		shared = item_of[at].shared;
		if (shared <= depth)
			return depth;
	}
	return shared;
}

/*
 * Says the nodes as far as their paths go on together. Where they part, `open` becomes the node
 * that is still to be opened; false where they end instead.
 */
static bool walk_chain(struct builder *builder, struct open *open, uint32_t depth)
{
	const struct run *run = &builder->runs[open->begin];
	const struct calltree_item *item = &builder->items.item_of[run->begin];
	struct calltree_node *node = &open->node;
	bool is_end = run->nr == 1;
	struct calltree_chain chain = {
		.functions = builder->items.functions + item->start + node->depth,
		.nr = depth - node->depth,
		.is_doubted = builder->is_doubted,
	};

	if (is_end)
		add_self(builder, run, open);
	else
		chain.nr--;
	chain.node = *node;
	builder->visitor->after = after_of(builder, open);
	calltree_chain_say(&chain, builder->visitor);
	if (is_end)
		return false;
	node->function = chain.functions[chain.nr];
	node->doubted = doubted(builder, node->function);
	node->depth = depth;
	node->before = 0;
	return true;
}

static void open_node(struct builder *builder, struct open *open)
{
	uint32_t depth;

	if (open->node.more) {
		say(builder, open);
		return;
	}
	depth = depth_shared(builder, open);
	if (depth > open->node.depth && !walk_chain(builder, open, depth))
		return;
	depth = open->node.depth;
	find_children(builder, open, depth);
	say(builder, open);
	sort_runs(builder, open);
	if (builder->is_joint)
		find_widths(builder);
	sort_children(builder);
	add_children(builder, depth);
}

static void release(struct builder *builder)
{
	calltree_items_release(&builder->items);
	free(builder->runs);
	free(builder->pieces);
	free(builder->rank_of);
	free(builder->child_of_rank);
	free(builder->is_doubted);
	free(builder->sum_of_function);
	free(builder->children);
	free(builder->order);
	free(builder->opens);
	free(builder->after_of_child);
	free(builder->after_of_open);
}

/* The runs that all begins with: each side is one. */
static void add_root(struct builder *builder)
{
	const struct calltree_items *items = &builder->items;
	struct run before = {0, items->after}, after = {items->after, items->nr - items->after};
	struct open *open = add_open(builder);

	*open = (struct open){
		.node = {.function = FUNCTION_NONE,
			 .doubted = FUNCTION_NONE,
			 .value = weight_in(items->values, &before),
			 .count = weight_in(items->counts, &before)},
	};
	if (builder->is_joint)
		*after_of(builder, open) =
			(struct calltree_after){.value = weight_in(items->values, &after),
						.count = weight_in(items->counts, &after)};
	if (before.nr)
		builder->runs[open->runs_nr++] = before;
	if (after.nr)
		builder->runs[open->runs_nr++] = after;
}

static void find_functions(struct builder *builder)
{
	const struct naming *naming = builder->naming;
	uint32_t *ranks = names_ranks(&naming->capture->names);

	builder->rank_of = mem_alloc(naming->nr * sizeof(*builder->rank_of));
	builder->is_doubted = mem_alloc(naming->nr * sizeof(*builder->is_doubted));
	for (uint32_t i = 0; i < naming->nr; i++) {
		builder->rank_of[i] = ranks[naming->list[i].name];
		builder->is_doubted[i] =
			trust_grade(naming->capture, &naming->list[i]) != TRUST_SHOWN;
	}
	free(ranks);
}

static void walk(struct builder *builder)
{
	uint32_t names_nr = builder->naming->capture->names.nr, nr = builder->items.nr;

	find_functions(builder);
	builder->runs = mem_alloc(((size_t)nr + 1) * sizeof(*builder->runs));
	builder->child_of_rank = mem_alloc(names_nr * sizeof(*builder->child_of_rank));
	memset(builder->child_of_rank, 0xff, names_nr * sizeof(*builder->child_of_rank));
	builder->sum_of_function =
		mem_zalloc(builder->naming->nr, sizeof(*builder->sum_of_function));
	add_root(builder);
	while (builder->opens_nr) /* it stays there until its children are put in its place */
		open_node(builder, &builder->opens[--builder->opens_nr]);
	release(builder);
}

void calltree_walk(const struct paths *paths, const struct calltree_options *options,
		   struct calltree_visitor *visitor)
{
	struct calltree_source source = {.paths = paths};
	struct builder builder = {.naming = paths->naming, .options = options, .visitor = visitor};

	calltree_items_init(&builder.items, &source, 1, options);
	walk(&builder);
}

void calltree_walk_joint(const struct naming *naming, const struct calltree_source *sources,
			 size_t nr, const struct calltree_options *options,
			 struct calltree_visitor *visitor)
{
	struct builder builder = {
		.naming = naming, .options = options, .visitor = visitor, .is_joint = true};

	calltree_items_init(&builder.items, sources, nr, options);
	walk(&builder);
}
