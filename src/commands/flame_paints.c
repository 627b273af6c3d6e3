/* flame_paints.c - what colours say in a picture: origin, name, module, status or own weight */
#include "commands/flame_paints.h"

#include "analysis/top.h"
#include "base/mem.h"
#include "commands/profile.h"

/* ---- by origin */

static enum paint origin_paint(const struct function *function)
{
	static const enum paint paints[ORIGIN_NR] = {
		[ORIGIN_UNKNOWN] = PAINT_UNKNOWN, [ORIGIN_APP] = PAINT_APP,
		[ORIGIN_LIBRARY] = PAINT_LIBRARY, [ORIGIN_KERNEL] = PAINT_KERNEL,
		[ORIGIN_JIT] = PAINT_JIT,
	};

	return paints[function->origin];
}

void flame_paints_see(struct flame_paints *paints, uint32_t function)
{
	const struct function *seen;

	if (function == FUNCTION_NONE)
		return;
	seen = &paints->naming->list[function];
	paints->seen += seen->kind != FUNCTION_ROOT;
	paints->seen_origins += seen->kind != FUNCTION_ROOT && seen->origin != ORIGIN_UNKNOWN;
}

bool flame_paints_are_by_name(const struct flame_paints *paints)
{
	return paints->by == FLAME_PAINT_BY_NAME ||
	       (paints->by == FLAME_PAINT_BY_AUTO && paints->seen_origins <= paints->seen / 2);
}

/* ---- by module */

/* The paints of modules, most weight first; the kernel's is the same in every picture. */
static const enum paint groups[] = {PAINT_GROUP1, PAINT_GROUP3, PAINT_GROUP4,
				    PAINT_GROUP5, PAINT_GROUP6, PAINT_GROUP7};
#define KERNEL_GROUP PAINT_GROUP2

/* All modules of one name are one. */
struct module_weight {
	uint32_t name; /* id of the base name */
	weight self;
	enum origin origin;
};

static int compare_modules(const void *a, const void *b, void *names_of)
{
	const struct module_weight *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return names_compare(names_of, x->name, y->name);
}

/* Weight of what ends in a module, per base name: an array as long as there are modules. */
static struct module_weight *weigh_modules(const struct profile *profile, size_t *ret_nr)
{
	const struct capture *capture = &profile->capture;
	const struct paths *paths = &profile->paths;
	struct module_weight *list = mem_zalloc(capture->modules.nr, sizeof(*list));
	uint32_t *of_name = mem_zalloc(capture->names.nr, sizeof(*of_name)); /* one more than */
	size_t nr = 0;

	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t leaf = paths_last(paths, i), *at;
		const struct module *module;

		if (profile->naming.list[leaf].module == MODULE_NONE)
			continue;
		module = &capture->modules.list[profile->naming.list[leaf].module];
		at = &of_name[module->basename];
		if (!*at) {
			list[nr] = (struct module_weight){module->basename, 0, module->origin};
			*at = (uint32_t)++nr;
		}
		list[*at - 1].self += paths_weight(paths, i, profile->counts_samples);
	}
	free(of_name);
	*ret_nr = nr;
	return list;
}

/* Per base name its paint, PAINT_UNKNOWN for those beyond the groups. */
static void choose_groups(struct flame_paints *paints, const struct profile *profile,
			  enum paint *of_name)
{
	const struct names *names = &profile->capture.names;
	size_t nr, next = 0;
	struct module_weight *list = weigh_modules(profile, &nr);

	qsort_r(list, nr, sizeof(*list), compare_modules, (void *)names);
	for (size_t i = 0; i < nr; i++) {
		enum paint paint = PAINT_UNKNOWN;

		if (list[i].origin == ORIGIN_KERNEL && !paints->words[KERNEL_GROUP])
			paint = KERNEL_GROUP;
		else if (next < ARRAY_NR(groups))
			paint = groups[next++];
		of_name[list[i].name] = paint;
		if (paint != PAINT_UNKNOWN)
			paints->words[paint] = names_display(names, list[i].name);
	}
	paints->words[PAINT_UNKNOWN] = "other modules, or none";
	free(list);
}

static void paint_modules(struct flame_paints *paints, const struct profile *profile)
{
	const struct capture *capture = &profile->capture;
	enum paint *of_name = mem_alloc(capture->names.nr * sizeof(*of_name));

	for (uint32_t i = 0; i < capture->names.nr; i++)
		of_name[i] = PAINT_UNKNOWN;
	choose_groups(paints, profile, of_name);
	for (uint32_t i = 0; i < profile->naming.nr; i++) {
		uint32_t module = profile->naming.list[i].module;

		paints->of[i] = module == MODULE_NONE
					? PAINT_UNKNOWN
					: of_name[capture->modules.list[module].basename];
	}
	free(of_name);
}

/* ---- by status: how far a name is shown to be right */

static enum paint status_paint(const struct capture *capture, const struct function *function)
{
	enum module_status status =
		function->module == MODULE_NONE || function->kind != FUNCTION_CODE
			? MODULE_UNNAMED
			: capture->modules.list[function->module].status;

	switch (status) {
	case MODULE_EXACT:
	case MODULE_CONSISTENT:
	case MODULE_UNSUPPORTED:
		return function->is_unnamed ? PAINT_UNKNOWN : PAINT_GROUP3;
	case MODULE_UNVERIFIED:
	case MODULE_FORCED:
		return function->is_unnamed ? PAINT_UNKNOWN : PAINT_GROUP1;
	case MODULE_CONTRADICTED:
	case MODULE_MISMATCH:
		return function->is_unnamed ? PAINT_GROUP4 : PAINT_GROUP2;
	default:
		return function->is_unnamed ? PAINT_UNKNOWN : PAINT_GROUP2;
	}
}

static void paint_status(struct flame_paints *paints, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->naming.nr; i++)
		paints->of[i] = status_paint(&profile->capture, &profile->naming.list[i]);
	paints->words[PAINT_GROUP1] = "named by a file that may be another";
	paints->words[PAINT_GROUP2] = "named by the capture";
	paints->words[PAINT_GROUP3] = "named by the file that ran";
	paints->words[PAINT_GROUP4] = "no name: the file here is another build";
	paints->words[PAINT_UNKNOWN] = "no name";
}

/* ---- by self weight: that of the function, over all places */

static enum paint step_of(double share)
{
	if (share >= 0.1)
		return PAINT_STEP4;
	if (share >= 0.01)
		return PAINT_STEP3;
	return share >= 0.001 ? PAINT_STEP2 : PAINT_STEP1;
}

static void paint_self(struct flame_paints *paints, const struct profile *profile)
{
	const struct naming *naming = &profile->naming;
	enum paint *of_name = mem_alloc(profile->capture.names.nr * sizeof(*of_name));
	CLEANUP(top_release) struct top top = {0};

	top_build(&top, &profile->paths, profile->counts_samples);
	for (uint32_t i = 0; i < profile->capture.names.nr; i++)
		of_name[i] = PAINT_STEP1;
	for (size_t i = 0; i < top.nr; i++)
		of_name[naming->list[top.rows[i].function].name] =
			step_of(weight_share(top.rows[i].self, top.total));
	for (uint32_t i = 0; i < naming->nr; i++)
		paints->of[i] = of_name[naming->list[i].name];
	free(of_name);
	paints->words[PAINT_STEP1] = "own weight of the function: below 0.1 % of all";
	paints->words[PAINT_STEP2] = "0.1 to 1 %";
	paints->words[PAINT_STEP3] = "1 to 10 %";
	paints->words[PAINT_STEP4] = "10 % and more";
}

void flame_paints_init(struct flame_paints *paints, const struct profile *profile,
		       enum flame_paint_by by)
{
	const struct naming *naming = &profile->naming;

	*paints = (struct flame_paints){.naming = naming, .by = by};
	paints->of = mem_alloc(naming->nr * sizeof(*paints->of));
	if (paints->by == FLAME_PAINT_BY_MODULE)
		paint_modules(paints, profile);
	else if (paints->by == FLAME_PAINT_BY_STATUS)
		paint_status(paints, profile);
	else if (paints->by == FLAME_PAINT_BY_SELF)
		paint_self(paints, profile);
	else
		for (uint32_t i = 0; i < naming->nr; i++)
			paints->of[i] = origin_paint(&naming->list[i]);
	for (uint32_t i = 0; i < naming->nr; i++)
		if (naming->list[i].kind == FUNCTION_ROOT)
			paints->of[i] = PAINT_ROOT;
}

void flame_paints_release(struct flame_paints *paints)
{
	free(paints->of);
	*paints = (struct flame_paints){0};
}
