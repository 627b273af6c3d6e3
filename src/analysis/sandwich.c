/* sandwich.c - a function in the middle: who calls it, and what it calls, over all places */
#include "analysis/sandwich.h"

#include "analysis/naming.h"
#include "analysis/paths_edit.h"
#include "base/mem.h"
#include "model/capture.h"

static const char *name_of(const struct naming *naming, uint32_t function)
{
	return names_get(&naming->capture->names, naming->list[function].name)->bytes;
}

static bool is_code(const struct naming *naming, uint32_t function)
{
	return naming->list[function].kind != FUNCTION_ROOT;
}

/* Per function: is it one that is asked for? Each is looked at once. */
static bool *find_functions(const struct naming *naming, const struct sandwich_of *of)
{
	bool *is_meant = mem_zalloc(naming->nr, sizeof(*is_meant)), has_name = false;

	for (uint32_t i = 0; i < naming->nr; i++) {
		is_meant[i] = is_code(naming, i) && strcmp(name_of(naming, i), of->name) == 0;
		has_name |= is_meant[i];
	}
	for (uint32_t i = 0; i < naming->nr && !has_name && of->regex; i++)
		is_meant[i] = is_code(naming, i) &&
			      regexec(of->regex, name_of(naming, i), 0, NULL, 0) == 0;
	return is_meant;
}

static void cut(struct paths_edit *callees, struct paths_edit *callers, uint32_t path,
		const bool *is_meant)
{
	uint32_t at = 0;

	paths_edit_get(callees, path);
	while (at < callees->nr && !is_meant[callees->ids[at]])
		at++;
	if (at == callees->nr) {
		paths_edit_leave_out(callees, path, PATH_OF);
		return;
	}
	paths_edit_get(callers, path);
	callers->nr = at + 1;
	paths_edit_put(callers, path);
	callees->nr -= at;
	memmove(callees->ids, callees->ids + at, callees->nr * sizeof(*callees->ids));
	paths_edit_put(callees, path);
}

void sandwich_cut(struct paths *paths, const struct sandwich_of *of, struct paths *ret_callees,
		  struct paths *ret_callers)
{
	bool *is_meant = find_functions(paths->naming, of);
	struct paths_edit callees, callers;

	paths_edit_init(&callees, paths);
	paths_edit_init(&callers, paths);
	for (uint32_t i = 0; i < paths->nr; i++)
		cut(&callees, &callers, i, is_meant);
	free(is_meant);
	paths_edit_finish(&callers, ret_callers);
	paths_edit_finish(&callees, ret_callees);
}
