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
	double width; /* what it is sorted and left out by */
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
	uint32_t node, begin, runs_nr;
};

/*
 * Paths of a profile come in their order, those of many a capture do nearly, so that a node's
 * paths are few runs: what neighbours share is compared once, and a run is weighed at one go.
 */
struct builder {
	struct calltree *tree;
	const struct calltree_options *options;
	const struct naming *naming;
	struct calltree_items items;
	const uint32_t *ranks; /* per name */
	struct run *runs;
	struct piece *pieces; /* of the node at hand */
	uint32_t pieces_nr;
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
	const uint32_t *shared = builder->items.shared + run->begin;
	struct run first = {run->begin, 1};

	while (first.nr < run->nr && shared[first.nr] > depth)
		first.nr++;
	run->begin += first.nr;
	run->nr -= first.nr;
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
	builder->pieces[builder->pieces_nr++] = (struct piece){*run, child_id};
}

static void add_self(struct builder *builder, uint32_t node, const struct run *run)
{
	weight self = weight_in(builder->items.values, run);

	if (run->begin < builder->items.after) {
		builder->tree->nodes[node].self += self;
		builder->tree->nodes[node].lacks_caller += weight_in(builder->items.lacking, run);
	} else {
		builder->tree->after[node].self += self;
	}
}

/* Finds the children of a node; what ends in the node is its self weight. */
static void find_children(struct builder *builder, const struct open *open, uint32_t depth)
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
				add_self(builder, open->node, &run);
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
	for (uint32_t i = 0; i < builder->pieces_nr; i++) {
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

static uint32_t add_node(struct calltree *tree, const struct calltree_node *node,
			 const struct calltree_after *after)
{
	GROW(tree->nodes, (size_t)tree->nr + 1, tree->nodes_alloc);
	tree->nodes[tree->nr] = *node;
	if (tree->is_joint) {
		GROW(tree->after, (size_t)tree->nr + 1, tree->after_alloc);
		tree->after[tree->nr] = *after;
	}
	if (node->depth > tree->deepest)
		tree->deepest = node->depth;
	return tree->nr++;
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
	if (builder->tree->is_joint)
		return child->width < weight_number(builder->options->least);
	return child->value < builder->options->least;
}

static void add_to_more(const struct child *child, struct calltree_node *more,
			struct calltree_after *after)
{
	more->more++;
	more->value += child->value;
	more->count += child->count;
	after->value += child->after.value;
	after->count += child->after.count;
	after->width += child->width;
}

/* Children that are wide enough become nodes to be opened, the others one "more". */
static void add_children(struct builder *builder, uint32_t parent, uint32_t depth)
{
	const struct calltree_options *options = builder->options;
	struct calltree *tree = builder->tree;
	struct calltree_node more = {.function = FUNCTION_NONE,
				     .doubted = FUNCTION_NONE,
				     .parent = parent,
				     .depth = depth + 1};
	struct calltree_after more_after = {0};
	bool is_too_deep = options->deepest && depth + 1 > options->deepest;
	weight before = 0;

	for (size_t i = 0; i < builder->children_nr; i++) {
		struct child *child = &builder->children[i];
		struct calltree_node node = {
			.function = child->function,
			.doubted = more_doubted(builder->naming, child->function, FUNCTION_NONE),
			.parent = parent,
			.depth = depth + 1,
			.value = child->value,
			.count = child->count,
			.before = before,
		};

		if (is_too_deep || is_too_narrow(builder, child)) {
			add_to_more(child, &more, &more_after);
			continue;
		}
		if (child->is_mixed)
			choose_functions(builder, child, depth, &node);
		before += child->value;
		GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
		builder->opens[builder->opens_nr++] = (struct open){
			add_node(tree, &node, &child->after), child->begin, child->runs_nr};
	}
	tree->left_out_nr += more.more;
	more.before = before;
	if (more.more)
		add_node(tree, &more, &more_after);
}

static void open_node(struct builder *builder, struct open open)
{
	uint32_t depth = builder->tree->nodes[open.node].depth;

	find_children(builder, &open, depth);
	sort_runs(builder, &open);
	if (builder->tree->is_joint)
		find_widths(builder);
	if (builder->children_nr > 1)
		qsort(builder->children, builder->children_nr, sizeof(*builder->children),
		      builder->options->is_heaviest_first ? compare_values : compare_names);
	add_children(builder, open.node, depth);
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

static void add_root(struct builder *builder)
{
	struct calltree *tree = builder->tree;
	struct calltree_node root = {
		.function = FUNCTION_NONE,
		.doubted = FUNCTION_NONE,
		.parent = CALLTREE_NO_PARENT,
	};
	struct calltree_after after = {0};
	struct run before_run = {0, builder->items.after};
	struct run after_run = {builder->items.after, builder->items.nr - builder->items.after};

	root.value = weight_in(builder->items.values, &before_run);
	root.count = weight_in(builder->items.counts, &before_run);
	after.value = weight_in(builder->items.values, &after_run);
	after.count = weight_in(builder->items.counts, &after_run);
	tree->total = root.value;
	tree->after_total = after.value;
	add_node(tree, &root, &after);
}

/* The runs that all begins with: each side is one. */
static void open_root(struct builder *builder)
{
	uint32_t nr = 0;

	if (builder->items.after)
		builder->runs[nr++] = (struct run){0, builder->items.after};
	if (builder->items.after < builder->items.nr)
		builder->runs[nr++] = (struct run){builder->items.after,
						   builder->items.nr - builder->items.after};
	add_root(builder);
	GROW(builder->opens, 1, builder->opens_alloc);
	builder->opens[builder->opens_nr++] = (struct open){0, 0, nr};
}

/*
 * Breadth first would give siblings together; pictures and tables want each node's subtree
 * behind it. So the nodes are put into depth-first order at the end, children as they were.
 */
static void order_depth_first(struct calltree *tree)
{
	uint32_t *next = mem_alloc(tree->nr * sizeof(*next)); /* sibling behind this one */
	uint32_t *first = mem_alloc(tree->nr * sizeof(*first));
	uint32_t *place = mem_alloc(tree->nr * sizeof(*place));
	struct calltree_node *ordered = mem_alloc(tree->nr * sizeof(*ordered));
	struct calltree_after *after = tree->is_joint ? mem_alloc(tree->nr * sizeof(*after)) : NULL;
	uint32_t at = 0, nr = 0;

	for (uint32_t i = 0; i < tree->nr; i++)
		first[i] = next[i] = UINT32_MAX;
	for (uint32_t i = tree->nr; i-- > 1;) {
		next[i] = first[tree->nodes[i].parent];
		first[tree->nodes[i].parent] = i;
	}
	for (;;) {
		place[at] = nr;
		ordered[nr] = tree->nodes[at];
		if (after)
			after[nr] = tree->after[at];
		if (at)
			ordered[nr].parent = place[tree->nodes[at].parent];
		nr++;
		if (first[at] != UINT32_MAX) {
			at = first[at];
			continue;
		}
		while (at && next[at] == UINT32_MAX)
			at = tree->nodes[at].parent;
		if (!at)
			break;
		at = next[at];
	}
	free(tree->nodes);
	tree->nodes = ordered;
	tree->nodes_alloc = tree->nr;
	free(tree->after);
	tree->after = after;
	tree->after_alloc = after ? tree->nr : 0;
	free(next);
	free(first);
	free(place);
}

static void build(struct builder *builder)
{
	size_t nr = builder->items.nr;
	const struct names *names = &builder->naming->capture->names;
	uint32_t *ranks = names_ranks(names);

	builder->ranks = ranks;
	builder->runs = mem_alloc((nr + 1) * sizeof(*builder->runs));
	builder->pieces = mem_alloc(nr * sizeof(*builder->pieces));
	builder->child_of_name = mem_alloc(names->nr * sizeof(*builder->child_of_name));
	builder->sum_of_function =
		mem_zalloc(builder->naming->nr, sizeof(*builder->sum_of_function));
	memset(builder->child_of_name, 0xff, names->nr * sizeof(*builder->child_of_name));
	open_root(builder);
	while (builder->opens_nr)
		open_node(builder, builder->opens[--builder->opens_nr]);
	order_depth_first(builder->tree);
	free(ranks);
	release(builder);
}

void calltree_build(struct calltree *tree, const struct paths *paths,
		    const struct calltree_options *options)
{
	struct calltree_source source = {.paths = paths};
	struct builder builder = {.tree = tree, .options = options, .naming = paths->naming};

	*tree = (struct calltree){.paths = paths};
	calltree_items_init(&builder.items, &source, 1, options);
	build(&builder);
}

void calltree_build_joint(struct calltree *tree, const struct naming *naming,
			  const struct calltree_source *sources, size_t nr,
			  const struct calltree_options *options)
{
	struct builder builder = {.tree = tree, .options = options, .naming = naming};

	*tree = (struct calltree){.paths = sources[0].paths, .is_joint = true};
	calltree_items_init(&builder.items, sources, nr, options);
	build(&builder);
}

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	free(tree->after);
	*tree = (struct calltree){0};
}
