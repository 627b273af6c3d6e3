/* calltree_joint.c - what a tree of two sides has of its own */
#include "analysis/calltree.h"

#include "base/mem.h"

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

void calltree_build_joint(struct calltree *tree, const struct naming *naming,
			  const struct calltree_source *sources, size_t nr,
			  const struct calltree_options *options)
{
	CLEANUP(calltree_collector_release) struct calltree_collector collector;

	calltree_collector_init(&collector, tree, sources[0].paths);
	tree->is_joint = true;
	calltree_walk_joint(naming, sources, nr, options, &collector.visitor);
}
