/* flamechart_tree.c - the stacks of a flame chart's samples as one tree, and where each ends */
#include "analysis/flamechart_tree.h"

#include "analysis/flamechart.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"

struct builder {
	struct flamechart_tree *tree;
	const struct paths *paths;
	uint32_t *open; /* the node of each depth on the way to the last one; the root's is 0 */
	uint32_t open_nr;
	size_t open_alloc;
};

static uint64_t *count_samples(const struct flamechart *chart, const struct paths *paths)
{
	uint64_t *samples = mem_zalloc(paths->nr + (size_t)1, sizeof(*samples));

	for (size_t i = 0; i < chart->lanes_nr; i++) {
		const struct flamechart_lane *lane = &chart->lanes[i];

		for (size_t k = lane->first; k < lane->first + lane->samples; k++)
			samples[chart->moments[k].path]++;
	}
	return samples;
}

static void open_node(struct builder *builder, uint32_t function)
{
	struct flamechart_tree *tree = builder->tree;
	uint32_t depth = builder->open_nr;

	GROW(tree->nodes, (size_t)tree->nr + 1, tree->alloc);
	GROW(builder->open, (size_t)depth + 1, builder->open_alloc);
	tree->nodes[tree->nr] = (struct flamechart_node){
		.parent = depth ? builder->open[depth - 1] : 0,
		.depth = depth,
		.function = function,
	};
	builder->open[builder->open_nr++] = tree->nr++;
}

/* The frames that a path does not have in common with the one before. */
static void add_path(struct builder *builder, uint32_t path, uint32_t shared, uint64_t samples)
{
	struct flamechart_tree *tree = builder->tree;
	uint32_t depth = paths_depth(builder->paths, path);

	builder->open_nr = shared + 1;
	for (uint32_t i = shared; i < depth; i++)
		open_node(builder, paths_function(builder->paths, path, i));
	tree->of_path[path] = builder->open[depth];
	tree->nodes[builder->open[depth]].samples += samples;
}

/* What stands below a node is behind it: so sums and ends go backwards. */
static void add_up(struct flamechart_tree *tree)
{
	struct flamechart_node *nodes = tree->nodes;

	for (uint32_t i = tree->nr; i-- > 0;)
		nodes[i].end = i + 1;
	for (uint32_t i = tree->nr; i-- > 1;) {
		struct flamechart_node *parent = &nodes[nodes[i].parent];

		parent->samples += nodes[i].samples;
		if (parent->end < nodes[i].end)
			parent->end = nodes[i].end;
	}
}

void flamechart_tree_build(struct flamechart_tree *tree, const struct flamechart *chart,
			   const struct paths *paths)
{
	struct builder builder = {.tree = tree, .paths = paths};
	uint32_t *shared, *sorted = paths_sorted_shared(paths, &shared), known = 0;
	uint64_t *samples = count_samples(chart, paths);

	*tree = (struct flamechart_tree){
		.of_path = mem_zalloc(paths->nr + (size_t)1, sizeof(*tree->of_path))};
	open_node(&builder, FUNCTION_NONE);
	for (uint32_t i = 0; i < paths->nr; i++) {
		/* with the last one that has samples: no more than with those between */
		known = shared[i] < known ? shared[i] : known;
		if (!samples[sorted[i]])
			continue;
		add_path(&builder, sorted[i], known, samples[sorted[i]]);
		known = UINT32_MAX;
	}
	add_up(tree);
	free(shared);
	free(sorted);
	free(samples);
	free(builder.open);
}

void flamechart_tree_release(struct flamechart_tree *tree)
{
	free(tree->nodes);
	free(tree->of_path);
	*tree = (struct flamechart_tree){0};
}
