/* embed_tree.c - the nodes of a walk as the rows of a picture: of one capture, and of two sides */
#include "commands/embed_tree.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "base/mem.h"
#include "commands/embed_functions.h"

/* Trees have about so many rows for each path: what grows is copied. */
#define ROWS_A_PATH 4

void embed_tree_begin(struct embed_tree *tree, const struct naming *naming,
		      const struct flame_paints *paints, size_t paths_nr)
{
	bool has_samples = tree->rows.has_samples, has_after = tree->rows.has_after;

	flame_rows_release(&tree->rows);
	embed_functions_free(tree->functions);
	tree->rows.has_samples = has_samples;
	tree->rows.has_after = has_after;
	tree->functions = embed_functions_new(naming, paints);
	tree->number_of = embed_functions_numbers(tree->functions);
	tree->nodes_nr = 0;
	tree->is_over = false;
	flame_rows_expect(&tree->rows, ROWS_A_PATH * paths_nr);
}

void embed_tree_release(struct embed_tree *tree)
{
	flame_rows_release(&tree->rows);
	embed_functions_free(tree->functions);
	free(tree->numbers);
}

/* How many whole units there are; what does not fit is the most that does. */
static inline uint64_t whole_units(weight w)
{
	if (w <= UINT64_MAX)
		return (uint64_t)w / (uint64_t)WEIGHT_ONE;
	w /= WEIGHT_ONE;
	return w > UINT64_MAX ? UINT64_MAX : (uint64_t)w;
}

uint64_t embed_tree_steps(const struct embed_tree *tree, weight w, bool is_after)
{
	weight step = tree->step[is_after];

	if (step == WEIGHT_ONE) /* what is mostly so is divided by a constant */
		return whole_units(w);
	if (w <= UINT64_MAX && step <= UINT64_MAX)
		return (uint64_t)w / (uint64_t)step;
	w /= step;
	return w > UINT64_MAX ? UINT64_MAX : (uint64_t)w;
}

weight embed_tree_divisor(weight a, weight b)
{
	while (b) {
		weight rest =
			a <= UINT64_MAX && b <= UINT64_MAX ? (uint64_t)a % (uint64_t)b : a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Most nodes have all of their value for themselves, or nothing. */
static void set_weights(const struct embed_tree *tree, const struct calltree_node *node,
			const struct calltree_after *after, struct flame_row *row)
{
	weight self = node->more ? node->value : node->self;
	weight after_self = !after ? 0 : node->more ? after->value : after->self;

	if (self)
		row->self = embed_tree_steps(tree, self, false);
	if (after_self)
		row->after = embed_tree_steps(tree, after_self, true);
	if (tree->has_lacking && node->lacks_caller)
		row->lacking = embed_tree_steps(tree, node->lacks_caller, false);
	if (tree->rows.has_samples && self)
		row->samples = whole_units(node->more ? node->count : node->self_count);
}

/* known is the tree's number_of: numbers that are written could change it, as the compiler sees it.
 */
static inline uint32_t number_of(struct embed_tree *tree, const uint32_t *known, uint32_t function,
				 bool is_doubted)
{
	uint32_t number = known[function];

	return number ? number - 1 : embed_functions_number(tree->functions, function, is_doubted);
}

static inline uint32_t number_of_node(struct embed_tree *tree, const struct calltree_node *node)
{
	if (node->function == FUNCTION_NONE ||
	    (node->doubted != FUNCTION_NONE && node->doubted != node->function))
		return embed_functions_add(tree->functions, node);
	return number_of(tree, tree->number_of, node->function, node->doubted != FUNCTION_NONE);
}

size_t embed_tree_size(const struct embed_tree *tree)
{
	/* a row's function takes two characters; rare ones take more, and are few */
	return flame_rows_size(&tree->rows) + tree->rows.nr * 2 +
	       embed_functions_size(tree->functions);
}

void embed_tree_add(struct embed_tree *tree, const struct calltree_node *node,
		    const struct calltree_after *after)
{
	struct flame_row row = {.depth = node->depth, .more = node->more};

	tree->nodes_nr += !node->more;
	if (tree->is_over)
		return;
	set_weights(tree, node, after, &row);
	if (!node->more)
		row.function = number_of_node(tree, node);
	flame_rows_add(&tree->rows, &row);
	tree->is_over = embed_tree_size(tree) > tree->size_max;
}

void embed_tree_add_chain(struct embed_tree *tree, const struct calltree_chain *chain,
			  const struct calltree_after *after)
{
	const uint32_t *known = tree->number_of;
	struct flame_row last = {0};
	uint32_t *numbers;

	tree->nodes_nr += (uint64_t)chain->nr + 1;
	if (tree->is_over)
		return;
	GROW(tree->numbers, (size_t)chain->nr + 1, tree->numbers_alloc);
	numbers = tree->numbers;
	*numbers++ = number_of_node(tree, chain->node);
	for (uint32_t i = 0; i < chain->nr; i++) {
		uint32_t function = chain->functions[i];

		*numbers++ = number_of(tree, known, function, chain->is_doubted[function]);
	}
	set_weights(tree, chain->node, after, &last);
	flame_rows_add_chain(&tree->rows, chain->node->depth, tree->numbers, chain->nr + 1, &last);
	tree->is_over = embed_tree_size(tree) > tree->size_max;
}

unsigned embed_tree_class(const struct embed_tree *tree, const uint64_t *by_size, unsigned nr)
{
	uint64_t room = tree->size_max / (embed_tree_size(tree) / (tree->rows.nr + 1) + 1);
	uint64_t nodes_nr = 0;
	unsigned class = nr;

	while (class && nodes_nr + by_size[class - 1] <= room)
		nodes_nr += by_size[--class];
	return class;
}
