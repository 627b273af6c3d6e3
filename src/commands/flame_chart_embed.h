/* flame_chart_embed.h - the samples of a flame chart in its file, for those who zoom into it */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/flamechart_tree.h"
#include "base/text.h"
#include "renderers/flame.h"
#include "renderers/flame_rows.h"
#include "renderers/flamechart.h"

struct embed_functions;
struct flame_paints;
struct flamechart;
struct profile;

struct flame_chart_embed {
	struct flamechart_tree tree;
	struct flame_rows rows;
	struct embed_functions *functions;
	struct rows_text times, ends, groups; /* owned, see struct flamechart_walk */
	size_t *groups_of;		      /* owned: per lane */
	uint64_t lost;			      /* samples whose inner frames are not in the file */
	struct text note;		      /* of what is left out; empty: nothing is */
	struct flame_whole whole;
	struct flamechart_walk walk; /* borrows from all of the above */
};

/*
 * What the picture holds of the chart, which has its moments, in size_max bytes, about. Where that
 * is too little frames of few samples are left out, and neighbouring samples told as one with the
 * frames that they have in common; the note says how many are. `head` is borrowed.
 */
void flame_chart_embed_make(struct flame_chart_embed *embed, const struct profile *profile,
			    const struct flame_paints *paints, const struct flamechart *chart,
			    size_t size_max);
/* Zeroed memory will do. */
void flame_chart_embed_release(struct flame_chart_embed *embed);
