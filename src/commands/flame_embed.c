/* flame_embed.c - the whole call tree of a picture, for those who walk in it */
#include "commands/flame_embed.h"

#include <inttypes.h>

#include "base/mem.h"
#include "commands/embed_functions.h"
#include "commands/profile.h"

static weight weight_of_path(const struct profile *profile, uint32_t path)
{
	return paths_weight(&profile->paths, path, profile->counts_samples);
}

static weight total_of(const struct profile *profile)
{
	return profile->counts_samples ? profile->paths.count : profile->paths.period;
}

/* Periods are mostly the same for all samples: then the one number follows from the other. */
static weight even_step(const struct profile *profile)
{
	const struct paths *paths = &profile->paths;
	weight samples, step;

	if (profile->counts_samples || !paths->nr)
		return 0;
	samples = paths_weight(paths, 0, true) / WEIGHT_ONE;
	step = samples ? weight_of_path(profile, 0) / samples : 0;
	for (uint32_t i = 0; i < paths->nr && step; i++) {
		weight count = paths_weight(paths, i, true);

		if (count / WEIGHT_ONE * step != weight_of_path(profile, i) || count % WEIGHT_ONE)
			return 0;
	}
	return step <= UINT64_MAX ? step : 0;
}

/* Most steps are one, and to divide by a constant is no division. */
static inline bool is_multiple(weight w, weight step)
{
	if (w > UINT64_MAX)
		return w % step == 0;
	return (step == WEIGHT_ONE ? (uint64_t)w % (uint64_t)WEIGHT_ONE
				   : (uint64_t)w % (uint64_t)step) == 0;
}

/* Else so small a step that all weights are whole. */
static weight common_step(const struct profile *profile)
{
	weight step = 0;

	for (uint32_t i = 0; i < profile->paths.nr; i++) {
		weight w = weight_of_path(profile, i);

		if (!step)
			step = w;
		else if (!is_multiple(w, step))
			step = embed_tree_divisor(step, w);
		if (step > UINT64_MAX)
			step = WEIGHT_ONE;
	}
	return step ? step : WEIGHT_ONE;
}

/* The sum of all has to fit into 64 bits. */
static void find_step(struct flame_embed *embed)
{
	weight step = even_step(embed->profile), total = total_of(embed->profile);

	embed->is_even = step;
	if (!step)
		step = common_step(embed->profile);
	while (total / step > UINT64_MAX) {
		step *= 2;
		embed->is_even = false;
	}
	embed->base.step[0] = step;
}

/* ---- sizes, which are asked for where not all has room */

static unsigned size_class(weight w)
{
	uint64_t high = (uint64_t)(w >> 64), low = (uint64_t)w;
	unsigned octave;

	if (w < 8)
		return (unsigned)w;
	if (high) {
		octave = 127 - (unsigned)__builtin_clzll(high);
		return octave * 8 + ((unsigned)(w >> (octave - 3)) & 7);
	}
	octave = 63 - (unsigned)__builtin_clzll(low);
	return octave * 8 + ((unsigned)(low >> (octave - 3)) & 7);
}

/* The least weight of a class. */
static weight class_least(unsigned class)
{
	if (class < 24) /* three octaves are below 8 */
		return class < 8 ? class : 8;
	if (class >= FLAME_EMBED_SIZES)
		return ~(weight)0;
	return (weight)(8 + class % 8) << (class / 8 - 3);
}

struct counter {
	struct calltree_visitor visitor;
	uint64_t by_size[FLAME_EMBED_SIZES]; /* nodes */
};

static void count(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	((struct counter *)visitor)->by_size[size_class(node->value)]++;
}

static void count_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	((struct counter *)visitor)->by_size[size_class(chain->node->value)] +=
		(uint64_t)chain->nr + 1;
}

/* The class from which on the nodes fit, if they are like those that were kept. */
static unsigned find_class(const struct flame_embed *embed)
{
	struct calltree_options options = {.counts_samples = embed->profile->counts_samples};
	struct counter counter = {.visitor = {count, count_chain}};

	calltree_walk(&embed->profile->paths, &options, &counter.visitor);
	return embed_tree_class(&embed->base, counter.by_size, FLAME_EMBED_SIZES);
}

/* ---- the walk */

static void visit(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct flame_embed *embed = (struct flame_embed *)visitor;

	if (embed->also)
		embed->also->node(embed->also, node);
	embed_tree_add(&embed->base, node, NULL);
}

static void visit_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	struct flame_embed *embed = (struct flame_embed *)visitor;

	if (embed->also)
		calltree_chain_say(chain, embed->also);
	embed_tree_add_chain(&embed->base, chain, NULL);
}

void flame_embed_init(struct flame_embed *embed, const struct profile *profile,
		      const struct flame_paints *paints, size_t size_max)
{
	*embed = (struct flame_embed){.visitor = {visit, visit_chain},
				      .profile = profile,
				      .paints = paints,
				      .base = {.size_max = size_max, .has_lacking = true}};
	find_step(embed);
	weight_add(&embed->step_words, embed->base.step[0]);
}

void flame_embed_release(struct flame_embed *embed)
{
	embed_tree_release(&embed->base);
	text_release(&embed->step_words);
	text_release(&embed->note);
}

void flame_embed_walk(struct flame_embed *embed, weight least, struct calltree_visitor *also)
{
	struct calltree_options options = {.least = least,
					   .counts_samples = embed->profile->counts_samples};

	embed->base.rows.has_samples = !embed->is_even && !embed->profile->counts_samples;
	embed->least = least;
	embed->also = also;
	embed_tree_begin(&embed->base, &embed->profile->naming, embed->paints,
			 least ? 0 : embed->profile->paths.nr);
	calltree_walk(&embed->profile->paths, &options, &embed->visitor);
}

void flame_embed_finish(struct flame_embed *embed, size_t used_size)
{
	struct embed_tree *tree = &embed->base;
	uint64_t all = tree->nodes_nr;
	weight least = 0;

	tree->size_max = used_size + EMBED_TREE_LEAST < tree->size_max ? tree->size_max - used_size
								       : EMBED_TREE_LEAST;
	tree->is_over |= embed_tree_size(tree) > tree->size_max;
	for (unsigned class = tree->is_over ? find_class(embed) : 0; tree->is_over; class ++) {
		least = class_least(class);
		flame_embed_walk(embed, least, NULL);
	}
	if (least) {
		text_addf(&embed->note, "%" PRIu64 " of %" PRIu64 " frames, each less than ",
			  all - tree->nodes_nr, all);
		units_add_percent(&embed->note, weight_share(least, total_of(embed->profile)), 6);
		text_add(&embed->note, " of all, are not in this file; --max-size keeps more");
	}
	embed->whole = (struct flame_whole){
		.rows = &tree->rows,
		.functions = embed_functions_list(tree->functions),
		.functions_nr = embed_functions_nr(tree->functions),
		.step = text_string(&embed->step_words),
		.samples_step = embed->is_even ? "1" : NULL,
		.note = embed->note.size ? embed->note.bytes : NULL,
	};
}
