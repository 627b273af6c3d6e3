/* flame_tree.c - what the frames of a chart are to each other */
#include "renderers/flame_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void flame_tree_release(struct flame_tree *tree)
{
	free(tree->child);
	free(tree->sibling);
	free(tree->self);
	memset(tree, 0, sizeof(*tree));
}

bool flame_tree_init(struct flame_tree *tree, const struct flame_chart *chart)
{
	size_t nr = chart->frames_nr;

	*tree = (struct flame_tree){0};
	tree->child = calloc(nr + 1, sizeof(*tree->child));
	tree->sibling = calloc(nr + 1, sizeof(*tree->sibling));
	tree->self = calloc(nr + 1, sizeof(*tree->self));
	if (!tree->child || !tree->sibling || !tree->self)
		return false;
	/* From the last to the first, so that each chain of siblings gets its first last. */
	for (size_t i = nr; i-- > 0;) {
		const struct flame_frame *frame = &chart->frames[i];

		tree->self[i] += frame->weight;
		if (frame->depth > tree->depth)
			tree->depth = frame->depth;
		if (!i)
			break;
		assert(frame->parent < i);
		tree->self[frame->parent] -= frame->weight;
		tree->sibling[i] = tree->child[frame->parent];
		tree->child[frame->parent] = (uint32_t)i;
	}
	return true;
}

uint32_t flame_tree_next(const struct flame_tree *tree, const struct flame_chart *chart,
			 uint32_t at)
{
	if (tree->child[at])
		return tree->child[at];
	while (at && !tree->sibling[at])
		at = chart->frames[at].parent;
	return at ? tree->sibling[at] : 0;
}

double flame_share(const struct flame_chart *chart, const struct flame_frame *frame)
{
	double whole = chart->frames[0].weight;

	return whole > 0 ? frame->weight / whole : frame->width;
}
