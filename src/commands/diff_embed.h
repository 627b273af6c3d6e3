/* diff_embed.h - the joint call tree of a comparison, whole, for those who walk in its picture */
#pragma once

#include <stdbool.h>

#include "analysis/calltree.h"
#include "base/text.h"
#include "commands/embed_tree.h"
#include "commands/flame_paints.h"
#include "renderers/flame.h"

struct diff_report;

/* How many nodes of which width there are: a quarter of an octave each. */
#define DIFF_EMBED_SIZES 512

#define DIFF_EMBED_WIDTHS (CALLTREE_WIDTHS_BEFORE + 1)

/* A zeroed one can be released. */
struct diff_embed {
	struct calltree_visitor visitor;
	struct calltree_visitor *also;	  /* who else is told; NULL */
	const struct diff_report *report; /* borrowed */
	struct flame_paints paints;	  /* none: colours come from both weights */
	struct embed_tree base;
	uint64_t by_size[DIFF_EMBED_SIZES]; /* nodes, once they were counted */
	bool counts_sizes;
	struct flame_function *list; /* owned */
	struct flame_judged *judged; /* owned */
	struct text strings, step_words[2], width_words[DIFF_EMBED_WIDTHS], note;
	struct flame_comparison comparison;
	struct flame_whole whole; /* what the picture holds */
};

/*
 * To be called first. Walks all nodes of both sides, report->tree_options saying what is how wide;
 * `also` is told them, too. Rows are kept up to size_max bytes of a picture.
 */
void diff_embed_walk(struct diff_embed *embed, const struct diff_report *report, size_t size_max,
		     struct calltree_visitor *also);

/*
 * Fills embed->whole with every node, or with the widest of them where they take more than what is
 * left of size_max beside used_size bytes: embed->note says so, and is empty else. points_max is
 * the scale of the colours.
 */
void diff_embed_finish(struct diff_embed *embed, double points_max, size_t used_size);
void diff_embed_release(struct diff_embed *embed);
