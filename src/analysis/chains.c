/* chains.c - frames that have one child and no weight of their own, joined to it */
#include "analysis/chains.h"

#include "analysis/naming.h"
#include "analysis/paths_edit.h"
#include "base/mem.h"

/* A frame of the tree that sorted paths make: they come as its subtrees do. */
struct node {
	uint32_t children_nr; /* 2 stands for more */
	bool is_end;	      /* a path ends in it */
	uint32_t chain;	      /* the function of the chain that begins here, once it is made */
};

struct joiner {
	const struct paths *paths;
	bool is_from_leaf;
	struct node *nodes; /* the same in both walks, in the order of appearance */
	size_t nodes_nr, nodes_alloc;
	size_t *at; /* of the path at hand: its nodes */
	size_t at_alloc;
	uint32_t *last; /* functions of the path before it */
	uint32_t last_nr;
	size_t last_alloc;
};

static void turn(struct paths_edit *edit)
{
	for (uint32_t i = 0; i < edit->nr / 2; i++) {
		uint32_t id = edit->ids[i];

		edit->ids[i] = edit->ids[edit->nr - 1 - i];
		edit->ids[edit->nr - 1 - i] = id;
	}
}

/*
 * Goes to a path's nodes; those that it shares with the path before it are that one's. Returns
 * how many are.
 */
static uint32_t walk_to(struct joiner *joiner, struct paths_edit *edit, uint32_t path)
{
	const struct function *functions = joiner->paths->naming->list;
	uint32_t shared = 0;

	paths_edit_get(edit, path);
	if (joiner->is_from_leaf)
		turn(edit);
	while (shared < edit->nr && shared < joiner->last_nr &&
	       functions[edit->ids[shared]].name == functions[joiner->last[shared]].name)
		shared++;
	GROW(joiner->at, (size_t)edit->nr + 1, joiner->at_alloc);
	for (uint32_t i = shared; i < edit->nr; i++)
		joiner->at[i] = joiner->nodes_nr++;
	GROW(joiner->last, (size_t)edit->nr + 1, joiner->last_alloc);
	memcpy(joiner->last, edit->ids, edit->nr * sizeof(*edit->ids));
	joiner->last_nr = edit->nr;
	return shared;
}

static void count_children(struct joiner *joiner, const struct paths_edit *edit, uint32_t shared)
{
	size_t begin = joiner->nodes_nr - (edit->nr - shared);

	GROW(joiner->nodes, joiner->nodes_nr + 1, joiner->nodes_alloc);
	for (size_t i = begin; i < joiner->nodes_nr; i++)
		joiner->nodes[i] = (struct node){.chain = FUNCTION_NONE};
	for (uint32_t i = shared; i < edit->nr; i++)
		if (i && joiner->nodes[joiner->at[i - 1]].children_nr < 2)
			joiner->nodes[joiner->at[i - 1]].children_nr++;
	if (edit->nr)
		joiner->nodes[joiner->at[edit->nr - 1]].is_end = true;
}

static bool is_code(const struct joiner *joiner, uint32_t function)
{
	return joiner->paths->naming->list[function].kind != FUNCTION_ROOT;
}

/* The last frame of the chain that begins with the path's i-th. */
static uint32_t chain_end(const struct joiner *joiner, const struct paths_edit *edit, uint32_t i)
{
	const struct node *node = &joiner->nodes[joiner->at[i]];

	while (i + 1 < edit->nr && node->children_nr == 1 && !node->is_end &&
	       is_code(joiner, edit->ids[i]) && is_code(joiner, edit->ids[i + 1]))
		node = &joiner->nodes[joiner->at[++i]];
	return i;
}

static void join(struct joiner *joiner, struct paths_edit *edit)
{
	uint32_t nr = 0;

	for (uint32_t i = 0, end; i < edit->nr; i = end + 1) {
		uint32_t *chain = &joiner->nodes[joiner->at[i]].chain;

		end = chain_end(joiner, edit, i);
		if (*chain == FUNCTION_NONE)
			*chain = naming_chain(joiner->paths->naming, edit->ids + i, end - i + 1);
		edit->ids[nr++] = *chain;
	}
	edit->nr = nr;
	if (joiner->is_from_leaf)
		turn(edit);
}

void chains_join(struct paths *paths, bool is_from_leaf)
{
	struct joiner joiner = {.paths = paths, .is_from_leaf = is_from_leaf};
	uint32_t *sorted = is_from_leaf ? paths_sorted_from_leaf(paths) : paths_sorted(paths);
	struct paths_edit edit;

	paths_edit_init(&edit, paths);
	for (uint32_t i = 0; i < paths->nr; i++)
		count_children(&joiner, &edit, walk_to(&joiner, &edit, sorted[i]));
	joiner.nodes_nr = joiner.last_nr = 0;
	for (uint32_t i = 0; i < paths->nr; i++) {
		walk_to(&joiner, &edit, sorted[i]);
		join(&joiner, &edit);
		paths_edit_put(&edit, sorted[i]);
	}
	paths_edit_finish(&edit, paths);
	free(joiner.nodes);
	free(joiner.at);
	free(joiner.last);
	free(sorted);
}
