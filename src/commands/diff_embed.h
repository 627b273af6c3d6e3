/* diff_embed.h - the joint call tree of a comparison, whole, for those who walk in its picture */
#pragma once

#include <stdbool.h>

#include "analysis/calltree.h"
#include "base/text.h"
#include "commands/flame_paints.h"
#include "renderers/flame.h"
#include "renderers/flame_rows.h"

struct diff_report;

/* How many nodes of which width there are: a quarter of an octave each. */
#define DIFF_EMBED_SIZES 512

#define DIFF_EMBED_WIDTHS (CALLTREE_WIDTHS_BEFORE + 1)

/* A zeroed one can be released. */
struct diff_embed {
	struct calltree_visitor visitor;
	const struct diff_report *report; /* borrowed */
	struct flame_paints paints;	  /* none: colours come from both weights */
	struct flame_rows rows;
	struct embed_functions *functions; /* owned */
	uint32_t *function_of;		   /* owned, per number of functions: of the naming */
	size_t function_of_alloc;
	weight step[2]; /* of before and after: the largest that all weights are a multiple of */
	uint64_t nodes_nr, by_size[DIFF_EMBED_SIZES];
	size_t size_max;
	bool is_over;
	struct flame_function *list; /* owned */
	struct flame_judged *judged; /* owned */
	struct text strings, step_words[2], width_words[DIFF_EMBED_WIDTHS], note;
	struct flame_comparison comparison;
	struct flame_whole whole; /* what the picture holds */
};

/*
 * Fills embed->whole with every node of both sides, report->tree_options saying what is how wide,
 * or with the widest of them where they would take more than size_max bytes: embed->note says so,
 * and is empty else. points_max is the scale of the colours.
 */
void diff_embed_build(struct diff_embed *embed, const struct diff_report *report, double points_max,
		      size_t size_max);
void diff_embed_release(struct diff_embed *embed);
