/* flame_summary.c - a flamegraph in a few sentences, for those who do not see it */
#include "renderers/flame_summary.h"

#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame_tree.h"
#include "renderers/number.h"

#define LARGEST_NR 5

/* Sums of differences leave crumbs behind; what is below this part of the whole is one. */
#define CRUMB 1e-9

struct total {
	const char *name; /* NULL: a free slot */
	double self;
};

/* One total per name: an open table, a power of two and at least half free. */
struct totals {
	struct total *slots;
	size_t mask;
};

static bool totals_init(struct totals *totals, size_t names_max)
{
	size_t size = 16;

	while (size < names_max * 2)
		size *= 2;
	totals->mask = size - 1;
	totals->slots = calloc(size, sizeof(*totals->slots));
	return totals->slots;
}

static void totals_add(struct totals *totals, const char *name, double self)
{
	size_t at = palette_name_hash(name) & totals->mask;

	while (totals->slots[at].name && strcmp(totals->slots[at].name, name) != 0)
		at = (at + 1) & totals->mask;
	totals->slots[at].name = name;
	totals->slots[at].self += self;
}

/* Ties are broken by name, so that the order of frames does not show. */
static bool is_larger(const struct total *total, const struct total *than)
{
	if (!than->name || total->self != than->self)
		return !than->name || total->self > than->self;
	return strcmp(total->name, than->name) < 0;
}

static void largest_add(struct total *largest, const struct total *total)
{
	size_t at = LARGEST_NR;

	while (at && is_larger(total, &largest[at - 1]))
		at--;
	if (at == LARGEST_NR)
		return;
	memmove(&largest[at + 1], &largest[at], (LARGEST_NR - 1 - at) * sizeof(*largest));
	largest[at] = *total;
}

/* Where leaves stand upon the root their whole weight is self weight, that of no other is. */
static double self_of(const struct flame_chart *chart, const struct flame_tree *tree, size_t i)
{
	if (!(chart->flags & FLAME_FROM_LEAF))
		return tree->self[i];
	return chart->frames[i].depth == 1 ? chart->frames[i].weight : 0;
}

static bool has_self(const struct flame_chart *chart, const struct flame_tree *tree, size_t i,
		     double crumb)
{
	return !chart->frames[i].more && self_of(chart, tree, i) > crumb;
}

static bool find_largest(const struct flame_chart *chart, const struct flame_tree *tree,
			 struct total *ret_largest)
{
	double crumb = chart->frames_nr ? chart->frames[0].weight * CRUMB : 0;
	struct totals totals;
	size_t nr = 0;

	for (size_t i = 0; i < chart->frames_nr; i++)
		nr += has_self(chart, tree, i, crumb);
	if (!totals_init(&totals, nr))
		return false;
	for (size_t i = 0; i < chart->frames_nr; i++)
		if (has_self(chart, tree, i, crumb))
			totals_add(&totals, chart->frames[i].name, self_of(chart, tree, i));
	for (size_t i = 0; i <= totals.mask; i++)
		if (totals.slots[i].name)
			largest_add(ret_largest, &totals.slots[i]);
	free(totals.slots);
	return true;
}

const char *flame_summary(struct figure *figure, const struct flame_chart *chart,
			  const struct flame_tree *tree)
{
	struct total largest[LARGEST_NR] = {0};
	char shares[LARGEST_NR][NUMBER_SIZE];
	const char *parts[3 + 4 * LARGEST_NR + 2];
	size_t nr = 0;

	if (chart->summary) {
		const char *const said[] = {chart->head ? chart->head : "", chart->head ? " " : "",
					    chart->summary, NULL};

		return figure_join(figure, said);
	}
	if (!find_largest(chart, tree, largest)) {
		figure->is_short_of_memory = true;
		return "";
	}
	if (chart->head) {
		parts[nr++] = chart->head;
		parts[nr++] =
			*chart->head && chart->head[strlen(chart->head) - 1] == '.' ? " " : ". ";
	}
	parts[nr++] = largest[0].name ? "Largest by self weight: " : "No frames.";
	for (size_t i = 0; i < LARGEST_NR && largest[i].name; i++) {
		number_share(shares[i], largest[i].self / chart->frames[0].weight);
		if (i)
			parts[nr++] = ", ";
		parts[nr++] = largest[i].name;
		parts[nr++] = " ";
		parts[nr++] = shares[i];
	}
	if (largest[0].name)
		parts[nr++] = ".";
	parts[nr] = NULL;
	return figure_join(figure, parts);
}
