/* inlines.c - which functions, inlined ones too, the addresses of one unit are in */
#include "symbols/inlines.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "symbols/dwarf_names.h"
#include "symbols/units.h"

/* A function that the walk is inside of. */
struct inline_open {
	struct inline_node node;
	size_t parent; /* the function that it was inlined into, in open; OPEN_NONE */
	uint32_t nr;   /* its number in nodes, once an address needs it */
	bool is_quiet; /* none of the addresses is in it: what was inlined needs no look */
};

#define OPEN_NONE SIZE_MAX

struct walk {
	struct inlines *inlines;
	const struct unit *unit;
	const struct code_ranges *code;
	const uint64_t *vaddrs;
	size_t nr;
	uint32_t *found;
	uint64_t marks_left;
	uint32_t ranges_left;
	inlines_range *range; /* NULL: addresses are looked for */
	void *context;
	struct dwarf_facts *facts;
};

void inlines_release(struct inlines *inlines)
{
	free(inlines->nodes);
	free(inlines->open);
	free(inlines->levels);
	dies_release(&inlines->dies);
	*inlines = (struct inlines){0};
}

static uint32_t node_add(struct inlines *inlines, const struct inline_node *node)
{
	GROW(inlines->nodes, inlines->nodes_nr + 1, inlines->nodes_alloc);
	inlines->nodes[inlines->nodes_nr] = *node;
	return (uint32_t)inlines->nodes_nr++;
}

/* The node of the innermost open function; those around it get theirs too. */
static uint32_t node_needed(struct inlines *inlines)
{
	size_t at = inlines->open_nr - 1;
	uint32_t child = INLINE_NONE;

	for (; at != OPEN_NONE; at = inlines->open[at].parent) {
		struct inline_open *open = &inlines->open[at];
		bool is_new = open->nr == INLINE_NONE;

		if (is_new)
			open->nr = node_add(inlines, &open->node);
		if (child != INLINE_NONE)
			inlines->nodes[child].parent = open->nr;
		if (!is_new)
			break;
		child = open->nr;
	}
	return inlines->open[inlines->open_nr - 1].nr;
}

static size_t first_not_below(const struct walk *walk, uint64_t low)
{
	size_t first = 0, nr = walk->nr;

	while (nr) {
		size_t half = nr / 2;

		if (walk->vaddrs[first + half] < low) {
			first += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return first;
}

/* The innermost open function has [low, high). False: a limit. */
static bool mark(struct walk *walk, uint64_t low, uint64_t high)
{
	struct inlines *inlines = walk->inlines;
	size_t at, end;
	uint32_t node;

	if (!walk->ranges_left--)
		return false;
	if (walk->range) {
		walk->range(walk->context, low, high);
		return true;
	}
	at = first_not_below(walk, low);
	if (low >= high || at == walk->nr || walk->vaddrs[at] >= high ||
	    !code_ranges_has(walk->code, low))
		return true;
	node = node_needed(inlines);
	inlines->open[inlines->open_nr - 1].is_quiet = false;
	for (end = at; end < walk->nr && walk->vaddrs[end] < high; end++)
		walk->found[end] = node;
	if (end - at > walk->marks_left)
		return false;
	walk->marks_left -= end - at;
	return true;
}

/* Ranges and indices are rare enough for libdw. */
static bool mark_ranges(struct walk *walk, uint64_t offset)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	Dwarf_Die die;

	if (!dwarf_offdie(walk->unit->body.dwarf, offset, &die))
		return true;
	while ((at = dwarf_ranges(&die, at, &base, &low, &high)) > 0) {
		if (!mark(walk, low, high))
			return false;
	}
	if (at < 0)
		dwarf_fact_add(walk->facts, DWARF_FACT_DAMAGED, "entry 0x%" PRIx64 ": ranges: %s",
			       offset, dwarf_errmsg(-1));
	return true;
}

static struct inline_open *open_function(struct inlines *inlines, const struct die *die)
{
	bool is_inlined = die->abbrev->tag == DW_TAG_inlined_subroutine;
	struct inline_open *open;

	GROW(inlines->open, inlines->open_nr + 1, inlines->open_alloc);
	open = &inlines->open[inlines->open_nr];
	*open = (struct inline_open){
		.node = {.offset = die->offset, .parent = INLINE_NONE, .is_inlined = is_inlined},
		.parent = is_inlined ? inlines->open_nr - 1 : OPEN_NONE,
		.nr = INLINE_NONE,
		.is_quiet = !is_inlined,
	};
	inlines->open_nr++;
	return open;
}

enum visit {
	VISIT_GOES_ON,
	VISIT_DAMAGED,
	VISIT_LIMIT,
};

static enum visit visit_function(struct walk *walk, const struct die *die)
{
	struct inlines *inlines = walk->inlines;
	struct inline_open *open = open_function(inlines, die);
	struct die_facts facts;
	bool is_within = true;

	if (!open->node.is_inlined && !die->abbrev->has_pc)
		return dies_skip(&inlines->dies, die) ? VISIT_GOES_ON : VISIT_DAMAGED;
	if (!dies_facts(&inlines->dies, die, &facts))
		return VISIT_DAMAGED;
	/* A function that stands for itself may have a name of its own: D1 of D4, a destructor. */
	open->node.origin = open->node.is_inlined && facts.origin ? facts.origin : die->offset;
	open->node.call_file = facts.call_file;
	open->node.call_line = facts.call_line;
	if (facts.has_pc_indirect)
		is_within = mark_ranges(walk, die->offset);
	else if (facts.has_low && facts.high)
		is_within = mark(walk, facts.low, facts.high);
	return is_within ? VISIT_GOES_ON : VISIT_LIMIT;
}

/* An inlined function that no function of interest is around has nothing to say. */
static bool is_of_interest(const struct inlines *inlines, const struct die *die)
{
	if (die->abbrev->tag == DW_TAG_subprogram)
		return true;
	return die->abbrev->tag == DW_TAG_inlined_subroutine && inlines->open_nr &&
	       !inlines->open[inlines->open_nr - 1].is_quiet;
}

static enum visit visit(struct walk *walk, const struct die *die)
{
	struct inlines *inlines = walk->inlines;
	size_t outside = inlines->open_nr;
	enum visit result = VISIT_GOES_ON;

	if (is_of_interest(inlines, die))
		result = visit_function(walk, die);
	else if (!dies_skip(&inlines->dies, die))
		result = VISIT_DAMAGED;
	if (result != VISIT_GOES_ON)
		return result;
	if (!die->abbrev->has_children) {
		inlines->open_nr = outside;
		return VISIT_GOES_ON;
	}
	if (inlines->levels_nr == INLINE_DEPTH_MAX)
		return VISIT_LIMIT;
	GROW(inlines->levels, inlines->levels_nr + 1, inlines->levels_alloc);
	inlines->levels[inlines->levels_nr++] = outside;
	return VISIT_GOES_ON;
}

static void walk_unit(struct walk *walk)
{
	struct inlines *inlines = walk->inlines;
	enum visit result = VISIT_GOES_ON;
	enum dies_step step = DIES_DAMAGED;
	struct die die = {.offset = walk->unit->body.begin};

	inlines->nodes_nr = 0;
	inlines->open_nr = 0;
	inlines->levels_nr = 0;
	if (dies_start(&inlines->dies, &walk->unit->body)) {
		while (result == VISIT_GOES_ON &&
		       (step = dies_next(&inlines->dies, &die)) == DIES_ENTRY) {
			if (die.abbrev)
				result = visit(walk, &die);
			else if (inlines->levels_nr)
				inlines->open_nr = inlines->levels[--inlines->levels_nr];
		}
	}
	if (step == DIES_DAMAGED || result == VISIT_DAMAGED)
		dwarf_fact_add(walk->facts, DWARF_FACT_DAMAGED,
			       "unit 0x%" PRIx64 ": entry 0x%" PRIx64, walk->unit->body.header,
			       die.offset);
	if (result == VISIT_LIMIT)
		dwarf_fact_add(walk->facts, DWARF_FACT_LIMIT,
			       "unit 0x%" PRIx64 ": entry 0x%" PRIx64 ": too many ranges or levels",
			       walk->unit->body.header, die.offset);
}

void inlines_find(struct inlines *inlines, const struct unit *unit, const struct code_ranges *code,
		  const uint64_t *vaddrs, size_t nr, uint32_t *ret, struct dwarf_facts *facts)
{
	struct walk walk = {
		.inlines = inlines,
		.unit = unit,
		.code = code,
		.vaddrs = vaddrs,
		.nr = nr,
		.found = ret,
		.marks_left = (uint64_t)nr * INLINE_MARKS_PER_NR,
		.ranges_left = INLINE_RANGES_MAX,
		.facts = facts,
	};

	for (size_t i = 0; i < nr; i++)
		ret[i] = INLINE_NONE;
	walk_unit(&walk);
}

void inlines_each_range(struct inlines *inlines, const struct unit *unit, inlines_range *range,
			void *context, struct dwarf_facts *facts)
{
	struct walk walk = {
		.inlines = inlines,
		.unit = unit,
		.ranges_left = INLINE_RANGES_MAX,
		.range = range,
		.context = context,
		.facts = facts,
	};

	walk_unit(&walk);
}
