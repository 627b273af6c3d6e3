/* paths_edit.c - other paths out of paths: frames changed, samples and weights the same */
#include "analysis/paths_edit.h"

#include <assert.h>

#include "analysis/naming.h"
#include "base/mem.h"
#include "model/locations.h"

void paths_edit_init(struct paths_edit *edit, const struct paths *from)
{
	assert(!from->place_of);
	*edit = (struct paths_edit){
		.from = from,
		.to = {.naming = from->naming, .tally = from->tally},
	};
	memcpy(edit->to.left_out, from->left_out, sizeof(from->left_out));
	edit->to.list = mem_alloc(from->nr * sizeof(*edit->to.list));
	if (from->sums)
		edit->to.sums = mem_alloc(from->nr * sizeof(*edit->to.sums));
	edit->made_of = mem_alloc(from->nr * sizeof(*edit->made_of));
	memset(edit->made_of, 0xff, from->nr * sizeof(*edit->made_of));
}

void paths_edit_get(struct paths_edit *edit, uint32_t path)
{
	uint32_t nr = paths_depth(edit->from, path);

	GROW(edit->ids, (size_t)nr + 1, edit->ids_alloc);
	for (uint32_t i = 0; i < nr; i++)
		edit->ids[i] = paths_function(edit->from, path, i);
	edit->nr = nr;
}

void paths_edit_put(struct paths_edit *edit, uint32_t path)
{
	struct paths *to = &edit->to;
	struct path made = edit->from->list[path];
	const uint32_t *ids = edit->ids;
	uint32_t nr = edit->nr;

	assert(nr);
	made.root = FUNCTION_NONE;
	if (to->naming->list[*ids].kind == FUNCTION_ROOT) {
		made.root = *ids++;
		nr--;
	}
	made.callers = stacks_add(&to->shortened, ids, nr ? nr - 1 : 0);
	made.leaf = stacks_add(&to->leaves, nr ? ids + nr - 1 : ids, nr ? 1 : 0);
	edit->made_of[path] = to->nr;
	if (to->sums)
		to->sums[to->nr] = edit->from->sums[path];
	to->list[to->nr++] = made;
	to->count += paths_weight(edit->from, path, true);
	to->period += paths_weight(edit->from, path, false);
	if (to->tally->list[made.entry].key.leaf == LOCATION_NONE)
		to->without_chain += paths_weight(edit->from, path, true);
}

void paths_edit_leave_out(struct paths_edit *edit, uint32_t path, enum path_reason reason)
{
	edit->to.left_out[reason] += paths_weight(edit->from, path, true);
}

/* Where entries of the tally are found now. */
static void map_entries(struct paths_edit *edit)
{
	const struct paths *from = edit->from;
	uint32_t nr = from->tally->nr;

	if (!from->of_entry)
		return;
	edit->to.of_entry = mem_alloc(nr * sizeof(*edit->to.of_entry));
	for (uint32_t i = 0; i < nr; i++)
		edit->to.of_entry[i] = from->of_entry[i] == PATH_NONE
					       ? PATH_NONE
					       : edit->made_of[from->of_entry[i]];
}

void paths_edit_finish(struct paths_edit *edit, struct paths *ret)
{
	map_entries(edit);
	if (ret == edit->from)
		paths_release(ret);
	*ret = edit->to;
	ret->callers = &ret->shortened;
	free(edit->ids);
	free(edit->made_of);
	*edit = (struct paths_edit){0};
}
