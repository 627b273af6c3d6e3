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
	uint32_t name, rank, function;
	uint32_t begin, runs_nr; /* its runs, once they are put together */
	uint32_t paths_nr;
	bool is_mixed; /* its paths have several functions of that name */
	weight value, count;
	struct calltree_after after;
	double width; /* of two sides: what it is sorted and left out by */
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
	struct calltree_after after;
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
	const uint32_t *ranks; /* per name */
	bool is_joint;
	struct run *runs;
	struct piece *pieces; /* of the node at hand */
	size_t pieces_nr, pieces_alloc;
	uint32_t *child_of_name; /* CHILD_NONE but for the node at hand */
	weight *sum_of_function; /* all 0 but while one child is looked at */
	struct child *children;
	size_t children_nr, children_alloc;
	struct open *opens;
	size_t opens_nr, opens_alloc;
};

/* Paths lie all over memory; while one is looked at, one further on is fetched. */
#define AHEAD 8

static void prefetch(const struct builder *builder, const struct open *open, uint32_t at,
		     uint32_t depth)
{
	if (at + AHEAD < open->begin + open->runs_nr)
		__builtin_prefetch(builder->items.item_of[builder->runs[at + AHEAD].begin].callers +
				   depth);
}

static uint32_t child_of(struct builder *builder, uint32_t function)
{
	uint32_t name = builder->naming->list[function].name;
	uint32_t *index = &builder->child_of_name[name];

	if (*index == CHILD_NONE) {
		GROW(builder->children, builder->children_nr + 1, builder->children_alloc);
		*index = (uint32_t)builder->children_nr;
		builder->children[builder->children_nr++] = (struct child){
			.name = name, .rank = builder->ranks[name], .function = function};
	}
	return *index;
}

/* The paths that a run begins with and that have the same function at this depth. */
static struct run cut_run(const struct builder *builder, struct run *run, uint32_t depth)
{
	uint32_t end = run->begin + run->nr, at = run->begin + 1;
	struct run first = {.begin = run->begin};

	while (at < end && builder->items.shared[at] > depth)
		at = builder->items.less_shared[at];
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
		child->after.value += weight_in(builder->items.values, run);
		child->after.count += weight_in(builder->items.counts, run);
	}
	GROW(builder->pieces, builder->pieces_nr + 1, builder->pieces_alloc);
	builder->pieces[builder->pieces_nr++] = (struct piece){*run, child_id};
}

static void add_self(const struct builder *builder, const struct run *run, struct open *open)
{
	weight self = weight_in(builder->items.values, run);

	if (run->begin >= builder->items.after) {
		open->after.self += self;
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
		builder->child_of_name[builder->children[i].name] = CHILD_NONE;
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

static int compare_names(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int compare_values(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->width != y->width)
		return x->width > y->width ? -1 : 1;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return compare_names(a, b);
}

/* A doubted name hides behind no other of that name; ties go to the first module by its path. */
static uint32_t more_doubted(const struct naming *naming, uint32_t function, uint32_t than)
{
	enum trust_grade grade = trust_grade(naming->capture, &naming->list[function]), other;

	if (grade == TRUST_SHOWN || than == function)
		return than;
	if (than == FUNCTION_NONE)
		return function;
	other = trust_grade(naming->capture, &naming->list[than]);
	if (grade != other)
		return grade == TRUST_DOUBTED ? function : than;
	return naming_compare_modules(naming, function, than) < 0 ? function : than;
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
			ret->doubted = more_doubted(naming, function, ret->doubted);
		}
	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr; cut_run(builder, &rest, depth))
			sums[calltree_function_at(&builder->items, rest.begin, depth)] = 0;
	ret->function = heaviest;
}

static void add_open(struct builder *builder, const struct open *open)
{
	GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
	builder->opens[builder->opens_nr++] = *open;
}

double calltree_width(const struct calltree_options *options, weight before, weight after)
{
	double other = weight_number(after) * options->after_scale;

	switch (options->widths) {
	case CALLTREE_WIDTHS_BEFORE:
		return weight_number(before);
	case CALLTREE_WIDTHS_AFTER:
		return other;
	case CALLTREE_WIDTHS_BOTH:
		break;
	}
	return weight_number(before) > other ? weight_number(before) : other;
}

static void find_widths(struct builder *builder)
{
	for (size_t i = 0; i < builder->children_nr; i++) {
		struct child *child = &builder->children[i];

		child->width = calltree_width(builder->options, child->value, child->after.value);
	}
}

static bool is_too_narrow(const struct builder *builder, const struct child *child)
{
	if (builder->is_joint)
		return child->width < weight_number(builder->options->least);
	return child->value < builder->options->least;
}

static void add_to_more(const struct child *child, struct open *more)
{
	more->node.more++;
	more->node.value += child->value;
	more->node.count += child->count;
	more->after.value += child->after.value;
	more->after.count += child->after.count;
	more->after.width += child->width;
}

static bool is_shown(const struct builder *builder, const struct child *child, uint32_t depth)
{
	const struct calltree_options *options = builder->options;

	return !(options->deepest && depth + 1 > options->deepest) &&
	       !is_too_narrow(builder, child);
}

/* What is not shown, behind what is. Returns the weight of the latter. */
static weight add_more(struct builder *builder, uint32_t depth)
{
	struct open more = {
		.node = {.function = FUNCTION_NONE, .doubted = FUNCTION_NONE, .depth = depth + 1}};
	weight shown = 0;

	for (size_t i = 0; i < builder->children_nr; i++) {
		const struct child *child = &builder->children[i];

		if (is_shown(builder, child, depth))
			shown += child->value;
		else
			add_to_more(child, &more);
	}
	more.node.before = shown;
	if (more.node.more)
		add_open(builder, &more);
	return shown;
}

/*
 * Children that are wide enough become nodes to be opened, the others one "more". Nodes are opened
 * from the last that is open on: so the first of the children is put there last.
 */
static void add_children(struct builder *builder, uint32_t depth)
{
	const struct naming *naming = builder->naming;
	weight before = add_more(builder, depth);

	for (size_t i = builder->children_nr; i--;) {
		const struct child *child = &builder->children[i];
		struct open *open;

		if (!is_shown(builder, child, depth))
			continue;
		before -= child->value;
		GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
		open = &builder->opens[builder->opens_nr++];
		*open = (struct open){
			.node = {.function = child->function,
				 .doubted = more_doubted(naming, child->function, FUNCTION_NONE),
				 .depth = depth + 1,
				 .value = child->value,
				 .count = child->count,
				 .before = before},
			.after = child->after,
			.begin = child->begin,
			.runs_nr = child->runs_nr,
		};
		if (child->is_mixed)
			choose_functions(builder, child, depth, &open->node);
	}
}

static void say(const struct builder *builder, const struct calltree_node *node,
		const struct calltree_after *after)
{
	builder->visitor->after = after;
	builder->visitor->node(builder->visitor, node);
}

/* Most nodes of most trees have a single path: nothing is to be partitioned there. */
static bool is_chain(const struct builder *builder, const struct open *open)
{
	return open->runs_nr == 1 && builder->runs[open->begin].nr == 1 &&
	       !builder->options->deepest;
}

static void walk_chain(struct builder *builder, struct open *open)
{
	const struct run *run = &builder->runs[open->begin];
	struct calltree_node *node = &open->node;
	uint32_t function;

	while ((function = calltree_function_at(&builder->items, run->begin, node->depth)) !=
	       FUNCTION_NONE) {
		say(builder, node, &open->after);
		node->function = function;
		node->doubted = more_doubted(builder->naming, function, FUNCTION_NONE);
		node->depth++;
		node->before = 0;
	}
	add_self(builder, run, open);
	say(builder, node, &open->after);
}

static void open_node(struct builder *builder, struct open *open)
{
	uint32_t depth = open->node.depth;

	if (open->node.more) {
		say(builder, &open->node, &open->after);
		return;
	}
	if (is_chain(builder, open)) {
		walk_chain(builder, open);
		return;
	}
	find_children(builder, open, depth);
	say(builder, &open->node, &open->after);
	sort_runs(builder, open);
	if (builder->is_joint)
		find_widths(builder);
	if (builder->children_nr > 1)
		qsort(builder->children, builder->children_nr, sizeof(*builder->children),
		      builder->options->is_heaviest_first ? compare_values : compare_names);
	add_children(builder, depth);
}

static void release(struct builder *builder)
{
	calltree_items_release(&builder->items);
	free(builder->runs);
	free(builder->pieces);
	free(builder->child_of_name);
	free(builder->sum_of_function);
	free(builder->children);
	free(builder->opens);
}

/* The runs that all begins with: each side is one. */
static void add_root(struct builder *builder)
{
	const struct calltree_items *items = &builder->items;
	struct run before = {0, items->after}, after = {items->after, items->nr - items->after};
	struct open open = {
		.node = {.function = FUNCTION_NONE,
			 .doubted = FUNCTION_NONE,
			 .value = weight_in(items->values, &before),
			 .count = weight_in(items->counts, &before)},
		.after = {.value = weight_in(items->values, &after),
			  .count = weight_in(items->counts, &after)},
	};

	if (before.nr)
		builder->runs[open.runs_nr++] = before;
	if (after.nr)
		builder->runs[open.runs_nr++] = after;
	add_open(builder, &open);
}

static void walk(struct builder *builder)
{
	const struct names *names = &builder->naming->capture->names;
	uint32_t *ranks = names_ranks(names), nr = builder->items.nr;

	builder->ranks = ranks;
	builder->runs = mem_alloc(((size_t)nr + 1) * sizeof(*builder->runs));
	builder->child_of_name = mem_alloc(names->nr * sizeof(*builder->child_of_name));
	builder->sum_of_function =
		mem_zalloc(builder->naming->nr, sizeof(*builder->sum_of_function));
	memset(builder->child_of_name, 0xff, names->nr * sizeof(*builder->child_of_name));
	add_root(builder);
	while (builder->opens_nr) /* it stays there until its children are put in its place */
		open_node(builder, &builder->opens[--builder->opens_nr]);
	free(ranks);
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

/* ---- the nodes in an array */

static void collect(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct calltree_collector *collector = (struct calltree_collector *)visitor;
	struct calltree *tree = collector->tree;
	struct calltree_node *added;

	GROW(tree->nodes, (size_t)tree->nr + 1, tree->nodes_alloc);
	added = &tree->nodes[tree->nr];
	*added = *node;
	added->parent = node->depth ? collector->path[node->depth - 1] : CALLTREE_NO_PARENT;
	if (!node->depth)
		tree->total = node->value;
	if (!node->depth && tree->is_joint)
		tree->after_total = visitor->after->value;
	if (node->depth > tree->deepest)
		tree->deepest = node->depth;
	tree->left_out_nr += node->more;
	if (tree->is_joint) {
		GROW(tree->after, (size_t)tree->nr + 1, tree->after_alloc);
		tree->after[tree->nr] = *visitor->after;
	}
	GROW(collector->path, (size_t)node->depth + 1, collector->path_alloc);
	collector->path[node->depth] = tree->nr++;
}

void calltree_collector_init(struct calltree_collector *collector, struct calltree *tree,
			     const struct paths *paths)
{
	*tree = (struct calltree){.paths = paths};
	*collector = (struct calltree_collector){.visitor = {.node = collect}, .tree = tree};
}

void calltree_collector_release(struct calltree_collector *collector)
{
	free(collector->path);
}

void calltree_build(struct calltree *tree, const struct paths *paths,
		    const struct calltree_options *options)
{
	CLEANUP(calltree_collector_release) struct calltree_collector collector;

	calltree_collector_init(&collector, tree, paths);
	calltree_walk(paths, options, &collector.visitor);
}

void calltree_build_joint(struct calltree *tree, const struct naming *naming,
			  const struct calltree_source *sources, size_t nr,
			  const struct calltree_options *options)
{
	CLEANUP(calltree_collector_release) struct calltree_collector collector;

	calltree_collector_init(&collector, tree, sources[0].paths);
	tree->is_joint = true;
	calltree_walk_joint(naming, sources, nr, options, &collector.visitor);
}

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	free(tree->after);
	*tree = (struct calltree){0};
}
