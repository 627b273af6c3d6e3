/* calltree.c - paths folded into a tree of calls, opened only as far as it is shown */
#include "analysis/calltree.h"

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
};

/* A path, with what is asked of it again and again at hand. */
struct item {
	const uint32_t *callers;
	uint32_t callers_nr;
	uint32_t leaf; /* stack id in paths->leaves */
	uint32_t root;
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
	const uint32_t *ranks; /* per name */
	uint32_t *shared;      /* per path: so many functions it begins with as the one before it */
	uint32_t *less_shared; /* per path: the next one behind it that shares less */
	struct item *item_of;  /* per path */
	weight *values, *counts; /* per path and one more: the sum of all before */
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

/* The function of a path at this depth below the root, FUNCTION_NONE behind its end. */
static uint32_t function_at(const struct builder *builder, uint32_t path, uint32_t depth)
{
	const struct paths *paths = builder->tree->paths;
	const struct item *item = &builder->item_of[path];
	uint32_t id;

	if (builder->options->is_reversed) {
		uint32_t nr = paths_depth(paths, path);

		return depth < nr ? paths_function(paths, path, nr - 1 - depth) : FUNCTION_NONE;
	}
	if (item->root != FUNCTION_NONE && depth-- == 0)
		return item->root;
	if (depth < item->callers_nr) {
		id = item->callers[depth];
		return paths->function_of ? paths->function_of[id] : id;
	}
	depth -= item->callers_nr;
	return depth < stacks_depth(&paths->leaves, item->leaf)
		       ? stacks_ids(&paths->leaves, item->leaf)[depth]
		       : FUNCTION_NONE;
}

/* Paths lie all over memory; while one is looked at, one further on is fetched. */
#define AHEAD 8

static void prefetch(const struct builder *builder, const struct open *open, uint32_t at,
		     uint32_t depth)
{
	if (at + AHEAD < open->begin + open->runs_nr)
		__builtin_prefetch(builder->item_of[builder->runs[at + AHEAD].begin].callers +
				   depth);
}

static uint32_t child_of(struct builder *builder, uint32_t function)
{
	uint32_t name = builder->tree->paths->naming->list[function].name;
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

	while (at < end && builder->shared[at] > depth)
		at = builder->less_shared[at];
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
	child->value += weight_in(builder->values, run);
	child->count += weight_in(builder->counts, run);
	GROW(builder->pieces, builder->pieces_nr + 1, builder->pieces_alloc);
	builder->pieces[builder->pieces_nr++] = (struct piece){*run, child_id};
}

/* Finds the children of a node; what ends in the node is its self weight. */
static void find_children(struct builder *builder, const struct open *open, uint32_t depth,
			  struct calltree_node *node)
{
	uint32_t last = FUNCTION_NONE, last_child = CHILD_NONE;

	builder->children_nr = 0;
	builder->pieces_nr = 0;
	for (uint32_t i = open->begin; i < open->begin + open->runs_nr; i++) {
		struct run rest = builder->runs[i];

		prefetch(builder, open, i, depth);
		while (rest.nr) {
			uint32_t function = function_at(builder, rest.begin, depth);
			struct run run = cut_run(builder, &rest, depth);

			if (function == FUNCTION_NONE) {
				node->self += weight_in(builder->values, &run);
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

		if (child->runs_nr && run[-1].begin + run[-1].nr == piece->run.begin) {
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
	const struct naming *naming = builder->tree->paths->naming;
	weight *sums = builder->sum_of_function;
	uint32_t heaviest = child->function, end = child->begin + child->runs_nr;
	struct run rest;

	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr;) {
			uint32_t function = function_at(builder, rest.begin, depth);
			struct run run = cut_run(builder, &rest, depth);

			sums[function] += weight_in(builder->values, &run);
		}
	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr; cut_run(builder, &rest, depth)) {
			uint32_t function = function_at(builder, rest.begin, depth);

			if (sums[function] > sums[heaviest] ||
			    (sums[function] == sums[heaviest] &&
			     naming_compare_modules(naming, function, heaviest) < 0))
				heaviest = function;
			ret->doubted = more_doubted(naming, function, ret->doubted);
		}
	for (uint32_t i = child->begin; i < end; i++)
		for (rest = builder->runs[i]; rest.nr; cut_run(builder, &rest, depth))
			sums[function_at(builder, rest.begin, depth)] = 0;
	ret->function = heaviest;
}

static uint32_t add_node(struct calltree *tree, const struct calltree_node *node)
{
	GROW(tree->nodes, (size_t)tree->nr + 1, tree->nodes_alloc);
	tree->nodes[tree->nr] = *node;
	if (node->depth > tree->deepest)
		tree->deepest = node->depth;
	return tree->nr++;
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
	bool is_too_deep = options->deepest && depth + 1 > options->deepest;
	weight before = 0;

	for (size_t i = 0; i < builder->children_nr; i++) {
		struct child *child = &builder->children[i];
		struct calltree_node node = {
			.function = child->function,
			.doubted = more_doubted(builder->tree->paths->naming, child->function,
						FUNCTION_NONE),
			.parent = parent,
			.depth = depth + 1,
			.value = child->value,
			.count = child->count,
			.before = before,
		};

		if (is_too_deep || child->value < options->least) {
			more.more++;
			more.value += child->value;
			more.count += child->count;
			continue;
		}
		if (child->is_mixed)
			choose_functions(builder, child, depth, &node);
		before += child->value;
		GROW(builder->opens, builder->opens_nr + 1, builder->opens_alloc);
		builder->opens[builder->opens_nr++] =
			(struct open){add_node(tree, &node), child->begin, child->runs_nr};
	}
	tree->left_out_nr += more.more;
	more.before = before;
	if (more.more)
		add_node(tree, &more);
}

static void open_node(struct builder *builder, struct open open)
{
	struct calltree_node *node = &builder->tree->nodes[open.node];
	uint32_t depth = node->depth;

	find_children(builder, &open, depth, node);
	sort_runs(builder, &open);
	if (builder->children_nr > 1)
		qsort(builder->children, builder->children_nr, sizeof(*builder->children),
		      builder->options->is_heaviest_first ? compare_values : compare_names);
	add_children(builder, open.node, depth);
}

static bool is_same_caller(const struct paths *paths, uint32_t a, uint32_t b)
{
	return a == b || (paths->function_of && paths->function_of[a] == paths->function_of[b]);
}

/* How many functions, from the outermost on, a path has in common with the one before it. */
static uint32_t shared_with_last(const struct builder *builder, uint32_t path)
{
	const struct item *item = &builder->item_of[path], *last = item - 1;
	uint32_t nr = item->callers_nr < last->callers_nr ? item->callers_nr : last->callers_nr;
	uint32_t i = 0, function;

	if (builder->options->is_reversed || item->root != last->root)
		return 0;
	if (item->callers == last->callers)
		i = nr;
	while (i + 4 <= nr && memcmp(item->callers + i, last->callers + i, 4 * sizeof(i)) == 0)
		i += 4;
	while (i < nr && is_same_caller(builder->tree->paths, item->callers[i], last->callers[i]))
		i++;
	if (i < nr)
		return i + (item->root != FUNCTION_NONE);
	i += item->root != FUNCTION_NONE;
	while ((function = function_at(builder, path, i)) != FUNCTION_NONE &&
	       function == function_at(builder, path - 1, i))
		i++;
	return i;
}

static void find_less_shared(struct builder *builder, uint32_t nr)
{
	const uint32_t *shared = builder->shared;
	uint32_t *less = builder->less_shared = mem_alloc(nr * sizeof(*less));

	for (uint32_t i = nr; i--;) {
		uint32_t at = i + 1;

		while (at < nr && shared[at] >= shared[i])
			at = less[at];
		less[i] = at;
	}
}

static void find_items(struct builder *builder)
{
	const struct paths *paths = builder->tree->paths;
	size_t sums_nr = (size_t)paths->nr + 1;

	builder->item_of = mem_alloc(paths->nr * sizeof(*builder->item_of));
	builder->shared = mem_alloc(paths->nr * sizeof(*builder->shared));
	builder->values = mem_alloc(sums_nr * sizeof(*builder->values));
	builder->counts = mem_alloc(sums_nr * sizeof(*builder->counts));
	builder->values[0] = builder->counts[0] = 0;
	for (uint32_t i = 0; i < paths->nr; i++) {
		const struct path *path = &paths->list[i];

		builder->item_of[i] = (struct item){
			.callers = stacks_ids(paths->callers, path->callers),
			.callers_nr = stacks_depth(paths->callers, path->callers),
			.leaf = path->leaf,
			.root = path->root,
		};
		builder->shared[i] = i ? shared_with_last(builder, i) : 0;
		builder->counts[i + 1] = builder->counts[i] + paths_weight(paths, i, true);
		builder->values[i + 1] = builder->values[i] +
					 paths_weight(paths, i, builder->options->counts_samples);
	}
	find_less_shared(builder, paths->nr);
}

static void release(struct builder *builder)
{
	free(builder->item_of);
	free(builder->shared);
	free(builder->less_shared);
	free(builder->values);
	free(builder->counts);
	free(builder->runs);
	free(builder->pieces);
	free(builder->child_of_name);
	free(builder->sum_of_function);
	free(builder->children);
	free(builder->opens);
}

static uint32_t add_root(struct builder *builder)
{
	const struct paths *paths = builder->tree->paths;
	struct calltree_node root = {
		.function = FUNCTION_NONE,
		.doubted = FUNCTION_NONE,
		.parent = CALLTREE_NO_PARENT,
		.value = builder->options->counts_samples ? paths->count : paths->period,
		.count = paths->count,
	};

	builder->tree->total = root.value;
	return add_node(builder->tree, &root);
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
	free(next);
	free(first);
	free(place);
}

void calltree_build(struct calltree *tree, const struct paths *paths,
		    const struct calltree_options *options)
{
	const struct names *names = &paths->naming->capture->names;
	uint32_t nr = paths->nr;
	struct builder builder = {.tree = tree, .options = options};
	uint32_t *ranks = names_ranks(names);

	*tree = (struct calltree){.paths = paths};
	builder.ranks = ranks;
	find_items(&builder);
	builder.runs = mem_alloc(nr * sizeof(*builder.runs));
	builder.child_of_name = mem_alloc(names->nr * sizeof(*builder.child_of_name));
	builder.sum_of_function = mem_zalloc(paths->naming->nr, sizeof(*builder.sum_of_function));
	memset(builder.child_of_name, 0xff, names->nr * sizeof(*builder.child_of_name));
	GROW(builder.opens, 1, builder.opens_alloc);
	builder.opens[builder.opens_nr++] = (struct open){add_root(&builder), 0, nr ? 1 : 0};
	if (nr)
		builder.runs[0] = (struct run){0, nr};
	while (builder.opens_nr)
		open_node(&builder, builder.opens[--builder.opens_nr]);
	order_depth_first(tree);
	free(ranks);
	release(&builder);
}

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	*tree = (struct calltree){0};
}
