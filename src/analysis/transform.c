/* transform.c - paths made simpler by their names: modules, recursion, chains, one subtree */
#include "analysis/transform.h"

#include "analysis/chains.h"
#include "analysis/naming.h"
#include "analysis/paths_edit.h"
#include "base/mem.h"
#include "model/capture.h"

struct transformer {
	const struct transforms *wanted;
	struct naming *naming;
	uint32_t *module_of; /* per function: what stands for it, FUNCTION_NONE: itself */
	uint32_t *last_at;   /* per name: where it stood last in the path at hand */
};

/* ---- modules */

static bool is_collapsed(const struct transforms *wanted, const struct naming *naming,
			 const struct function *function)
{
	const struct names *names = &naming->capture->names;
	const struct module *module;

	if (function->kind != FUNCTION_CODE)
		return false;
	if (wanted->are_modules)
		return true;
	if (function->module == MODULE_NONE)
		return false;
	module = &naming->capture->modules.list[function->module];
	for (size_t i = 0; i < wanted->collapsed_nr; i++)
		if (regexec(&wanted->collapsed[i], names_get(names, module->path)->bytes, 0, NULL,
			    0) == 0 ||
		    regexec(&wanted->collapsed[i], names_get(names, module->basename)->bytes, 0,
			    NULL, 0) == 0)
			return true;
	return false;
}

/* Each function is looked at once, however often it occurs. */
static void find_modules(struct transformer *transformer)
{
	struct naming *naming = transformer->naming;
	uint32_t nr = naming->nr;

	transformer->module_of = mem_alloc(nr * sizeof(*transformer->module_of));
	for (uint32_t i = 0; i < nr; i++)
		transformer->module_of[i] =
			is_collapsed(transformer->wanted, naming, &naming->list[i])
				? naming_module(naming, i)
				: FUNCTION_NONE;
}

/* Neighbours of one module are one frame. */
static void collapse_modules(const struct transformer *transformer, struct paths_edit *edit)
{
	const struct function *functions = transformer->naming->list;
	uint32_t nr = 0, before = NAME_NONE;

	for (uint32_t i = 0; i < edit->nr; i++) {
		uint32_t module = transformer->module_of[edit->ids[i]];

		if (module == FUNCTION_NONE)
			edit->ids[nr++] = edit->ids[i];
		else if (functions[module].name != before)
			edit->ids[nr++] = module;
		before = module == FUNCTION_NONE ? NAME_NONE : functions[module].name;
	}
	edit->nr = nr;
}

/* ---- recursion */

static uint32_t name_at(const struct transformer *transformer, const struct paths_edit *edit,
			uint32_t i)
{
	return transformer->naming->list[edit->ids[i]].name;
}

/* A root may have the name of a function: it does not call itself. */
static uint32_t first_code(const struct transformer *transformer, const struct paths_edit *edit)
{
	return edit->nr && transformer->naming->list[edit->ids[0]].kind == FUNCTION_ROOT;
}

static void collapse_direct(const struct transformer *transformer, struct paths_edit *edit)
{
	uint32_t first = first_code(transformer, edit), nr = first;

	for (uint32_t i = first; i < edit->nr; i++)
		if (nr == first ||
		    name_at(transformer, edit, i) != name_at(transformer, edit, nr - 1))
			edit->ids[nr++] = edit->ids[i];
	edit->nr = nr;
}

/* What stands between two frames of a name goes, too: no name is left twice. */
static void collapse_all(struct transformer *transformer, struct paths_edit *edit)
{
	uint32_t first = first_code(transformer, edit), nr = first;

	for (uint32_t i = first; i < edit->nr; i++)
		transformer->last_at[name_at(transformer, edit, i)] = i;
	for (uint32_t i = first; i < edit->nr; i++) {
		uint32_t last = transformer->last_at[name_at(transformer, edit, i)];

		edit->ids[nr++] = edit->ids[i];
		i = last;
	}
	edit->nr = nr;
}

static void collapse_recursion(struct transformer *transformer, struct paths_edit *edit)
{
	if (transformer->wanted->recursion == TRANSFORM_RECURSION_DIRECT)
		collapse_direct(transformer, edit);
	else if (transformer->wanted->recursion == TRANSFORM_RECURSION_ALL)
		collapse_all(transformer, edit);
}

/* ---- subtrees */

/* As folded lines write it: a ';' in the name is a ':' there. */
static bool is_name(const struct name *name, const char *written, size_t size)
{
	if (name->size != size)
		return false;
	for (size_t i = 0; i < size; i++) {
		char c = name->bytes[i] == ';' ? ':' : name->bytes[i];

		if (c != written[i])
			return false;
	}
	return true;
}

/* How many frames the subtree's own path has; 0: this path is not in it. */
static uint32_t depth_in(const struct transformer *transformer, const struct paths_edit *edit,
			 const char *subtree)
{
	const struct names *names = &transformer->naming->capture->names;

	for (uint32_t i = 0; i < edit->nr; i++) {
		size_t size = strcspn(subtree, ";");

		if (!is_name(names_get(names, name_at(transformer, edit, i)), subtree, size))
			return 0;
		subtree += size;
		if (!*subtree++)
			return i + 1;
	}
	return 0;
}

/* The subtree's last frame becomes the outermost. False: the path is in none. */
static bool cut_to_subtree(const struct transformer *transformer, struct paths_edit *edit)
{
	const struct transforms *wanted = transformer->wanted;
	uint32_t depth = 0;

	for (size_t i = 0; i < wanted->subtrees_nr && !depth; i++)
		depth = depth_in(transformer, edit, wanted->subtrees[i]);
	if (!depth)
		return !wanted->subtrees_nr;
	edit->nr -= depth - 1;
	memmove(edit->ids, edit->ids + depth - 1, edit->nr * sizeof(*edit->ids));
	return true;
}

/* ---- all of them */

static void transform_each(struct paths *paths, const struct transforms *wanted)
{
	struct transformer transformer = {.wanted = wanted, .naming = paths->naming};
	struct paths_edit edit;

	if (wanted->are_modules || wanted->collapsed_nr)
		find_modules(&transformer);
	if (wanted->recursion == TRANSFORM_RECURSION_ALL)
		transformer.last_at =
			mem_zalloc(paths->naming->capture->names.nr, sizeof(*transformer.last_at));
	paths_edit_init(&edit, paths);
	for (uint32_t i = 0; i < paths->nr; i++) {
		paths_edit_get(&edit, i);
		if (transformer.module_of)
			collapse_modules(&transformer, &edit);
		collapse_recursion(&transformer, &edit);
		if (cut_to_subtree(&transformer, &edit))
			paths_edit_put(&edit, i);
		else
			paths_edit_leave_out(&edit, i, PATH_SUBTREE);
	}
	paths_edit_finish(&edit, paths);
	free(transformer.module_of);
	free(transformer.last_at);
}

static bool is_each(const struct transforms *transforms)
{
	return transforms->are_modules || transforms->collapsed_nr || transforms->recursion ||
	       transforms->subtrees_nr;
}

bool transform_is_any(const struct transforms *transforms)
{
	return is_each(transforms) || transforms->has_chains;
}

void transform_paths(struct paths *paths, const struct transforms *transforms)
{
	if (is_each(transforms))
		transform_each(paths, transforms);
	if (transforms->has_chains)
		chains_join(paths, transforms->is_from_leaf);
}
