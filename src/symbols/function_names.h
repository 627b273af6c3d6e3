/* function_names.h - what the function of an entry is called, and where it is declared */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "symbols/debug_sections.h"
#include "symbols/line_table.h"
#include "symbols/scopes.h"

struct dwarf_facts;
struct strings;
struct unit_body;

struct function_name {
	const char *raw;       /* borrowed from the Dwarf or from strings; NULL: it has none */
	const char *decl_file; /* NULL: not asked for, or unknown */
	bool is_linkage;
};

/* Owned: function_names_release(). */
struct function_names {
	struct strings *strings; /* borrowed */
	struct dwarf_facts *facts;
	struct scopes scopes;
	Dwarf *alt; /* the dwz file; NULL: there is none that may be used */
	struct debug_sections alt_sections;
	const void *language_cu; /* the unit that was asked last, and the answer */
	bool has_scopes;
	const void *files_cu; /* the unit whose table of files this is */
	struct line_table files;
};

/* Checks the dwz file of dwarf, if it has one, and counts it where it is missing or another. */
void function_names_init(struct function_names *names, Dwarf *dwarf, struct strings *strings,
			 struct dwarf_facts *facts);
void function_names_release(struct function_names *names);

/*
 * Follows the entry at offset to its origin. Ask in the order of the offsets: what was read
 * of the last unit is kept.
 */
void function_names_find(struct function_names *names, const struct unit_body *body,
			 uint64_t offset, bool is_decl_wanted, struct function_name *ret);
