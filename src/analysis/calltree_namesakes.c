/* calltree_namesakes.c - of functions of one name that are one node: which one it tells of */
#include "analysis/calltree_namesakes.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/trust.h"
#include "base/mem.h"

void calltree_namesakes_init(struct calltree_namesakes *namesakes,
			     const struct calltree_items *items)
{
	*namesakes = (struct calltree_namesakes){
		.items = items,
		.row_of = mem_zalloc(items->paths.naming->nr, sizeof(*namesakes->row_of)),
	};
}

void calltree_namesakes_release(struct calltree_namesakes *namesakes)
{
	free(namesakes->row_of);
	free(namesakes->list);
}

static struct calltree_namesake *row_of(struct calltree_namesakes *namesakes, uint32_t function)
{
	uint32_t *row = &namesakes->row_of[function];

	if (!*row) {
		GROW(namesakes->list, namesakes->nr + 1, namesakes->alloc);
		namesakes->list[namesakes->nr++] =
			(struct calltree_namesake){.function = function, .first = UINT32_MAX};
		*row = (uint32_t)namesakes->nr;
	}
	return &namesakes->list[*row - 1];
}

static weight value_of(const struct calltree_items *items, struct calltree_range range)
{
	weight value =
		calltree_weight_in(items->sums[0].values, calltree_side_of(items, range, false));

	if (items->befores_nr)
		value += calltree_weight_in(items->sums[1].values,
					    calltree_side_of(items, range, true));
	return value;
}

static void add_functions(struct calltree_namesakes *namesakes, struct calltree_range range,
			  uint32_t depth)
{
	const struct calltree_items *items = namesakes->items;

	for (uint32_t at = range.begin, end; at < range.end; at = end) {
		struct calltree_namesake *row =
			row_of(namesakes, calltree_function_at(items, at, depth));

		for (end = at + 1; end < range.end && items->item_of[end].own > depth;)
			end = items->item_of[end].next;
		if (end > range.end)
			end = range.end;
		row->value += value_of(items, (struct calltree_range){at, end});
		for (uint32_t i = at; i < end; i++)
			if (items->order[i] < row->first)
				row->first = items->order[i];
	}
}

/* Ties that nothing else decides go to the one that came first. */
static int compare_first(const void *a, const void *b)
{
	const struct calltree_namesake *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

void calltree_namesakes_choose(struct calltree_namesakes *namesakes, struct calltree_range range,
			       uint32_t depth, struct calltree_node *ret)
{
	const struct naming *naming = namesakes->items->paths.naming;
	const struct calltree_namesake *heaviest;

	namesakes->nr = 0;
	add_functions(namesakes, range, depth);
	qsort(namesakes->list, namesakes->nr, sizeof(*namesakes->list), compare_first);
	heaviest = namesakes->list;
	for (size_t i = 0; i < namesakes->nr; i++) {
		const struct calltree_namesake *row = &namesakes->list[i];

		namesakes->row_of[row->function] = 0;
		if (row->value > heaviest->value ||
		    (row->value == heaviest->value &&
		     naming_compare_modules(naming, row->function, heaviest->function) < 0))
			heaviest = row;
		ret->doubted = trust_more_doubted(naming, row->function, ret->doubted);
	}
	ret->function = heaviest->function;
}
