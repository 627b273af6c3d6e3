/* scopes.c - the namespaces, classes and functions around an entry, as a name in front of its own
 */
#include "symbols/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/units.h"

void scopes_release(struct scopes *scopes)
{
	free(scopes->scopes);
	free(scopes->levels);
	dies_release(&scopes->dies);
	*scopes = (struct scopes){0};
}

static bool is_scope(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_module || tag == DW_TAG_subprogram;
}

/* Returns the scope that is current inside of the entry. */
static uint32_t scope_begin(struct scopes *scopes, const struct die *die, uint32_t outside)
{
	if (!is_scope(die->abbrev->tag) || scopes->scopes_nr == SCOPES_MAX)
		return outside;
	GROW(scopes->scopes, scopes->scopes_nr + 1, scopes->scopes_alloc);
	scopes->scopes[scopes->scopes_nr] = (struct scope){die->offset, UINT64_MAX, outside};
	return (uint32_t)scopes->scopes_nr++;
}

/*
 * A level per list of children: the scope outside of it. Damage and depth end the reading; what
 * is known until then is used, as the walk for inlined functions has counted it.
 */
static void scopes_read(struct scopes *scopes)
{
	uint32_t current = SCOPE_NONE;
	struct die die;

	while (dies_next(&scopes->dies, &die) == DIES_ENTRY) {
		uint32_t outside = current;

		if (!die.abbrev) {
			if (!scopes->levels_nr)
				continue;
			outside = scopes->levels[--scopes->levels_nr];
			if (outside != current)
				scopes->scopes[current].end = die.offset;
			current = outside;
			continue;
		}
		if (!dies_skip(&scopes->dies, &die))
			return;
		if (!die.abbrev->has_children)
			continue;
		if (scopes->levels_nr == SCOPE_DEPTH_MAX)
			return;
		current = scope_begin(scopes, &die, outside);
		GROW(scopes->levels, scopes->levels_nr + 1, scopes->levels_alloc);
		scopes->levels[scopes->levels_nr++] = outside;
	}
}

static void scopes_of(struct scopes *scopes, const struct unit_body *body)
{
	if (scopes->info == body->sections->info.at && scopes->header == body->header)
		return;
	scopes->scopes_nr = 0;
	scopes->levels_nr = 0;
	scopes->info = body->sections->info.at;
	scopes->header = body->header;
	if (dies_start(&scopes->dies, body))
		scopes_read(scopes);
}

/* The innermost scope around the entry. */
static uint32_t scope_around(const struct scopes *scopes, uint64_t offset)
{
	size_t first = 0, nr = scopes->scopes_nr;
	uint32_t at;

	while (nr) {
		size_t half = nr / 2;

		if (scopes->scopes[first + half].begin < offset) {
			first += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	at = first ? (uint32_t)first - 1 : SCOPE_NONE;
	while (at != SCOPE_NONE && scopes->scopes[at].end <= offset)
		at = scopes->scopes[at].parent;
	return at;
}

/* The entry that declares a function whose definition stands elsewhere; 0: it does itself. */
static uint64_t declaration_of(const struct unit_body *body, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	uint64_t offset;

	if ((!dwarf_attr(die, DW_AT_specification, &attr) &&
	     !dwarf_attr(die, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &origin) || dwarf_cu_getdwarf(origin.cu) != body->dwarf)
		return 0;
	offset = dwarf_dieoffset(&origin);
	return offset > body->begin && offset < body->end ? offset : 0;
}

static void add_name(Dwarf_Die *die, struct text *ret)
{
	const char *name = dwarf_diename(die);

	if (name)
		text_add(ret, name);
	else if (dwarf_tag(die) == DW_TAG_namespace)
		text_add(ret, "(anonymous namespace)");
	else
		text_add(ret, "(anonymous class)");
	text_add(ret, "::");
}

void scopes_add_prefix(struct scopes *scopes, const struct unit_body *body, uint64_t offset,
		       struct text *ret)
{
	Dwarf_Die dies[SCOPES_IN_NAME_MAX];
	size_t nr = 0;
	uint32_t at;

	scopes_of(scopes, body);
	at = scope_around(scopes, offset);
	while (at != SCOPE_NONE && nr < SCOPES_IN_NAME_MAX) {
		uint64_t declaration = 0;

		if (!dwarf_offdie(body->dwarf, scopes->scopes[at].begin, &dies[nr]))
			break;
		if (dwarf_tag(&dies[nr]) == DW_TAG_subprogram)
			declaration = declaration_of(body, &dies[nr]);
		nr++;
		at = declaration ? scope_around(scopes, declaration) : scopes->scopes[at].parent;
	}
	while (nr)
		add_name(&dies[--nr], ret);
}
