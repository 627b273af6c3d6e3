/* calltree_collect.c - the nodes of a walk in an array */
#include "analysis/calltree.h"

#include "base/mem.h"

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

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	free(tree->after);
	*tree = (struct calltree){0};
}
