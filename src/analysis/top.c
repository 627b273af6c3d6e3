/* top.c - self and total weight per function, over all places */
#include "analysis/top.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

#define ROW_NONE UINT32_MAX

/* A frame of the stack at hand, with what was added up in it since it was put there. */
struct top_frame {
	uint32_t function, row;
	bool is_outermost; /* its row is in no frame outside of it */
	weight value;
};

/*
 * Neighbouring paths have much in common: what they share is touched once, when it goes, with the
 * weights of all of them.
 */
struct builder {
	const struct paths *paths;
	struct top_row *rows; /* per name that is a function's */
	uint32_t *row_of_name;
	uint32_t *open;		/* per row: so many frames of the stack at hand are of it */
	bool *seen;		/* per row: some path held it */
	weight *function_total; /* per function */
	size_t nr;
	struct top_frame *stack;
	uint32_t depth;
	size_t stack_alloc;
};

/* One row per name, whatever its origins. */
static void find_rows(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;
	uint32_t names_nr = naming->capture->names.nr;

	builder->row_of_name = mem_alloc(names_nr * sizeof(*builder->row_of_name));
	memset(builder->row_of_name, 0xff, names_nr * sizeof(*builder->row_of_name));
	builder->rows = mem_zalloc(naming->nr, sizeof(*builder->rows));
	builder->open = mem_zalloc(naming->nr, sizeof(*builder->open));
	builder->seen = mem_zalloc(naming->nr, sizeof(*builder->seen));
	builder->function_total = mem_zalloc(naming->nr, sizeof(*builder->function_total));
	for (uint32_t i = 0; i < naming->nr; i++) {
		uint32_t *row = &builder->row_of_name[naming->list[i].name];

		if (naming->list[i].kind == FUNCTION_ROOT || *row != ROW_NONE)
			continue;
		*row = (uint32_t)builder->nr;
		builder->rows[builder->nr++].function = i;
	}
}

static void push(struct builder *builder, uint32_t function)
{
	const struct function *of = &builder->paths->naming->list[function];
	struct top_frame frame = {.function = function, .row = ROW_NONE};

	if (of->kind != FUNCTION_ROOT) {
		frame.row = builder->row_of_name[of->name];
		frame.is_outermost = builder->open[frame.row]++ == 0;
		builder->seen[frame.row] = true;
	}
	GROW(builder->stack, (size_t)builder->depth + 1, builder->stack_alloc);
	builder->stack[builder->depth++] = frame;
}

static void pop(struct builder *builder)
{
	const struct top_frame *frame = &builder->stack[--builder->depth];

	if (builder->depth)
		builder->stack[builder->depth - 1].value += frame->value;
	if (frame->row == ROW_NONE)
		return;
	builder->open[frame->row]--;
	builder->function_total[frame->function] += frame->value;
	if (frame->is_outermost)
		builder->rows[frame->row].total += frame->value;
}

/* So many frames of the stack at hand are the path's, too. */
static uint32_t shared_depth(const struct builder *builder, uint32_t path)
{
	const struct paths *paths = builder->paths;
	uint32_t i = path ? paths_callers_shared(paths, path - 1, path) : 0;

	if (i > builder->depth)
		i = 0;
	while (i < builder->depth && builder->stack[i].function == paths_function(paths, path, i))
		i++;
	return i;
}

/* What a path has beyond the stack at hand: its list is looked up once, not for each function. */
static void push_rest(struct builder *builder, uint32_t path)
{
	const struct paths *paths = builder->paths;
	const struct path *at = &paths->list[path];
	const uint32_t *callers = stacks_ids(paths->callers, at->callers);
	uint32_t nr = stacks_depth(paths->callers, at->callers), function;
	bool has_root = at->root != FUNCTION_NONE;

	if (has_root && !builder->depth)
		push(builder, at->root);
	for (uint32_t i = builder->depth - has_root; i < nr; i++)
		push(builder, paths->function_of ? paths->function_of[callers[i]] : callers[i]);
	while ((function = paths_function(paths, path, builder->depth)) != FUNCTION_NONE)
		push(builder, function);
}

static void add_path(struct builder *builder, uint32_t path, weight value)
{
	uint32_t shared = shared_depth(builder, path);
	struct top_frame *last;

	while (builder->depth > shared)
		pop(builder);
	push_rest(builder, path);
	if (!builder->depth)
		return;
	last = &builder->stack[builder->depth - 1];
	last->value += value;
	if (last->row == ROW_NONE)
		return;
	builder->rows[last->row].self += value;
	if (builder->paths->list[path].lacks_caller)
		builder->rows[last->row].lacks_caller += value;
}

/* A row stands for its heaviest function; ties go to the first module by its path. */
static void find_heaviest(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;

	for (uint32_t i = 0; i < naming->nr; i++) {
		struct top_row *row;
		weight mine = builder->function_total[i], best;

		if (naming->list[i].kind == FUNCTION_ROOT || !mine)
			continue;
		row = &builder->rows[builder->row_of_name[naming->list[i].name]];
		best = builder->function_total[row->function];
		if (mine > best ||
		    (mine == best && naming_compare_modules(naming, i, row->function) < 0))
			row->function = i;
	}
}

static int compare_rows(const void *a, const void *b, void *naming_of)
{
	const struct naming *naming = naming_of;
	const struct top_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return names_compare(&naming->capture->names, naming->list[x->function].name,
			     naming->list[y->function].name);
}

/* Functions that occur in no path that was kept are no rows. */
static size_t drop_empty(struct top_row *rows, size_t nr, const bool *seen)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (seen[i])
			rows[kept++] = rows[i];
	return kept;
}

void top_build(struct top *top, const struct paths *paths, bool counts_samples)
{
	struct builder builder = {.paths = paths};

	find_rows(&builder);
	for (uint32_t i = 0; i < paths->nr; i++)
		add_path(&builder, i, paths_weight(paths, i, counts_samples));
	while (builder.depth)
		pop(&builder);
	find_heaviest(&builder);
	*top = (struct top){
		.rows = builder.rows,
		.nr = drop_empty(builder.rows, builder.nr, builder.seen),
		.total = counts_samples ? paths->count : paths->period,
	};
	qsort_r(top->rows, top->nr, sizeof(*top->rows), compare_rows, paths->naming);
	free(builder.row_of_name);
	free(builder.open);
	free(builder.seen);
	free(builder.stack);
	free(builder.function_total);
}

void top_release(struct top *top)
{
	free(top->rows);
	*top = (struct top){0};
}
