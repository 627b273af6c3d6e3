/* top.c - self and total weight per function, over all places */
#include "analysis/top.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

#define ROW_NONE UINT32_MAX

/* A frame that paths share, with what was added up in it since it was put on the stack. */
struct top_frame {
	uint32_t function, row;
	bool is_outermost; /* its row is in no frame outside of it */
	weight value;
};

/* What a row is to become, beside what is asked of it for each frame. */
struct top_sum {
	weight self, total;
	uint32_t open; /* so many frames of the stack at hand are of it */
	uint32_t last; /* the last path that was found to hold it, from 1 on; 0: none */
};

/*
 * Neighbouring paths have much in common: what a path shares with the next one is touched once,
 * when it goes, with the weights of all that share it. What it has alone is added at once.
 */
struct builder {
	const struct paths *paths;
	struct top_row *rows; /* per name that is a function's */
	struct top_sum *sums; /* per row */
	uint32_t *row_of_name;
	uint32_t *row_of;	/* per function, ROW_NONE where it is no code */
	weight *function_total; /* per function; NULL: no two of them have one name */
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
	bool has_namesakes = false;

	builder->row_of_name = mem_alloc(names_nr * sizeof(*builder->row_of_name));
	memset(builder->row_of_name, 0xff, names_nr * sizeof(*builder->row_of_name));
	builder->row_of = mem_alloc(naming->nr * sizeof(*builder->row_of));
	builder->rows = mem_zalloc(naming->nr, sizeof(*builder->rows));
	builder->sums = mem_zalloc(naming->nr, sizeof(*builder->sums));
	for (uint32_t i = 0; i < naming->nr; i++) {
		uint32_t *row = &builder->row_of_name[naming->list[i].name];

		builder->row_of[i] = ROW_NONE;
		if (naming->list[i].kind == FUNCTION_ROOT)
			continue;
		has_namesakes |= *row != ROW_NONE;
		if (*row == ROW_NONE) {
			*row = (uint32_t)builder->nr;
			builder->rows[builder->nr++].function = i;
		}
		builder->row_of[i] = *row;
	}
	if (has_namesakes)
		builder->function_total = mem_zalloc(naming->nr, sizeof(weight));
}

static void push(struct builder *builder, uint32_t path, uint32_t function)
{
	struct top_frame frame = {.function = function, .row = builder->row_of[function]};

	if (frame.row != ROW_NONE) {
		frame.is_outermost = builder->sums[frame.row].open++ == 0;
		builder->sums[frame.row].last = path + 1;
	}
	GROW(builder->stack, (size_t)builder->depth + 1, builder->stack_alloc);
	builder->stack[builder->depth++] = frame;
}

static void pop(struct builder *builder)
{
	const struct top_frame *frame = &builder->stack[--builder->depth];
	struct top_sum *sum;

	if (builder->depth)
		builder->stack[builder->depth - 1].value += frame->value;
	if (frame->row == ROW_NONE)
		return;
	sum = &builder->sums[frame->row];
	sum->open--;
	if (builder->function_total)
		builder->function_total[frame->function] += frame->value;
	if (frame->is_outermost)
		sum->total += frame->value;
}

/* A frame that a path has alone. */
static inline void add_frame(struct builder *builder, uint32_t path, uint32_t function,
			     weight value)
{
	uint32_t row = builder->row_of[function];
	struct top_sum *sum;

	if (row == ROW_NONE)
		return;
	sum = &builder->sums[row];
	if (builder->function_total)
		builder->function_total[function] += value;
	if (!sum->open && sum->last != path + 1)
		sum->total += value;
	sum->last = path + 1;
}

/* So many functions a path begins with as the next one does. */
static uint32_t shared_with_next(const struct paths *paths, uint32_t path)
{
	uint32_t i, function;

	if (path + 1 == paths->nr)
		return 0;
	i = paths_callers_shared(paths, path, path + 1);
	while ((function = paths_function(paths, path, i)) != FUNCTION_NONE &&
	       function == paths_function(paths, path + 1, i))
		i++;
	return i;
}

/* What a path has beyond the stack at hand: its lists are looked up once, not for each function. */
static uint32_t add_rest(struct builder *builder, uint32_t path, uint32_t shared, weight value)
{
	const struct paths *paths = builder->paths;
	const struct path *at = &paths->list[path];
	const uint32_t *callers = stacks_ids(paths->callers, at->callers);
	const uint32_t *leaf = stacks_ids(&paths->leaves, at->leaf);
	uint32_t has_root = at->root != FUNCTION_NONE;
	uint32_t leaf_at = has_root + stacks_depth(paths->callers, at->callers);
	uint32_t depth = leaf_at + stacks_depth(&paths->leaves, at->leaf);
	uint32_t function =
		builder->depth ? builder->stack[builder->depth - 1].function : FUNCTION_NONE;

	for (uint32_t i = builder->depth; i < depth; i++) {
		if (i >= leaf_at)
			function = leaf[i - leaf_at];
		else if (i < has_root)
			function = at->root;
		else
			function = paths->function_of ? paths->function_of[callers[i - has_root]]
						      : callers[i - has_root];
		if (i < shared)
			push(builder, path, function);
		else
			add_frame(builder, path, function, value);
	}
	return function;
}

static void add_path(struct builder *builder, uint32_t path, weight value)
{
	uint32_t shared = shared_with_next(builder->paths, path);
	uint32_t last = add_rest(builder, path, shared, value);
	uint32_t row = last == FUNCTION_NONE ? ROW_NONE : builder->row_of[last];

	if (builder->depth)
		builder->stack[builder->depth - 1].value += value;
	while (builder->depth > shared)
		pop(builder);
	if (row == ROW_NONE)
		return;
	builder->sums[row].self += value;
	if (builder->paths->list[path].lacks_caller)
		builder->rows[row].lacks_caller += value;
}

/* A row stands for its heaviest function; ties go to the first module by its path. */
static void find_heaviest(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;

	for (uint32_t i = 0; builder->function_total && i < naming->nr; i++) {
		struct top_row *row;
		weight mine = builder->function_total[i], best;

		if (naming->list[i].kind == FUNCTION_ROOT || !mine)
			continue;
		row = &builder->rows[builder->row_of[i]];
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
static size_t take_sums(struct top_row *rows, size_t nr, const struct top_sum *sums)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!sums[i].last)
			continue;
		rows[kept] = rows[i];
		rows[kept].self = sums[i].self;
		rows[kept++].total = sums[i].total;
	}
	return kept;
}

void top_build(struct top *top, const struct paths *paths, bool counts_samples)
{
	struct builder builder = {.paths = paths};

	find_rows(&builder);
	for (uint32_t i = 0; i < paths->nr; i++)
		add_path(&builder, i, paths_weight(paths, i, counts_samples));
	find_heaviest(&builder);
	*top = (struct top){
		.rows = builder.rows,
		.nr = take_sums(builder.rows, builder.nr, builder.sums),
		.total = counts_samples ? paths->count : paths->period,
	};
	qsort_r(top->rows, top->nr, sizeof(*top->rows), compare_rows, paths->naming);
	free(builder.row_of_name);
	free(builder.row_of);
	free(builder.sums);
	free(builder.stack);
	free(builder.function_total);
}

void top_release(struct top *top)
{
	free(top->rows);
	*top = (struct top){0};
}
