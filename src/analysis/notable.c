/* notable.c - the functions with the most below them that are not on the way to everything */
#include "analysis/notable.h"

#include "analysis/kinds.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/top.h"
#include "base/mem.h"
#include "model/capture.h"

/* Of what holds it; what is more is everybody's parent. */
#define PARENT_SHARE 0.8

/* Of the whole; what is less is not notable. */
#define LEAST_SHARE 0.01

/* Of both; they are called by each other, and by nobody else. */
#define SAME_SHARE 0.98

/* Of its inclusive weight; what has more own weight stands among those already. */
#define OWN_SHARE 0.9

struct candidate {
	size_t row; /* of the top */
	uint32_t name;
	weight roots; /* of all samples of the roots that it is in */
};

struct search {
	const struct paths *paths;
	const struct top *top;
	struct candidate list[NOTABLE_LOOKED_AT];
	size_t nr;
	uint32_t *of_name;    /* owned: per name its candidate, plus 1 */
	uint32_t *root_of;    /* owned: per function the number of the root that it is, plus 1 */
	weight *of_root;      /* owned: per root the weight of its paths */
	unsigned char *is_in; /* owned: per root and candidate */
	uint32_t roots_nr;
};

static int compare_totals(const void *a_of, const void *b_of, void *top_of)
{
	const struct top_row *rows = ((const struct top *)top_of)->rows;
	size_t a = *(const size_t *)a_of, b = *(const size_t *)b_of;

	if (rows[a].total != rows[b].total)
		return rows[a].total > rows[b].total ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void take_candidates(struct search *search)
{
	const struct top *top = search->top;
	const struct naming *naming = search->paths->naming;
	size_t *order = mem_alloc((top->nr + 1) * sizeof(*order));

	for (size_t i = 0; i < top->nr; i++)
		order[i] = i;
	qsort_r(order, top->nr, sizeof(*order), compare_totals, (void *)top);
	for (size_t i = 0; i < top->nr && search->nr < NOTABLE_LOOKED_AT; i++) {
		const struct top_row *row = &top->rows[order[i]];
		const struct function *function = &naming->list[row->function];
		const char *name = names_display(&naming->capture->names, function->name);

		if (function->is_unnamed || kinds_is_entry(name) ||
		    weight_share(row->self, row->total) >= OWN_SHARE)
			continue;
		search->list[search->nr++] =
			(struct candidate){.row = order[i], .name = function->name};
		search->of_name[function->name] = (uint32_t)search->nr;
	}
	free(order);
}

/* The root of a path stands for who ran it; 0 where there is none. */
static uint32_t root_of(const struct search *search, uint32_t path)
{
	uint32_t root = search->paths->list[path].root;

	return root == FUNCTION_NONE ? 0 : search->root_of[root];
}

static void number_roots(struct search *search)
{
	const struct paths *paths = search->paths;

	search->root_of = mem_zalloc(paths->naming->nr, sizeof(*search->root_of));
	search->roots_nr = 1;
	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t root = paths->list[i].root;

		if (root != FUNCTION_NONE && !search->root_of[root])
			search->root_of[root] = search->roots_nr++;
	}
	search->of_root = mem_zalloc(search->roots_nr, sizeof(*search->of_root));
	search->is_in = mem_zalloc(search->roots_nr, NOTABLE_LOOKED_AT);
}

static void look_at_paths(struct search *search, bool counts_samples)
{
	const struct paths *paths = search->paths;
	uint32_t previous = PATH_NONE;

	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t root = root_of(search, i), function;

		search->of_root[root] += paths_weight(paths, i, counts_samples);
		/* what stands before the leaf is often the same as just before */
		if (previous != PATH_NONE &&
		    paths->list[i].callers == paths->list[previous].callers &&
		    root == root_of(search, previous) &&
		    paths->list[i].leaf == paths->list[previous].leaf)
			continue;
		previous = i;
		for (uint32_t depth = 0;
		     (function = paths_function(paths, i, depth)) != FUNCTION_NONE; depth++) {
			uint32_t at = search->of_name[paths->naming->list[function].name];

			if (at)
				search->is_in[(size_t)root * NOTABLE_LOOKED_AT + at - 1] = 1;
		}
	}
}

static void add_roots(struct search *search)
{
	for (uint32_t root = 0; root < search->roots_nr; root++) {
		if (!search->of_root[root])
			continue;
		for (size_t i = 0; i < search->nr; i++)
			if (search->is_in[(size_t)root * NOTABLE_LOOKED_AT + i])
				search->list[i].roots += search->of_root[root];
	}
}

static bool has(const struct search *search, uint32_t path, uint32_t name)
{
	const struct paths *paths = search->paths;
	uint32_t function;

	for (uint32_t i = 0; (function = paths_function(paths, path, i)) != FUNCTION_NONE; i++)
		if (paths->naming->list[function].name == name)
			return true;
	return false;
}

/* Is all that either holds below both? Then one of them tells it. */
static bool are_one(const struct search *search, const struct candidate *a,
		    const struct candidate *b, bool counts_samples)
{
	weight more = search->top->rows[a->row].total, less = search->top->rows[b->row].total;
	weight both = 0;

	if (weight_share(less, more) < SAME_SHARE)
		return false;
	for (uint32_t i = 0; i < search->paths->nr; i++)
		if (has(search, i, a->name) && has(search, i, b->name))
			both += paths_weight(search->paths, i, counts_samples);
	return weight_share(both, more) >= SAME_SHARE;
}

/* The next one, if it is no parent of everything and says more than those that were taken. */
static bool is_notable(const struct search *search, const struct candidate *candidate,
		       const struct candidate *const *taken, size_t taken_nr, bool counts_samples)
{
	weight total = search->top->rows[candidate->row].total;

	if (weight_share(total, search->top->total) < LEAST_SHARE ||
	    weight_share(total, candidate->roots) >= PARENT_SHARE)
		return false;
	/* all of them: two chains of wrappers that weigh about the same stand in turn */
	for (size_t i = 0; i < taken_nr; i++)
		if (are_one(search, taken[i], candidate, counts_samples))
			return false;
	return true;
}

size_t notable_rows(const struct paths *paths, const struct top *top, bool counts_samples,
		    size_t *ret, size_t most)
{
	struct search search = {
		.paths = paths,
		.top = top,
		.of_name = mem_zalloc(paths->naming->capture->names.nr, sizeof(*search.of_name)),
	};
	const struct candidate *taken[NOTABLE_LOOKED_AT];
	size_t nr = 0;

	number_roots(&search);
	take_candidates(&search);
	look_at_paths(&search, counts_samples);
	add_roots(&search);
	for (size_t i = 0; i < search.nr && nr < most; i++) {
		if (!is_notable(&search, &search.list[i], taken, nr, counts_samples))
			continue;
		taken[nr] = &search.list[i];
		ret[nr++] = search.list[i].row;
	}
	free(search.is_in);
	free(search.of_root);
	free(search.root_of);
	free(search.of_name);
	return nr;
}
