/* flame_embed.h - the whole call tree of a picture, for those who walk in it */
#pragma once

#include <stdbool.h>

#include "analysis/calltree.h"
#include "base/text.h"
#include "commands/embed_tree.h"
#include "renderers/flame.h"

struct flame_paints;
struct profile;

/* Bytes of a picture that are neither rows nor functions nor drawn, about: style, script. */
#define FLAME_EMBED_ASSETS_SIZE (160 << 10)

/* How many nodes of which weight there are: an eighth of an octave each. */
#define FLAME_EMBED_SIZES (128 * 8)

/* Say the nodes of a walk to the visitor, then end it; flame_embed_fits() tells of the size. */
struct flame_embed {
	struct calltree_visitor visitor;
	struct calltree_visitor *also;	   /* borrowed, is told every node too; NULL */
	const struct profile *profile;	   /* borrowed */
	const struct flame_paints *paints; /* borrowed */
	struct embed_tree base;
	bool is_even; /* a step is one sample: all weigh the same */
	weight least; /* of the last walk */
	struct text step_words, note;
	struct flame_whole whole;
};

void flame_embed_init(struct flame_embed *embed, const struct profile *profile,
		      const struct flame_paints *paints, size_t size_max);
void flame_embed_release(struct flame_embed *embed);

/* Walks the profile's paths; `also` sees the same nodes, of which there are fewer with `least`. */
void flame_embed_walk(struct flame_embed *embed, weight least, struct calltree_visitor *also);

/*
 * Behind a walk of all nodes: leaves out the smallest where they and used_size, of what else is in
 * the file, take more than size_max, and says so in embed->note, which is empty else. Then
 * embed->whole is what the picture holds.
 */
void flame_embed_finish(struct flame_embed *embed, size_t used_size);
