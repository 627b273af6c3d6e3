/* calltree_sort.c - the paths of a call tree in the order of its nodes */
#include "analysis/calltree_sort.h"

#include "analysis/calltree_paths.h"
#include "analysis/calltree_radix.h"
#include "analysis/calltree_words.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"

/*
 * Most paths come in an order already: those of sorted text by their names, nearly, those of a
 * profile by the functions that they were written as, and both are good enough. So runs that are
 * in order are looked for, in both orders, and merged in the one that has fewer of them.
 *
 * Of two paths that are merged it is known how much each has in common with the last one that was
 * taken: the one that has more in common with it comes first, and only where both have the same
 * much are they looked at, from there on.
 */
struct run {
	uint32_t begin, end;
};

/* A run is at least twice as long as the one above it: so many are enough for 2^32 paths. */
#define RUNS_MAX 36

enum descent {
	DESCENT_OF_NAMES = 1 << 0,  /* this path stands before the one before it, by names */
	DESCENT_OF_FIRSTS = 1 << 1, /* by paths->first_of */
};

struct sorter {
	const struct calltree_paths *paths;
	struct calltree_order *order;
	const uint32_t *number_of; /* what is sorted by */
	unsigned char *descents;   /* per path, enum descent */
	uint32_t names_nr, firsts_nr;
	struct run runs[RUNS_MAX];
	unsigned runs_nr;
	uint32_t *paths_aside, *shared_aside; /* of the left one of two runs: what is merged */
	size_t paths_alloc, shared_alloc;
};

/* How two paths compare that share so many names; *shared becomes how many they really do. */
static int compare(const struct sorter *sorter, uint32_t a, uint32_t b, uint32_t *shared)
{
	struct calltree_path x = calltree_paths_get(sorter->paths, a);
	struct calltree_path y = calltree_paths_get(sorter->paths, b);

	return calltree_paths_compare(sorter->paths, sorter->number_of, &x, &y, shared);
}

/*
 * Where in the left run the first path of the right one belongs, which is before the left one's
 * last. *shared is what it has in common with the one at that place, *before with the one before.
 */
static uint32_t find_place(const struct sorter *sorter, const struct run *left, uint32_t right,
			   uint32_t *shared, uint32_t *before)
{
	const struct calltree_order *order = sorter->order;
	uint32_t at = left->end - 1, both;

	for (; at > left->begin; at--) {
		both = order->shared[at];
		if (both > *shared)
			continue;
		if (both < *shared ||
		    compare(sorter, order->paths[at - 1], order->paths[right], &both) <= 0)
			break;
		*shared = both;
	}
	*before = at > left->begin ? both : 0;
	return at;
}

static void set_aside(struct sorter *sorter, uint32_t at, uint32_t nr)
{
	GROW(sorter->paths_aside, nr, sorter->paths_alloc);
	GROW(sorter->shared_aside, nr, sorter->shared_alloc);
	memcpy(sorter->paths_aside, sorter->order->paths + at, nr * sizeof(uint32_t));
	memcpy(sorter->shared_aside, sorter->order->shared + at, nr * sizeof(uint32_t));
}

/* A run while it is merged: what is left of it. */
struct head {
	const uint32_t *paths, *shared;
	uint32_t nr;
	uint32_t common; /* names that its first has in common with the last one that was taken */
	bool is_known;
	struct calltree_path path; /* its first, where it is known */
};

static inline void take(struct head *head, struct calltree_order *order, uint32_t at)
{
	order->paths[at] = *head->paths++;
	order->shared[at] = head->common;
	head->shared++;
	head->is_known = false;
	if (--head->nr)
		head->common = *head->shared;
}

static void know(const struct sorter *sorter, struct head *head)
{
	if (!head->is_known)
		head->path = calltree_paths_get(sorter->paths, *head->paths);
	head->is_known = true;
}

/* Takes one of two whose firsts have the same much in common with the last one. */
static void take_less(const struct sorter *sorter, struct head *left, struct head *right,
		      uint32_t at)
{
	uint32_t shared = left->common;
	bool is_left;

	know(sorter, left);
	know(sorter, right);
	is_left = calltree_paths_compare(sorter->paths, sorter->number_of, &left->path,
					 &right->path, &shared) <= 0;
	take(is_left ? left : right, sorter->order, at);
	(is_left ? right : left)->common = shared;
}

/* The left one was set aside; what is left of the right one stands where it is to be. */
static void merge_heads(const struct sorter *sorter, struct head *left, struct head *right,
			uint32_t at)
{
	struct calltree_order *order = sorter->order;

	for (; left->nr && right->nr; at++) {
		if (left->common > right->common)
			take(left, order, at);
		else if (left->common < right->common)
			take(right, order, at);
		else
			take_less(sorter, left, right, at);
	}
	if (right->nr)
		order->shared[at] = right->common;
	while (left->nr)
		take(left, order, at++);
}

static void merge(struct sorter *sorter, const struct run *left, const struct run *right)
{
	struct calltree_order *order = sorter->order;
	uint32_t shared = 0, before, at, nr;
	struct head a, b;

	if (compare(sorter, order->paths[left->end - 1], order->paths[right->begin], &shared) <=
	    0) {
		order->shared[right->begin] = shared;
		return;
	}
	at = find_place(sorter, left, right->begin, &shared, &before);
	nr = left->end - at;
	set_aside(sorter, at, nr);
	a = (struct head){sorter->paths_aside, sorter->shared_aside, nr, shared, false, {0}};
	b = (struct head){order->paths + right->begin,
			  order->shared + right->begin,
			  right->end - right->begin,
			  before,
			  false,
			  {0}};
	take(&b, order, at++);
	merge_heads(sorter, &a, &b, at);
}

/* Runs that are about as long are merged, so that each path is looked at log(runs) times. */
static void merge_last(struct sorter *sorter, bool is_end)
{
	while (sorter->runs_nr > 1) {
		struct run *left = &sorter->runs[sorter->runs_nr - 2], *right = left + 1;

		if (!is_end && (left->end - left->begin) / 2 >= right->end - right->begin)
			return;
		merge(sorter, left, right);
		left->end = right->end;
		sorter->runs_nr--;
	}
}

/* What paths that follow each other in a source are known to have in common. */
static uint32_t known_shared(const struct calltree_paths *paths, const struct calltree_side *side,
			     uint32_t path)
{
	uint32_t at = path - side->first;

	return paths->is_reversed || !at ? 0 : paths_callers_shared(side->paths, at - 1, at);
}

static unsigned char descents_of(const struct calltree_paths *paths,
				 const struct calltree_parting *parting)
{
	uint32_t a = parting->a, b = parting->b;

	if (a == FUNCTION_NONE)
		return 0;
	if (b == FUNCTION_NONE)
		return DESCENT_OF_NAMES | DESCENT_OF_FIRSTS;
	return (paths->rank_of[a] > paths->rank_of[b] ? DESCENT_OF_NAMES : 0) |
	       (paths->first_of[a] > paths->first_of[b] ? DESCENT_OF_FIRSTS : 0);
}

static void find_descents(struct sorter *sorter)
{
	const struct calltree_paths *paths = sorter->paths;
	struct calltree_path last, path;

	for (uint32_t i = 0; i < paths->nr; i++, last = path) {
		struct calltree_parting parting;

		sorter->order->paths[i] = i;
		path = calltree_paths_get(paths, i);
		if (!i)
			continue;
		parting = calltree_paths_part(paths, paths->rank_of, &last, &path,
					      known_shared(paths, path.side, i));
		sorter->order->shared[i] = parting.depth;
		sorter->descents[i] = descents_of(paths, &parting);
		sorter->names_nr += !!(sorter->descents[i] & DESCENT_OF_NAMES);
		sorter->firsts_nr += !!(sorter->descents[i] & DESCENT_OF_FIRSTS);
	}
}

static void add_run(struct sorter *sorter, uint32_t begin, uint32_t end)
{
	sorter->runs[sorter->runs_nr++] = (struct run){begin, end};
	merge_last(sorter, false);
}

static void merge_runs(struct sorter *sorter, enum descent descent)
{
	uint32_t begin = 0, nr = sorter->paths->nr;

	for (uint32_t i = 1; i < nr; i++) {
		if (!(sorter->descents[i] & descent))
			continue;
		add_run(sorter, begin, i);
		begin = i;
	}
	if (nr)
		add_run(sorter, begin, nr);
	merge_last(sorter, true);
}

/* With so many runs in so many paths there is no order in them: to merge them takes longer. */
#define RUN_LEAST 8

static void find_shared(struct sorter *sorter)
{
	const struct calltree_paths *paths = sorter->paths;
	const uint32_t *order = sorter->order->paths;
	struct calltree_path last, path;

	for (uint32_t i = 0; i < paths->nr; i++, last = path) {
		uint32_t shared = 0;

		if (i + 2 * CALLTREE_PATHS_AHEAD < paths->nr)
			calltree_paths_fetch(paths, order[i + 2 * CALLTREE_PATHS_AHEAD],
					     order[i + CALLTREE_PATHS_AHEAD], 0);
		path = calltree_paths_get(paths, order[i]);
		if (i)
			calltree_paths_compare(paths, paths->rank_of, &last, &path, &shared);
		sorter->order->shared[i] = shared;
	}
}

static void sort(struct sorter *sorter, bool by_name)
{
	const struct calltree_paths *paths = sorter->paths;
	struct calltree_order *order = sorter->order;

	order->is_by_name = by_name || sorter->names_nr <= sorter->firsts_nr ||
			    sorter->firsts_nr > paths->nr / RUN_LEAST;
	if (order->is_by_name && sorter->names_nr > paths->nr / RUN_LEAST) {
		calltree_words_sort(paths, order->paths);
		find_shared(sorter);
		return;
	}
	sorter->number_of = order->is_by_name ? paths->rank_of : paths->first_of;
	merge_runs(sorter, order->is_by_name ? DESCENT_OF_NAMES : DESCENT_OF_FIRSTS);
}

/* They are of a recording, which comes in no order. */
static void sort_places(const struct calltree_paths *paths, struct calltree_order *order)
{
	struct calltree_radix radix;

	order->is_by_name = true;
	order->own = mem_alloc(paths->nr * sizeof(*order->own));
	calltree_radix_init(&radix, paths);
	calltree_radix_order(&radix, order);
	calltree_radix_release(&radix);
}

void calltree_order_init(struct calltree_order *order, const struct calltree_paths *paths,
			 bool by_name)
{
	struct sorter sorter = {.paths = paths, .order = order};

	*order = (struct calltree_order){
		.paths = mem_alloc(paths->nr * sizeof(*order->paths)),
		.shared = mem_zalloc(paths->nr, sizeof(*order->shared)),
	};
	if (paths->has_places) {
		sort_places(paths, order);
		return;
	}
	sorter.descents = mem_zalloc(paths->nr, 1);
	find_descents(&sorter);
	sort(&sorter, by_name);
	free(sorter.descents);
	free(sorter.paths_aside);
	free(sorter.shared_aside);
}
