/* moves.c - changes inside a caller whose own cost did not change: work that moved */
#include "analysis/moves.h"

#include <math.h>

#include "analysis/calltree.h"
#include "analysis/diff.h"
#include "analysis/judge.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

/* Functions that changed, and are looked at. */
#define CHANGED_MAX 64

/* So much of a change is under the caller, and the caller's own is less than that part of it. */
#define INSIDE_LEAST 0.9
#define CALLER_MOST  0.5

/* A caller of more than this part of all is the whole. */
#define WHOLE_LEAST 0.9

#define SLOT_NONE UINT32_MAX

/* Weights of changed functions under each function that was tested. */
struct finder {
	const struct diff *diff;
	const struct judge *judge;
	uint32_t *slot_of_name;	   /* per name: a tested function */
	uint32_t *changed_of_slot; /* per slot, or SLOT_NONE */
	size_t *row_of_slot, *row_of_changed;
	size_t slots_nr, changed_nr;
	double *inside[2]; /* before, after: changed_nr times slots_nr */
	uint32_t *seen;	   /* per slot: the path that it was last in, by number + 1 */
	uint32_t *outer;   /* slots of the path at hand, each once, the outermost first */
};

static double difference_of(const struct finder *finder, size_t row)
{
	return finder->judge->rows[row].test[finder->diff->leading].difference;
}

static void take_slots(struct finder *finder, const struct naming *naming)
{
	const struct diff *diff = finder->diff;
	uint32_t names_nr = naming->capture->names.nr;

	finder->slot_of_name = mem_alloc(((size_t)names_nr + 1) * sizeof(*finder->slot_of_name));
	memset(finder->slot_of_name, 0xff, names_nr * sizeof(*finder->slot_of_name));
	finder->changed_of_slot = mem_alloc((diff->nr + 1) * sizeof(*finder->changed_of_slot));
	finder->row_of_slot = mem_alloc((diff->nr + 1) * sizeof(*finder->row_of_slot));
	finder->row_of_changed = mem_alloc(CHANGED_MAX * sizeof(*finder->row_of_changed));
	for (size_t row = 0; row < diff->nr; row++) {
		const struct judge_row *judged = &finder->judge->rows[row];
		uint32_t slot = (uint32_t)finder->slots_nr;

		if (!judged->is_tested)
			continue;
		finder->slot_of_name[naming->list[diff->functions[row].function].name] = slot;
		finder->row_of_slot[slot] = row;
		finder->changed_of_slot[slot] = SLOT_NONE;
		finder->slots_nr++;
		if (judged->verdict != JUDGE_CHANGED || finder->changed_nr == CHANGED_MAX)
			continue;
		finder->changed_of_slot[slot] = (uint32_t)finder->changed_nr;
		finder->row_of_changed[finder->changed_nr++] = row;
	}
}

static void add_path(struct finder *finder, const struct naming *naming,
		     const struct calltree_source *source, uint32_t path, double value)
{
	const struct paths *paths = source->paths;
	double *inside = finder->inside[source->is_after];
	uint32_t function;
	size_t outer_nr = 0;

	for (uint32_t i = 0; (function = paths_function(paths, path, i)) != FUNCTION_NONE; i++) {
		uint32_t slot, changed;

		if (source->of_function)
			function = source->of_function[function];
		if (naming->list[function].kind == FUNCTION_ROOT)
			continue;
		slot = finder->slot_of_name[naming->list[function].name];
		if (slot == SLOT_NONE || finder->seen[slot] == path + 1)
			continue;
		finder->seen[slot] = path + 1;
		changed = finder->changed_of_slot[slot];
		for (size_t j = 0; changed != SLOT_NONE && j < outer_nr; j++)
			inside[changed * finder->slots_nr + finder->outer[j]] += value;
		finder->outer[outer_nr++] = slot;
	}
}

static void take_paths(struct finder *finder, const struct naming *naming,
		       const struct calltree_source *sources, size_t nr, bool counts_samples)
{
	size_t cells = finder->changed_nr * finder->slots_nr;

	for (int i = 0; i < 2; i++)
		finder->inside[i] = mem_zalloc(cells + 1, sizeof(double));
	finder->outer = mem_alloc((finder->slots_nr + 1) * sizeof(*finder->outer));
	finder->seen = mem_alloc((finder->slots_nr + 1) * sizeof(*finder->seen));
	for (size_t i = 0; i < nr; i++) {
		const struct paths *paths = sources[i].paths;

		memset(finder->seen, 0, finder->slots_nr * sizeof(*finder->seen));
		for (uint32_t path = 0; path < paths->nr; path++)
			add_path(finder, naming, &sources[i], path,
				 weight_number(paths_weight(paths, path, counts_samples)));
	}
}

/* ---- callers */

/* Is the change of this function, or nearly all of it, under that one? */
static bool is_inside(const struct finder *finder, size_t changed, size_t slot)
{
	const struct diff *diff = finder->diff;
	const struct diff_function *function = &diff->functions[finder->row_of_changed[changed]];
	size_t cell = changed * finder->slots_nr + slot;
	double before = diff->divisors.before[diff->leading];
	double after = diff->divisors.after[diff->leading];
	double all = diff_after(diff, diff->leading, function->after_total) -
		     diff_before(diff, diff->leading, function->before_total);
	double inside = finder->inside[1][cell] / after - finder->inside[0][cell] / before;

	return inside * all > 0 && fabs(inside) >= INSIDE_LEAST * fabs(all);
}

static bool is_whole(const struct diff *diff, const struct diff_function *function)
{
	return diff->leading != DIFF_PER_WORK &&
	       (weight_share(function->before_total, diff->before_total) > WHOLE_LEAST ||
		weight_share(function->after_total, diff->after_total) > WHOLE_LEAST);
}

/* Not found to change, and if it did, surely by less than a part of that. */
static bool is_unchanged(const struct finder *finder, size_t row, double change)
{
	const struct judge_row *judged = &finder->judge->rows[row];
	const struct ratio_test *test = &judged->test[finder->diff->leading];
	double most = fmax(fabs(test->low), fabs(test->high));

	return judged->verdict != JUDGE_CHANGED && most < CALLER_MOST * fabs(change);
}

/* The lightest, which is the innermost, of those that a change can have moved in. */
static size_t caller_of(const struct finder *finder, size_t changed)
{
	const struct diff *diff = finder->diff;
	double change = difference_of(finder, finder->row_of_changed[changed]);
	size_t best = SIZE_MAX;

	for (size_t slot = 0; slot < finder->slots_nr; slot++) {
		size_t row = finder->row_of_slot[slot];
		const struct diff_function *function = &diff->functions[row];

		if (!is_inside(finder, changed, slot) || is_whole(diff, function) ||
		    !is_unchanged(finder, row, change))
			continue;
		if (best == SIZE_MAX ||
		    function->before_total + function->after_total <
			    diff->functions[finder->row_of_slot[best]].before_total +
				    diff->functions[finder->row_of_slot[best]].after_total)
			best = slot;
	}
	return best;
}

/* Callers that only pass on have the weights of what they call. */
static bool is_repeated(const struct diff *diff, const struct move *move, size_t row)
{
	for (size_t i = 0; i < move->others_nr; i++) {
		const struct diff_function *x = &diff->functions[move->others[i]];
		const struct diff_function *y = &diff->functions[row];

		if (x->before_total == y->before_total && x->after_total == y->after_total)
			return true;
	}
	return false;
}

/* Rows are in the order of their change. */
static void find_others(const struct finder *finder, size_t slot, struct move *move)
{
	double change = difference_of(finder, move->row);

	for (size_t i = 0; i < finder->changed_nr && move->others_nr < MOVE_OTHERS_MAX; i++) {
		size_t row = finder->row_of_changed[i];

		if (difference_of(finder, row) * change < 0 && is_inside(finder, i, slot) &&
		    !is_repeated(finder->diff, move, row))
			move->others[move->others_nr++] = row;
	}
}

void moves_find(struct moves *moves, const struct diff *diff, const struct judge *judge,
		const struct naming *naming, const struct calltree_source *sources,
		size_t sources_nr, bool counts_samples)
{
	struct finder finder = {.diff = diff, .judge = judge};

	*moves = (struct moves){0};
	take_slots(&finder, naming);
	if (finder.changed_nr)
		take_paths(&finder, naming, sources, sources_nr, counts_samples);
	for (size_t i = 0; i < finder.changed_nr; i++) {
		size_t slot = caller_of(&finder, i);

		if (slot == SIZE_MAX)
			continue;
		GROW(moves->list, moves->nr + 1, moves->alloc);
		moves->list[moves->nr] = (struct move){
			.row = finder.row_of_changed[i],
			.caller = finder.row_of_slot[slot],
		};
		find_others(&finder, slot, &moves->list[moves->nr++]);
	}
	free(finder.slot_of_name);
	free(finder.changed_of_slot);
	free(finder.row_of_slot);
	free(finder.row_of_changed);
	free(finder.inside[0]);
	free(finder.inside[1]);
	free(finder.seen);
	free(finder.outer);
}

void moves_release(struct moves *moves)
{
	free(moves->list);
	*moves = (struct moves){0};
}

const struct move *moves_of(const struct moves *moves, size_t row)
{
	for (size_t i = 0; i < moves->nr; i++)
		if (moves->list[i].row == row)
			return &moves->list[i];
	return NULL;
}
