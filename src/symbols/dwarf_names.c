/* dwarf_names.c - functions, inlined ones too, and lines of a batch of addresses, by DWARF */
#include "symbols/dwarf_names.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "symbols/function_names.h"
#include "symbols/inlines.h"
#include "symbols/line_table.h"
#include "symbols/lines.h"
#include "symbols/strings.h"
#include "symbols/unit_files.h"
#include "symbols/units.h"

struct dwarf_names {
	Dwarf *dwarf;
	struct dwarf_facts facts;
	struct strings strings;
	struct units units;
	struct inlines inlines;
	struct function_names functions;
	bool is_completed; /* units that do not say what they cover have been looked into */

	/* of the current unit; used again for the next */
	struct function_name *names; /* by node */
	size_t names_alloc;
	struct origin *origins;
	size_t origins_alloc;
	struct dwarf_frame *frames;
	size_t frames_alloc;
};

/* The same function is inlined at many places: it is named once. */
struct origin {
	uint64_t offset;
	uint32_t node;
};

/* One call of dwarf_names_resolve(). */
struct batch {
	const uint64_t *vaddrs;
	unsigned flags;
	dwarf_names_chain *chain;
	void *context;
};

/* The addresses of one unit. Owned: group_release(). */
struct group {
	const size_t *at; /* numbers in the batch; borrowed */
	size_t nr;
	uint64_t *vaddrs;
	uint32_t *nodes;
	struct line_row *rows;
	struct line_table table; /* of the unit's rows */
	struct line_table calls; /* of its call_file, where that is another */
	bool has_calls;
};

const char *dwarf_fact_text(enum dwarf_fact fact)
{
	static const char *const texts[DWARF_FACTS_NR] = {
		[DWARF_FACT_COMPRESSION] =
			"debug data is compressed in a way that cannot be read (zstd)",
		[DWARF_FACT_NO_DWO] = "split debug data (.dwo) is missing",
		[DWARF_FACT_NO_ALT] = "shared debug data (dwz) is missing",
		[DWARF_FACT_WRONG_ALT] = "shared debug data (dwz) has another build ID",
		[DWARF_FACT_DAMAGED] = "debug data is damaged",
		[DWARF_FACT_LIMIT] = "debug data goes over a limit",
	};

	return texts[fact];
}

void dwarf_fact_add(struct dwarf_facts *facts, enum dwarf_fact fact, const char *format, ...)
{
	va_list args;

	if (facts->nr[fact] < UINT32_MAX && facts->nr[fact]++)
		return;
	va_start(args, format);
	vsnprintf(facts->first[fact], sizeof(facts->first[fact]), format, args);
	va_end(args);
}

void dwarf_names_check_elf(Elf *elf, struct dwarf_facts *facts)
{
	debug_sections_check(elf, facts);
}

struct dwarf_names *dwarf_names_new(Dwarf *dwarf)
{
	struct dwarf_names *names = mem_zalloc(1, sizeof(*names));

	names->dwarf = dwarf;
	units_init(&names->units, dwarf, &names->facts);
	function_names_init(&names->functions, dwarf, &names->strings, &names->facts);
	return names;
}

void dwarf_names_free(struct dwarf_names *names)
{
	if (!names)
		return;
	function_names_release(&names->functions);
	inlines_release(&names->inlines);
	units_release(&names->units);
	strings_release(&names->strings);
	free(names->names);
	free(names->origins);
	free(names->frames);
	free(names);
}

const struct dwarf_facts *dwarf_names_facts(const struct dwarf_names *names)
{
	return &names->facts;
}

/* ---- units that do not say what they cover */

struct completion {
	struct dwarf_names *names;
	uint32_t unit;
	size_t ranges_nr;
};

static void add_range(void *context, uint64_t low, uint64_t high)
{
	struct completion *completion = context;
	struct dwarf_names *names = completion->names;

	completion->ranges_nr++;
	units_add_range(&names->units, completion->unit, low, high, &names->facts);
}

/* Debug data for compiled-at-run-time code may be a line table alone, others have no lines. */
static void complete_unit(struct dwarf_names *names, uint32_t nr)
{
	struct unit *unit = &names->units.units[nr];
	struct completion completion = {names, nr, 0};
	struct line_table table;

	if (unit_files_read(&unit->die, &names->units.sections, &table))
		lines_each_range(&table, &names->units.code, add_range, &completion);
	line_table_release(&table);
	if (completion.ranges_nr)
		return;
	units_open(&names->units, unit, &names->facts);
	inlines_each_range(&names->inlines, unit, add_range, &completion, &names->facts);
}

static void complete_units(struct dwarf_names *names)
{
	for (size_t i = 0; i < names->units.units_nr; i++) {
		if (!names->units.units[i].has_ranges)
			complete_unit(names, (uint32_t)i);
	}
	names->is_completed = true;
	units_sort(&names->units);
}

/* ---- names of the functions of one unit */

static int compare_origins(const void *a, const void *b)
{
	const struct origin *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->node < right->node ? -1 : left->node > right->node;
}

static void name_functions(struct dwarf_names *names, const struct unit *unit, unsigned flags)
{
	const struct inlines *inlines = &names->inlines;
	size_t nr = 0;

	GROW(names->names, inlines->nodes_nr, names->names_alloc);
	GROW(names->origins, inlines->nodes_nr, names->origins_alloc);
	for (size_t i = 0; i < inlines->nodes_nr; i++) {
		if (!(flags & DWARF_NAMES_INLINES) && inlines->nodes[i].is_inlined)
			continue;
		names->origins[nr++] = (struct origin){inlines->nodes[i].origin, (uint32_t)i};
	}
	if (nr)
		qsort(names->origins, nr, sizeof(*names->origins), compare_origins);
	for (size_t i = 0; i < nr; i++) {
		struct function_name *name = &names->names[names->origins[i].node];

		if (i && names->origins[i].offset == names->origins[i - 1].offset)
			*name = names->names[names->origins[i - 1].node];
		else
			function_names_find(&names->functions, &unit->body,
					    names->origins[i].offset, flags & DWARF_NAMES_DECLS,
					    name);
	}
}

/* ---- chains */

static void group_release(struct group *group)
{
	free(group->vaddrs);
	free(group->nodes);
	free(group->rows);
	line_table_release(&group->table);
	line_table_release(&group->calls);
}

static struct dwarf_frame *add_frame(struct dwarf_names *names, size_t *nr, uint32_t node)
{
	struct dwarf_frame *frame;

	GROW(names->frames, *nr + 1, names->frames_alloc);
	frame = &names->frames[(*nr)++];
	*frame = (struct dwarf_frame){0};
	if (node == INLINE_NONE)
		return frame;
	frame->raw_name = names->names[node].raw;
	frame->decl_file = names->names[node].decl_file;
	frame->is_linkage_name = names->names[node].is_linkage;
	frame->is_inlined = names->inlines.nodes[node].is_inlined;
	return frame;
}

static void set_call(struct dwarf_names *names, struct group *group, const struct inline_node *node,
		     struct dwarf_frame *ret)
{
	struct line_table *table = group->has_calls ? &group->calls : &group->table;

	ret->file = line_table_path(table, node->call_file, &names->strings);
	ret->line = node->call_line;
}

static void set_row(struct dwarf_names *names, struct group *group, size_t i,
		    struct dwarf_frame *ret)
{
	const struct line_row *row = &group->rows[i];

	if (row->file == LINE_NO_FILE)
		return;
	ret->file = line_table_path(&group->table, row->file, &names->strings);
	ret->line = row->line;
}

/* From the innermost function outwards; the place of each is where the one before was called. */
static size_t chain_inlined(struct dwarf_names *names, struct group *group, size_t i,
			    unsigned flags)
{
	const struct inline_node *nodes = names->inlines.nodes;
	uint32_t node = group->nodes[i];
	size_t nr = 0;
	struct dwarf_frame *frame = add_frame(names, &nr, node);

	if (flags & DWARF_NAMES_LINES)
		set_row(names, group, i, frame);
	while (nodes[node].is_inlined && nodes[node].parent != INLINE_NONE) {
		frame = add_frame(names, &nr, nodes[node].parent);
		if (flags & DWARF_NAMES_LINES)
			set_call(names, group, &nodes[node], frame);
		node = nodes[node].parent;
	}
	return nr;
}

/* The function alone, with the line of the address: what a debugger without inlines shows. */
static size_t chain_plain(struct dwarf_names *names, struct group *group, size_t i, unsigned flags)
{
	const struct inline_node *nodes = names->inlines.nodes;
	uint32_t node = group->nodes[i];
	struct dwarf_frame *frame;
	size_t nr = 0;

	while (node != INLINE_NONE && nodes[node].is_inlined)
		node = nodes[node].parent;
	frame = add_frame(names, &nr, node);
	if (flags & DWARF_NAMES_LINES)
		set_row(names, group, i, frame);
	return nr;
}

static void say_chains(struct dwarf_names *names, struct group *group, const struct batch *batch)
{
	for (size_t i = 0; i < group->nr; i++) {
		bool is_inlined =
			(batch->flags & DWARF_NAMES_INLINES) && group->nodes[i] != INLINE_NONE;
		size_t nr = is_inlined ? chain_inlined(names, group, i, batch->flags)
				       : chain_plain(names, group, i, batch->flags);

		if (names->frames[0].raw_name || names->frames[0].file || nr > 1)
			batch->chain(batch->context, group->at[i], names->frames, nr);
	}
}

/* A unit of a .dwo has its files there; if not, its skeleton's. */
static void read_rows(struct dwarf_names *names, struct unit *unit, struct group *group)
{
	struct units *units = &names->units;
	Dwarf_Die top;

	if (unit->body.dwarf != units->dwarf &&
	    dwarf_offdie(unit->body.dwarf, unit->body.begin, &top))
		group->has_calls = unit_files_read(&top, unit->body.sections, &group->calls);
	if (!unit_files_read(&unit->die, &units->sections, &group->table)) {
		for (size_t i = 0; i < group->nr; i++)
			group->rows[i] = (struct line_row){LINE_NO_FILE, 0};
		if (dwarf_hasattr(&unit->die, DW_AT_stmt_list))
			dwarf_fact_add(&names->facts, DWARF_FACT_DAMAGED,
				       "unit 0x%" PRIx64 ": the head of its line table",
				       unit->body.header);
	} else if (!lines_find(&group->table, &units->code, group->vaddrs, group->nr,
			       group->rows)) {
		dwarf_fact_add(&names->facts, DWARF_FACT_DAMAGED, "unit 0x%" PRIx64 ": its lines",
			       unit->body.header);
	}
}

static void resolve_unit(struct dwarf_names *names, struct unit *unit, const size_t *at, size_t nr,
			 const struct batch *batch)
{
	CLEANUP(group_release)
	struct group group = {
		.at = at,
		.nr = nr,
		.vaddrs = mem_zalloc(nr, sizeof(*group.vaddrs)),
		.nodes = mem_zalloc(nr, sizeof(*group.nodes)),
		.rows = mem_zalloc(nr, sizeof(*group.rows)),
	};

	for (size_t i = 0; i < nr; i++)
		group.vaddrs[i] = batch->vaddrs[at[i]];
	units_open(&names->units, unit, &names->facts);
	inlines_find(&names->inlines, unit, &names->units.code, group.vaddrs, nr, group.nodes,
		     &names->facts);
	name_functions(names, unit, batch->flags);
	if (batch->flags & DWARF_NAMES_LINES)
		read_rows(names, unit, &group);
	say_chains(names, &group, batch);
}

/* ---- the batch, cut by unit */

/* ret: the numbers of the addresses, those of a unit together and rising (a counting sort). */
static void order_by_unit(const uint32_t *unit_of, size_t nr, size_t units_nr, size_t *begins,
			  size_t *ret)
{
	size_t sum = 0;

	for (size_t i = 0; i < nr; i++) {
		if (unit_of[i] != UNIT_NONE)
			begins[unit_of[i] + 1]++;
	}
	for (size_t i = 0; i <= units_nr; i++)
		begins[i] = sum += begins[i];
	for (size_t i = 0; i < nr; i++) {
		if (unit_of[i] != UNIT_NONE)
			ret[begins[unit_of[i]]++] = i;
	}
}

void dwarf_names_resolve(struct dwarf_names *names, const uint64_t *vaddrs, size_t nr,
			 unsigned flags, dwarf_names_chain *chain, void *context)
{
	const struct batch batch = {vaddrs, flags, chain, context};
	struct units *units = &names->units;
	uint32_t *unit_of = mem_zalloc(nr, sizeof(*unit_of));
	size_t *order = mem_zalloc(nr, sizeof(*order));
	size_t *ends, begin = 0;

	if (units_assign(units, vaddrs, nr, unit_of) && !names->is_completed) {
		complete_units(names);
		units_assign(units, vaddrs, nr, unit_of);
	}
	ends = mem_zalloc(units->units_nr + 1, sizeof(*ends));
	order_by_unit(unit_of, nr, units->units_nr, ends, order);
	for (size_t i = 0; i < units->units_nr; begin = ends[i++]) {
		if (ends[i] > begin)
			resolve_unit(names, &units->units[i], &order[begin], ends[i] - begin,
				     &batch);
	}
	free(ends);
	free(order);
	free(unit_of);
}
