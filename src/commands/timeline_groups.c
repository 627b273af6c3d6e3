/* timeline_groups.c - which row of an embedded tree a path's samples end in */
#include "commands/timeline_groups.h"

#include <assert.h>

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"

static void visit(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct timeline_groups *groups = (struct timeline_groups *)visitor;
	uint32_t group = UINT32_MAX;

	if (node->more)
		return;
	if (node->self)
		group = groups->met++;
	GROW(groups->nodes, groups->nodes_nr + 1, groups->nodes_alloc);
	groups->nodes[groups->nodes_nr++] = (struct timeline_node){node->depth, group, node->value};
}

static uint32_t name_at(const struct paths *paths, uint32_t path, uint32_t depth)
{
	return paths->naming->list[paths_function(paths, path, depth)].name;
}

static bool has_same_names(const struct paths *paths, uint32_t a, uint32_t b)
{
	uint32_t depth = paths_depth(paths, a);

	if (paths_depth(paths, b) != depth)
		return false;
	while (depth--)
		if (name_at(paths, a, depth) != name_at(paths, b, depth))
			return false;
	return true;
}

void timeline_groups_init(struct timeline_groups *groups, const struct paths *paths,
			  bool counts_samples)
{
	uint32_t *sorted = paths_sorted(paths), last = UINT32_MAX;

	*groups = (struct timeline_groups){.visitor = {visit}};
	groups->of_path = mem_alloc((paths->nr + 1) * sizeof(*groups->of_path));
	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t path = sorted[i];

		groups->of_path[path] = UINT32_MAX;
		if (!paths_weight(paths, path, counts_samples))
			continue;
		if (last == UINT32_MAX || !has_same_names(paths, last, path))
			groups->nr++;
		groups->of_path[path] = groups->nr - 1;
		last = path;
	}
	free(sorted);
}

void timeline_groups_release(struct timeline_groups *groups)
{
	free(groups->of_path);
	free(groups->nodes);
	*groups = (struct timeline_groups){0};
}

/* ---- rows */

/* A node that is kept and not yet left: what of its children is left out goes to one list. */
struct open_node {
	uint32_t depth, left_out; /* the first group of the list, UINT32_MAX for none */
};

struct numbering {
	const struct timeline_groups *groups;
	uint32_t *rows; /* per group: its row; of a list that is not ended: the next group */
	struct open_node *open;
	size_t open_nr, open_alloc;
	uint32_t nr;
	weight least;
};

/* Behind the last child of a node comes what was left out of them. */
static void close_nodes(struct numbering *numbering, uint32_t depth)
{
	while (numbering->open_nr && numbering->open[numbering->open_nr - 1].depth >= depth) {
		uint32_t group = numbering->open[--numbering->open_nr].left_out;
		uint32_t row = numbering->nr;

		numbering->nr += group != UINT32_MAX;
		while (group != UINT32_MAX) {
			uint32_t next = numbering->rows[group];

			numbering->rows[group] = row;
			group = next;
		}
	}
}

static void leave_out(struct numbering *numbering, uint32_t group)
{
	struct open_node *parent = &numbering->open[numbering->open_nr - 1];

	if (group == UINT32_MAX)
		return;
	numbering->rows[group] = parent->left_out;
	parent->left_out = group;
}

/* The node at i, and with one that is left out all that is under it. Returns the next. */
static size_t number_node(struct numbering *numbering, size_t i)
{
	const struct timeline_groups *groups = numbering->groups;
	const struct timeline_node *node = &groups->nodes[i];

	close_nodes(numbering, node->depth);
	if (i && node->value < numbering->least) {
		do
			leave_out(numbering, groups->nodes[i++].group);
		while (i < groups->nodes_nr && groups->nodes[i].depth > node->depth);
		return i;
	}
	if (node->group != UINT32_MAX)
		numbering->rows[node->group] = numbering->nr++;
	GROW(numbering->open, numbering->open_nr + 1, numbering->open_alloc);
	numbering->open[numbering->open_nr++] = (struct open_node){node->depth, UINT32_MAX};
	return i + 1;
}

uint32_t *timeline_groups_rows(const struct timeline_groups *groups, weight least, uint32_t *ret_nr)
{
	struct numbering numbering = {.groups = groups, .least = least};

	assert(groups->met == groups->nr);
	numbering.rows = mem_alloc((groups->nr + (size_t)1) * sizeof(*numbering.rows));
	for (size_t i = 0; i < groups->nodes_nr;)
		i = number_node(&numbering, i);
	close_nodes(&numbering, 0);
	free(numbering.open);
	*ret_nr = numbering.nr;
	return numbering.rows;
}
