/* flame_embed.c - the whole call tree of a picture, for those who walk in it */
#include "commands/flame_embed.h"

#include <inttypes.h>

#include "base/mem.h"
#include "commands/embed_functions.h"
#include "commands/profile.h"

/* What is always there is the root: it fits into this. */
#define SIZE_LEAST (64 << 10)

/* Trees have about so many rows for each path, and more. */
#define ROWS_A_PATH 3

static uint64_t steps_of(const struct flame_embed *embed, weight w)
{
	if (w <= UINT64_MAX)
		return (uint64_t)w / (uint64_t)embed->step;
	w /= embed->step;
	return w > UINT64_MAX ? UINT64_MAX : (uint64_t)w;
}

static weight greatest_divisor(weight a, weight b)
{
	while (b) {
		weight rest =
			a <= UINT64_MAX && b <= UINT64_MAX ? (uint64_t)a % (uint64_t)b : a % b;

		a = b;
		b = rest;
	}
	return a;
}

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

/* Else so small a step that all weights are whole. */
static weight common_step(const struct profile *profile)
{
	weight step = 0;

	for (uint32_t i = 0; i < profile->paths.nr; i++) {
		weight w = weight_of_path(profile, i);

		if (!step)
			step = w;
		else if (w <= UINT64_MAX ? (uint64_t)w % (uint64_t)step : w % step)
			step = greatest_divisor(step, w);
		if (step > UINT64_MAX)
			step = WEIGHT_ONE;
	}
	return step ? step : WEIGHT_ONE;
}

/* The sum of all has to fit into 64 bits. */
static void find_step(struct flame_embed *embed)
{
	embed->step = even_step(embed->profile);
	embed->is_even = embed->step;
	if (!embed->step)
		embed->step = common_step(embed->profile);
	while (total_of(embed->profile) / embed->step > UINT64_MAX) {
		embed->step *= 2;
		embed->is_even = false;
	}
}

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

static uint64_t whole_samples(weight count)
{
	return (uint64_t)(count <= UINT64_MAX ? (uint64_t)count / (uint64_t)WEIGHT_ONE
					      : count / WEIGHT_ONE);
}

/* Most nodes have all of their value for themselves, or nothing. */
static void set_weights(const struct flame_embed *embed, const struct calltree_node *node,
			struct flame_row *row)
{
	weight self = node->more ? node->value : node->self;

	if (self)
		row->self = steps_of(embed, self);
	if (node->lacks_caller)
		row->lacking = steps_of(embed, node->lacks_caller);
	if (embed->rows.has_samples && self)
		row->samples = whole_samples(node->more ? node->count : node->self_count);
}

static void add_row(struct flame_embed *embed, const struct calltree_node *node)
{
	struct flame_row row = {.depth = node->depth, .more = node->more};

	set_weights(embed, node, &row);
	if (!node->more)
		row.function = embed_functions_add(embed->functions, node);
	flame_rows_add(&embed->rows, &row);
}

static void add_chain(struct flame_embed *embed, const struct calltree_chain *chain)
{
	struct flame_row first = {.depth = chain->node.depth}, last = {0};

	first.function = embed_functions_add(embed->functions, &chain->node);
	flame_rows_add(&embed->rows, &first);
	GROW(embed->numbers, chain->nr, embed->numbers_alloc);
	for (uint32_t i = 0; i < chain->nr; i++)
		embed->numbers[i] = embed_functions_number(embed->functions, chain->functions[i],
							   chain->is_doubted[chain->functions[i]]);
	set_weights(embed, &chain->node, &last);
	flame_rows_add_chain(&embed->rows, embed->numbers, chain->nr, &last);
}

/* A row's function takes nearly two characters, on average. */
static size_t size_of(const struct flame_embed *embed)
{
	return flame_rows_size(&embed->rows) + embed->rows.nr * 2 +
	       embed_functions_size(embed->functions);
}

static void visit(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct flame_embed *embed = (struct flame_embed *)visitor;

	if (embed->also)
		embed->also->node(embed->also, node);
	embed->nodes_nr += !node->more;
	embed->by_size[size_class(node->value)]++;
	if (embed->is_over)
		return;
	add_row(embed, node);
	embed->is_over = size_of(embed) > embed->size_max;
}

static void visit_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	struct flame_embed *embed = (struct flame_embed *)visitor;

	if (!chain->nr) {
		visit(visitor, &chain->node);
		return;
	}
	if (embed->also)
		calltree_chain_say(chain, embed->also);
	embed->nodes_nr += chain->nr + 1;
	embed->by_size[size_class(chain->node.value)] += chain->nr + 1;
	if (embed->is_over)
		return;
	add_chain(embed, chain);
	embed->is_over = size_of(embed) > embed->size_max;
}

void flame_embed_init(struct flame_embed *embed, const struct profile *profile,
		      const struct flame_paints *paints, size_t size_max)
{
	*embed = (struct flame_embed){.visitor = {visit, visit_chain},
				      .profile = profile,
				      .paints = paints,
				      .size_max = size_max};
	find_step(embed);
	weight_add(&embed->step_words, embed->step);
}

void flame_embed_release(struct flame_embed *embed)
{
	flame_rows_release(&embed->rows);
	embed_functions_free(embed->functions);
	free(embed->numbers);
	text_release(&embed->step_words);
	text_release(&embed->note);
}

void flame_embed_walk(struct flame_embed *embed, weight least, struct calltree_visitor *also)
{
	struct calltree_options options = {.least = least,
					   .counts_samples = embed->profile->counts_samples};

	flame_rows_release(&embed->rows);
	embed_functions_free(embed->functions);
	embed->functions = embed_functions_new(&embed->profile->naming, embed->paints);
	embed->rows.has_samples = !embed->is_even && !embed->profile->counts_samples;
	embed->least = least;
	embed->nodes_nr = 0;
	embed->is_over = false;
	embed->also = also;
	if (!least)
		flame_rows_expect(&embed->rows, ROWS_A_PATH * (size_t)embed->profile->paths.nr);
	calltree_walk(&embed->profile->paths, &options, &embed->visitor);
}

/* The class from which on the nodes fit, if they are like those that were kept. */
static unsigned find_class(const struct flame_embed *embed)
{
	uint64_t row_size = size_of(embed) / (embed->rows.nr + 1) + 1;
	uint64_t room = embed->size_max / row_size, nr = 0;
	unsigned class = FLAME_EMBED_SIZES;

	while (class && nr + embed->by_size[class - 1] <= room)
		nr += embed->by_size[--class];
	return class;
}

void flame_embed_finish(struct flame_embed *embed, size_t used_size)
{
	uint64_t all = embed->nodes_nr;
	weight least = 0;

	embed->size_max =
		used_size + SIZE_LEAST < embed->size_max ? embed->size_max - used_size : SIZE_LEAST;
	embed->is_over |= size_of(embed) > embed->size_max;
	for (unsigned class = find_class(embed); embed->is_over; class ++) {
		least = class_least(class);
		flame_embed_walk(embed, least, NULL);
	}
	if (least) {
		text_addf(&embed->note, "%" PRIu64 " of %" PRIu64 " frames, each less than ",
			  all - embed->nodes_nr, all);
		units_add_percent(&embed->note, weight_share(least, total_of(embed->profile)), 6);
		text_add(&embed->note, " of all, are not in this file; --max-size keeps more");
	}
	embed->whole = (struct flame_whole){
		.rows = &embed->rows,
		.functions = embed_functions_list(embed->functions),
		.functions_nr = embed_functions_nr(embed->functions),
		.step = text_string(&embed->step_words),
		.samples_step = embed->is_even ? "1" : NULL,
		.note = embed->note.size ? embed->note.bytes : NULL,
	};
}
