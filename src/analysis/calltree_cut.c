/* calltree_cut.c - of the nodes of a walk those that are wide enough, the others as "more" */
#include "analysis/calltree_cut.h"

#include "analysis/naming.h"
#include "base/mem.h"

/* The children of the last node of a depth. */
struct calltree_level {
	weight before;		     /* of those that were passed on */
	struct calltree_node more;   /* where its `more` is 0 nothing else of it is set */
	struct calltree_after after; /* of more, where there are two sides; set with it */
};

/* `after` is that of a walk of two sides, NULL of one. */
static void pass_on(struct calltree_cut *cut, const struct calltree_node *node,
		    const struct calltree_after *after)
{
	cut->to->after = after;
	cut->to->node(cut->to, node);
}

static void end_levels(struct calltree_cut *cut, uint32_t nr)
{
	while (cut->levels_nr > nr) {
		struct calltree_level *level = &cut->levels[--cut->levels_nr];

		if (!level->more.more)
			continue;
		level->more.before = level->before;
		pass_on(cut, &level->more, cut->is_joint ? &level->after : NULL);
	}
}

static struct calltree_level *begin_level(struct calltree_cut *cut)
{
	struct calltree_level *level;

	GROW(cut->levels, (size_t)cut->levels_nr + 1, cut->levels_alloc);
	level = &cut->levels[cut->levels_nr++];
	level->before = 0;
	level->more.more = 0;
	return level;
}

static bool is_narrow(const struct calltree_cut *cut, const struct calltree_node *node)
{
	const struct calltree_after *after = cut->visitor.after;

	return node->depth && (after ? after->width < cut->least_width : node->value < cut->least);
}

static void add_more(struct calltree_level *level, const struct calltree_node *node,
		     const struct calltree_after *after)
{
	if (!level->more.more) {
		level->more = (struct calltree_node){
			.function = FUNCTION_NONE, .doubted = FUNCTION_NONE, .depth = node->depth};
		level->after = (struct calltree_after){0};
	}
	level->more.more += node->more ? node->more : 1;
	level->more.value += node->value;
	level->more.count += node->count;
	if (after) {
		level->after.value += after->value;
		level->after.width += after->width;
	}
}

/* Level i holds the nodes of depth i: the one of a node is there since its parent was passed on. */
static void visit(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct calltree_cut *cut = (struct calltree_cut *)visitor;
	struct calltree_node passed;
	struct calltree_level *level;

	if (cut->is_cut && node->depth > cut->cut_depth)
		return;
	cut->is_joint = visitor->after;
	end_levels(cut, node->depth + 1);
	level = cut->levels_nr > node->depth ? &cut->levels[node->depth] : begin_level(cut);
	cut->is_cut = node->more || is_narrow(cut, node);
	cut->cut_depth = node->depth;
	if (cut->is_cut) {
		add_more(level, node, visitor->after);
		return;
	}
	passed = *node;
	passed.before = level->before;
	level->before += node->value;
	pass_on(cut, &passed, visitor->after);
	begin_level(cut);
}

/* Of a chain that is too narrow the first node is: all others are under it. */
static void visit_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	struct calltree_cut *cut = (struct calltree_cut *)visitor;
	const struct calltree_node *first = chain->node;

	if (cut->is_cut && first->depth > cut->cut_depth)
		return;
	if (is_narrow(cut, first))
		visit(visitor, first);
	else
		calltree_chain_say_nodes(chain, visitor);
}

void calltree_cut_init(struct calltree_cut *cut, weight least, struct calltree_visitor *to)
{
	*cut = (struct calltree_cut){.visitor = {visit, visit_chain},
				     .least = least,
				     .least_width = weight_number(least),
				     .to = to};
}

void calltree_cut_end(struct calltree_cut *cut)
{
	end_levels(cut, 0);
}

void calltree_cut_release(struct calltree_cut *cut)
{
	free(cut->levels);
}
