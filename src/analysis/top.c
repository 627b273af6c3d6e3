/* top.c - self and total weight per function, over all places */
#include "analysis/top.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

#define ROW_NONE UINT32_MAX

struct builder {
	const struct paths *paths;
	struct top_row *rows; /* per name that is a function's */
	uint32_t *row_of_name;
	uint32_t *seen;		/* per row: 1 + the last path that held it */
	weight *function_total; /* per function */
	size_t nr;
};

/* One row per name, whatever its origins. */
static void find_rows(struct builder *builder)
{
	const struct naming *naming = builder->paths->naming;
	uint32_t names_nr = naming->capture->names.nr;

	builder->row_of_name = mem_alloc(names_nr * sizeof(*builder->row_of_name));
	memset(builder->row_of_name, 0xff, names_nr * sizeof(*builder->row_of_name));
	builder->rows = mem_zalloc(naming->nr, sizeof(*builder->rows));
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

static void add_path(struct builder *builder, uint32_t path, weight value)
{
	const struct paths *paths = builder->paths;
	const struct function *functions = paths->naming->list;
	uint32_t row = ROW_NONE, function;

	for (uint32_t i = 0; (function = paths_function(paths, path, i)) != FUNCTION_NONE; i++) {
		row = ROW_NONE;
		if (functions[function].kind == FUNCTION_ROOT)
			continue;
		row = builder->row_of_name[functions[function].name];
		builder->function_total[function] += value;
		if (builder->seen[row] == path + 1)
			continue;
		builder->seen[row] = path + 1;
		builder->rows[row].total += value;
	}
	if (row == ROW_NONE)
		return;
	builder->rows[row].self += value;
	if (paths->list[path].lacks_caller)
		builder->rows[row].lacks_caller += value;
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
static size_t drop_empty(struct top_row *rows, size_t nr, const uint32_t *seen)
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
	find_heaviest(&builder);
	*top = (struct top){
		.rows = builder.rows,
		.nr = drop_empty(builder.rows, builder.nr, builder.seen),
		.total = counts_samples ? paths->count : paths->period,
	};
	qsort_r(top->rows, top->nr, sizeof(*top->rows), compare_rows, paths->naming);
	free(builder.row_of_name);
	free(builder.seen);
	free(builder.function_total);
}

void top_release(struct top *top)
{
	free(top->rows);
	*top = (struct top){0};
}
