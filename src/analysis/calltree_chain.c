/* calltree_chain.c - nodes of which each is the only one in the one before, said as nodes */
#include "analysis/calltree.h"

#include "analysis/naming.h"

void calltree_chain_say_nodes(const struct calltree_chain *chain, struct calltree_visitor *visitor)
{
	struct calltree_node node = *chain->node;
	const struct calltree_after *last = visitor->after;
	struct calltree_after above = last ? *last : (struct calltree_after){0};

	above.self = 0;
	visitor->after = last ? &above : NULL;
	if (chain->nr)
		node.self = node.self_count = node.lacks_caller = 0;
	for (uint32_t i = 0; i < chain->nr; i++) {
		uint32_t function = chain->functions[i];

		visitor->node(visitor, &node);
		node.function = function;
		node.doubted = chain->is_doubted[function] ? function : FUNCTION_NONE;
		node.depth++;
		node.before = 0;
	}
	node.self = chain->node->self;
	node.self_count = chain->node->self_count;
	node.lacks_caller = chain->node->lacks_caller;
	visitor->after = last;
	visitor->node(visitor, &node);
}

void calltree_chain_say(const struct calltree_chain *chain, struct calltree_visitor *visitor)
{
	if (visitor->chain)
		visitor->chain(visitor, chain);
	else
		calltree_chain_say_nodes(chain, visitor);
}
