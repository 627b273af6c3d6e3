/* calltree_joint.c - what a tree of two sides has of its own */
#include "analysis/calltree.h"

#include "base/mem.h"

double calltree_width(const struct calltree_options *options, weight before, weight after)
{
	double one = before ? weight_number(before) : 0;
	double other = after ? weight_number(after) * options->after_scale : 0;

	switch (options->widths) {
	case CALLTREE_WIDTHS_BEFORE:
		return one;
	case CALLTREE_WIDTHS_AFTER:
		return other;
	case CALLTREE_WIDTHS_BOTH:
		break;
	}
	return one > other ? one : other;
}

void calltree_build_joint(struct calltree *tree, const struct naming *naming,
			  const struct calltree_source *sources, size_t nr,
			  const struct calltree_options *options)
{
	CLEANUP(calltree_collector_release) struct calltree_collector collector;

	calltree_collector_init(&collector, tree, sources[0].paths);
	calltree_walk_joint(naming, sources, nr, options, &collector.visitor);
}
