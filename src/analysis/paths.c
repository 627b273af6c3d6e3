/* paths.c - weights per path of functions: what every picture and table is made of */
#include "analysis/paths.h"

#include "analysis/naming.h"
#include "analysis/tidy.h"
#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

enum frame_flags {
	FRAME_HIDDEN = 1 << 0,
	FRAME_FOCUS = 1 << 1,
	FRAME_IGNORE = 1 << 2,
	FRAME_IDLE = 1 << 3,
};

/* What goes on while paths are built. */
struct builder {
	struct paths *paths;
	const struct tally *tally;
	const struct path_filter *filter;
	unsigned char *flags; /* per function, enum frame_flags */
	uint32_t *root_of;    /* per root of the tally: function id */
	uint32_t *path;	      /* being built */
	size_t path_alloc;
	uint32_t no_stack;
	bool is_injective; /* see find_injective() */
};

const char *paths_reason_word(enum path_reason reason)
{
	static const char *const words[PATH_REASON_NR] = {
		[PATH_IDLE] = "--no-idle", [PATH_FOCUS] = "--focus", [PATH_IGNORE] = "--ignore"};

	return words[reason];
}

static bool matches(const regex_t *list, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (regexec(&list[i], name, 0, NULL, 0) == 0)
			return true;
	return false;
}

static unsigned char flags_of(const struct path_filter *filter, const char *name)
{
	unsigned char flags = 0;

	if (matches(filter->hide, filter->hide_nr, name) ||
	    (filter->show_nr && !matches(filter->show, filter->show_nr, name)))
		flags |= FRAME_HIDDEN;
	if (matches(filter->focus, filter->focus_nr, name))
		flags |= FRAME_FOCUS;
	if (matches(filter->ignore, filter->ignore_nr, name))
		flags |= FRAME_IGNORE;
	if (filter->no_idle && tidy_is_idle(name))
		flags |= FRAME_IDLE;
	return flags;
}

/* Each name is matched once, however often it occurs. */
static void find_flags(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;
	const struct path_filter *filter = builder->filter;
	bool has_filter = filter->focus_nr || filter->ignore_nr || filter->hide_nr ||
			  filter->show_nr || filter->no_idle;

	builder->flags = mem_zalloc(naming->nr, 1);
	for (uint32_t i = 0; has_filter && i < naming->nr; i++)
		builder->flags[i] = flags_of(
			filter, names_get(&naming->capture->names, naming->list[i].name)->bytes);
}

static void find_roots(struct builder *builder)
{
	const struct tally *tally = builder->tally;

	builder->root_of = mem_alloc(tally->roots_nr * sizeof(*builder->root_of));
	for (uint32_t i = 0; i < tally->roots_nr; i++)
		builder->root_of[i] = naming_root(builder->paths->naming, &tally->roots[i]);
}

/* Adds the frames of one chain that are not hidden. Returns the flags of all of them. */
static unsigned char add_frames(struct builder *builder, const uint32_t *locations, size_t nr,
				uint32_t *path_nr)
{
	const uint32_t *of_location = builder->paths->naming->of_location;
	const unsigned char *frame_flags = builder->flags;
	uint32_t *path = builder->path + *path_nr;
	unsigned char all = 0;

	for (size_t i = 0; i < nr; i++) {
		uint32_t function = of_location[locations[i]];
		unsigned char flags;

		if (function == FUNCTION_NONE)
			continue;
		flags = frame_flags[function];
		all |= flags & (unsigned char)~FRAME_HIDDEN;
		if (!(flags & FRAME_HIDDEN))
			*path++ = function;
	}
	*path_nr = (uint32_t)(path - builder->path);
	return all;
}

static bool is_idle(const struct builder *builder, const struct tally_entry *entry)
{
	const uint32_t *of_location = builder->paths->naming->of_location;
	uint32_t function;

	if (!builder->filter->no_idle || entry->key.leaf == LOCATION_NONE ||
	    !builder->tally->roots[entry->key.root].is_idle_task)
		return false;
	function = of_location[entry->key.leaf];
	return function != FUNCTION_NONE && builder->flags[function] & FRAME_IDLE;
}

static void add_value(struct paths *paths, uint32_t stack, const struct tally_entry *entry)
{
	if (stack + 1 == paths->stacks.nr) {
		size_t old = paths->values_alloc;

		GROW(paths->values, (size_t)stack + 1, paths->values_alloc);
		if (paths->values_alloc > old)
			memset(paths->values + old, 0,
			       (paths->values_alloc - old) * sizeof(*paths->values));
	}
	paths->values[stack].count += entry->count;
	paths->values[stack].period += entry->period;
	paths->total.count += entry->count;
	paths->total.period += entry->period;
}

static void add_entry(struct builder *builder, const struct tally_entry *entry)
{
	const struct capture *capture = builder->tally->capture;
	const struct path_filter *filter = builder->filter;
	struct paths *paths = builder->paths;
	uint32_t root = builder->root_of[entry->key.root], nr = 0;
	uint32_t depth = stacks_depth(&capture->stacks, entry->key.callers);
	unsigned char flags;

	if (is_idle(builder, entry)) {
		paths->left_out[PATH_IDLE] += entry->count;
		return;
	}
	GROW(builder->path, (size_t)depth + 3, builder->path_alloc);
	if (root != FUNCTION_NONE)
		builder->path[nr++] = root;
	flags = add_frames(builder, stacks_ids(&capture->stacks, entry->key.callers), depth, &nr);
	if (entry->key.leaf != LOCATION_NONE)
		flags |= add_frames(builder, &entry->key.leaf, 1, &nr);
	if (flags & FRAME_IGNORE || (filter->focus_nr && !(flags & FRAME_FOCUS))) {
		paths->left_out[flags & FRAME_IGNORE ? PATH_IGNORE : PATH_FOCUS] += entry->count;
		return;
	}
	if (entry->key.leaf == LOCATION_NONE && !depth)
		paths->without_chain += entry->count;
	if (!nr)
		builder->path[nr++] = builder->no_stack;
	if (builder->is_injective)
		add_value(paths, stacks_append(&paths->stacks, builder->path, nr), entry);
	else
		add_value(paths, stacks_add(&paths->stacks, builder->path, nr), entry);
}

/*
 * Where each location is a function of its own and no frame can be left out, as in folded
 * stacks, different entries are different paths, and nothing has to be looked up.
 */
static void find_injective(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;
	const struct path_filter *filter = builder->filter;
	uint32_t locations_nr = naming->capture->locations.nr;
	unsigned char *is_taken = mem_zalloc(naming->nr, 1);

	builder->is_injective =
		builder->tally->roots_nr == 1 && !filter->hide_nr && !filter->show_nr;
	is_taken[builder->no_stack] = 1;
	if (builder->root_of[0] != FUNCTION_NONE)
		is_taken[builder->root_of[0]] = 1;
	for (uint32_t i = 0; builder->is_injective && i < locations_nr; i++) {
		uint32_t function = naming->of_location[i];

		builder->is_injective = function != FUNCTION_NONE && !is_taken[function]++;
	}
	free(is_taken);
}

void paths_build(struct paths *paths, const struct tally *tally, struct naming *naming,
		 uint32_t event, const struct path_filter *filter)
{
	struct builder builder = {.paths = paths, .tally = tally, .filter = filter};

	*paths = (struct paths){.naming = naming};
	find_roots(&builder);
	builder.no_stack = naming_no_stack(naming);
	find_flags(&builder);
	find_injective(&builder);
	for (uint32_t i = 0; i < tally->nr; i++)
		if (tally->list[i].key.event == event)
			add_entry(&builder, &tally->list[i]);
	free(builder.flags);
	free(builder.root_of);
	free(builder.path);
}

void paths_release(struct paths *paths)
{
	stacks_release(&paths->stacks);
	free(paths->values);
	*paths = (struct paths){0};
}

struct order {
	const struct paths *paths;
	const uint32_t *ranks; /* per name */
};

static int compare_paths(const void *a, const void *b, void *order_of)
{
	const struct order *order = order_of;
	const struct stacks *stacks = &order->paths->stacks;
	const struct function *functions = order->paths->naming->list;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t x_nr = stacks_depth(stacks, x), y_nr = stacks_depth(stacks, y);
	const uint32_t *x_ids = stacks_ids(stacks, x), *y_ids = stacks_ids(stacks, y);

	for (uint32_t i = 0; i < x_nr && i < y_nr; i++) {
		const struct function *f = &functions[x_ids[i]], *g = &functions[y_ids[i]];

		if (x_ids[i] == y_ids[i])
			continue;
		if (f->name != g->name)
			return order->ranks[f->name] < order->ranks[g->name] ? -1 : 1;
		if (f->kind != g->kind)
			return f->kind < g->kind ? -1 : 1;
		return f->origin < g->origin ? -1 : 1;
	}
	return x_nr < y_nr ? -1 : x_nr > y_nr;
}

uint32_t *paths_sorted(const struct paths *paths)
{
	uint32_t *sorted = mem_alloc(paths->stacks.nr * sizeof(*sorted));
	uint32_t *ranks = names_ranks(&paths->naming->capture->names);
	struct order order = {paths, ranks};

	for (uint32_t i = 0; i < paths->stacks.nr; i++)
		sorted[i] = i;
	qsort_r(sorted, paths->stacks.nr, sizeof(*sorted), compare_paths, &order);
	free(ranks);
	return sorted;
}
