/* units.c - the compilation units of a file, and which of them an address belongs to */
#include "symbols/units.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "symbols/dwarf_names.h"

bool unit_body_of(Dwarf_Die *die, const struct debug_sections *sections, struct unit_body *ret)
{
	Dwarf_Die top;
	Dwarf_Off abbrev, next;
	Dwarf_Half version;
	uint8_t address_size, offset_size;

	if (!dwarf_cu_die(die->cu, &top, &version, &abbrev, &address_size, &offset_size, NULL,
			  NULL))
		return false;
	*ret = (struct unit_body){
		.dwarf = dwarf_cu_getdwarf(die->cu),
		.sections = sections,
		.begin = dwarf_dieoffset(&top),
		.header = dwarf_dieoffset(&top) - dwarf_cuoffset(&top),
		.abbrev = abbrev,
		.version = version,
		.address_size = address_size,
		.offset_size = offset_size,
	};
	/* Units of .debug_types count from another section. */
	if (!sections->info.at || ret->begin >= sections->info.size ||
	    (const unsigned char *)top.addr != sections->info.at + ret->begin)
		return false;
	if (dwarf_next_unit(ret->dwarf, ret->header, &next, NULL, NULL, NULL, NULL, NULL, NULL,
			    NULL) != 0)
		return false;
	ret->end = next < sections->info.size ? next : sections->info.size;
	return ret->begin <= ret->end;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	if (left->unit != right->unit)
		return left->unit < right->unit ? -1 : 1;
	return left->high < right->high ? -1 : left->high > right->high;
}

void units_sort(struct units *units)
{
	if (units->ranges_nr)
		qsort(units->ranges, units->ranges_nr, sizeof(*units->ranges), compare_ranges);
}

void units_add_range(struct units *units, uint32_t unit, uint64_t low, uint64_t high,
		     struct dwarf_facts *facts)
{
	if (low >= high || !code_ranges_has(&units->code, low))
		return;
	if (units->ranges_nr == RANGES_MAX) {
		dwarf_fact_add(facts, DWARF_FACT_LIMIT, "unit %" PRIu32 ": more than %u ranges",
			       unit, RANGES_MAX);
		return;
	}
	GROW(units->ranges, units->ranges_nr + 1, units->ranges_alloc);
	units->ranges[units->ranges_nr++] = (struct unit_range){low, high, unit};
}

static void add_unit_ranges(struct units *units, uint32_t nr, struct dwarf_facts *facts)
{
	struct unit *unit = &units->units[nr];
	ptrdiff_t at = 0;
	Dwarf_Addr base, low, high;

	unit->has_ranges =
		dwarf_hasattr(&unit->die, DW_AT_ranges) || dwarf_hasattr(&unit->die, DW_AT_high_pc);
	while (units->ranges_nr < RANGES_MAX &&
	       (at = dwarf_ranges(&unit->die, at, &base, &low, &high)) > 0)
		units_add_range(units, nr, low, high, facts);
	if (at < 0)
		dwarf_fact_add(facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": ranges: %s",
			       unit->body.header, dwarf_errmsg(-1));
}

/* Partial units (dwz) and type units have no code. */
static void add_unit(struct units *units, Dwarf_Die *die, struct dwarf_facts *facts)
{
	struct unit unit = {.die = *die};
	int tag = dwarf_tag(die);
	uint8_t type = 0;

	if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit)
		return;
	if (dwarf_cu_info(die->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    !unit_body_of(die, &units->sections, &unit.body)) {
		dwarf_fact_add(facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": %s",
			       (uint64_t)dwarf_dieoffset(die), dwarf_errmsg(-1));
		return;
	}
	unit.is_split = type == DW_UT_skeleton;
	GROW(units->units, units->units_nr + 1, units->units_alloc);
	units->units[units->units_nr++] = unit;
	add_unit_ranges(units, (uint32_t)units->units_nr - 1, facts);
}

void units_init(struct units *units, Dwarf *dwarf, struct dwarf_facts *facts)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;
	int result;

	*units = (struct units){.dwarf = dwarf};
	debug_sections_find(dwarf, &units->sections);
	code_ranges_find(dwarf_getelf(dwarf), &units->code);
	while ((result = dwarf_next_unit(dwarf, offset, &next, &header_size, NULL, NULL, NULL, NULL,
					 NULL, NULL)) == 0) {
		Dwarf_Die die;

		if (units->units_nr == UNITS_MAX) {
			dwarf_fact_add(facts, DWARF_FACT_LIMIT, "more than %u units", UNITS_MAX);
			break;
		}
		if (dwarf_offdie(dwarf, offset + header_size, &die))
			add_unit(units, &die, facts);
		else
			dwarf_fact_add(facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": %s",
				       (uint64_t)offset, dwarf_errmsg(-1));
		if (next <= offset)
			break;
		offset = next;
	}
	if (result < 0)
		dwarf_fact_add(facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": %s",
			       (uint64_t)offset, dwarf_errmsg(-1));
	units_sort(units);
}

void units_release(struct units *units)
{
	code_ranges_release(&units->code);
	for (size_t i = 0; i < units->split_nr; i++)
		free(units->split[i]);
	free(units->split);
	free(units->ranges);
	free(units->units);
	*units = (struct units){0};
}

/* ---- which of them: a sweep, with the ranges that have begun in a heap by unit */

struct sweep {
	const struct unit_range *ranges;
	size_t *heap; /* numbers of ranges, the first unit's on top */
	size_t heap_nr, heap_alloc;
};

static bool is_before(const struct sweep *sweep, size_t a, size_t b)
{
	const struct unit_range *ranges = sweep->ranges;
	const size_t *heap = sweep->heap;

	return ranges[heap[a]].unit < ranges[heap[b]].unit;
}

static void swap(struct sweep *sweep, size_t a, size_t b)
{
	size_t kept = sweep->heap[a];

	sweep->heap[a] = sweep->heap[b];
	sweep->heap[b] = kept;
}

static void sweep_push(struct sweep *sweep, size_t range)
{
	size_t at = sweep->heap_nr++;

	GROW(sweep->heap, sweep->heap_nr, sweep->heap_alloc);
	sweep->heap[at] = range;
	while (at && is_before(sweep, at, (at - 1) / 2)) {
		swap(sweep, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void sweep_pop(struct sweep *sweep)
{
	size_t at = 0;

	sweep->heap[0] = sweep->heap[--sweep->heap_nr];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= sweep->heap_nr)
			return;
		if (child + 1 < sweep->heap_nr && is_before(sweep, child + 1, child))
			child++;
		if (!is_before(sweep, child, at))
			return;
		swap(sweep, child, at);
		at = child;
	}
}

size_t units_assign(const struct units *units, const uint64_t *vaddrs, size_t nr, uint32_t *ret)
{
	struct sweep sweep = {.ranges = units->ranges};
	size_t next = 0, none_nr = 0;

	for (size_t i = 0; i < nr; i++) {
		while (next < units->ranges_nr && units->ranges[next].low <= vaddrs[i])
			sweep_push(&sweep, next++);
		/* What is over but not on top is in nobody's way. */
		while (sweep.heap_nr && units->ranges[sweep.heap[0]].high <= vaddrs[i])
			sweep_pop(&sweep);
		ret[i] = sweep.heap_nr ? units->ranges[sweep.heap[0]].unit : UNIT_NONE;
		none_nr += ret[i] == UNIT_NONE;
	}
	free(sweep.heap);
	return none_nr;
}

/* ---- split debug data */

static const char *dwo_name(Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr(skeleton, DW_AT_dwo_name, &attr) ||
	    dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : "(no name)";
}

static bool open_split(struct units *units, struct unit *unit, Dwarf_Die *top)
{
	struct debug_sections *sections = mem_zalloc(1, sizeof(*sections));

	debug_sections_find(dwarf_cu_getdwarf(top->cu), sections);
	GROW(units->split, units->split_nr + 1, units->split_alloc);
	units->split[units->split_nr++] = sections;
	return unit_body_of(top, sections, &unit->body);
}

void units_open(struct units *units, struct unit *unit, struct dwarf_facts *facts)
{
	Dwarf_Die top = {0};

	if (!unit->is_split || unit->is_opened)
		return;
	unit->is_opened = true;
	if (dwarf_cu_info(unit->die.cu, NULL, NULL, NULL, &top, NULL, NULL, NULL) || !top.addr)
		dwarf_fact_add(facts, DWARF_FACT_NO_DWO, "unit 0x%" PRIx64 ": %s",
			       unit->body.header, dwo_name(&unit->die));
	else if (!open_split(units, unit, &top))
		dwarf_fact_add(facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": %s",
			       unit->body.header, dwo_name(&unit->die));
}
