/* scopes.c - the namespaces, classes and functions around an entry, as a prefix of its name */
#include "symbols/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/origins.h"
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

static void add_name(const struct scopes *scopes, Dwarf_Die *die, struct text *ret)
{
	const char *name = origin_name(die, scopes->alt != NULL);

	if (name)
		text_add(ret, name);
	else if (dwarf_tag(die) == DW_TAG_namespace)
		text_add(ret, "(anonymous namespace)");
	else
		text_add(ret, "(anonymous class)");
	text_add(ret, "::");
}

/* Reads the scopes of the unit that the entry is in. */
static bool scopes_enter(struct scopes *scopes, const struct unit_body *body, Dwarf_Die *die,
			 struct unit_body *ret)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	const struct debug_sections *sections = NULL;

	if (dwarf == body->dwarf)
		sections = body->sections;
	else if (dwarf == scopes->alt)
		sections = scopes->alt_sections;
	if (!sections || !unit_body_of(die, sections, ret))
		return false;
	scopes_of(scopes, ret);
	return true;
}

/* A step outwards: to where a function is declared, else to what stands around it. */
static uint32_t scope_outside(struct scopes *scopes, struct unit_body *body, uint32_t at,
			      Dwarf_Die *die)
{
	Dwarf_Die declaration;

	if (dwarf_tag(die) == DW_TAG_subprogram &&
	    origin_next(die, scopes->alt != NULL, &declaration) &&
	    scopes_enter(scopes, body, &declaration, body))
		return scope_around(scopes, dwarf_dieoffset(&declaration));
	return scopes->scopes[at].parent;
}

void scopes_add_prefix(struct scopes *scopes, const struct unit_body *body, Dwarf_Die *die,
		       struct text *ret)
{
	Dwarf_Die dies[SCOPES_IN_NAME_MAX];
	struct unit_body current;
	size_t nr = 0;
	uint32_t at;

	if (!scopes_enter(scopes, body, die, &current))
		return;
	at = scope_around(scopes, dwarf_dieoffset(die));
	while (at != SCOPE_NONE && nr < SCOPES_IN_NAME_MAX &&
	       dwarf_offdie(current.dwarf, scopes->scopes[at].begin, &dies[nr])) {
		at = scope_outside(scopes, &current, at, &dies[nr]);
		nr++;
	}
	while (nr)
		add_name(scopes, &dies[--nr], ret);
}
