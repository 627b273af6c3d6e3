/* function_names.c - what the function of an entry is called, and where it is declared */
#include "symbols/function_names.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/dwarf_names.h"
#include "symbols/origins.h"
#include "symbols/strings.h"
#include "symbols/unit_files.h"
#include "symbols/units.h"

/*
 * libdw looks for a dwz file by itself and takes what it finds at the path; only its build ID
 * says whether it belongs to this one.
 */
void function_names_init(struct function_names *names, Dwarf *dwarf, struct strings *strings,
			 struct dwarf_facts *facts)
{
	const char *path;
	const void *wanted, *found;
	ssize_t wanted_size, found_size;

	*names = (struct function_names){.strings = strings, .facts = facts};
	wanted_size = dwelf_dwarf_gnu_debugaltlink(dwarf, &path, &wanted);
	if (wanted_size <= 0)
		return;
	names->alt = dwarf_getalt(dwarf);
	if (!names->alt) {
		dwarf_fact_add(facts, DWARF_FACT_NO_ALT, "%s", path);
		return;
	}
	found_size = dwelf_elf_gnu_build_id(dwarf_getelf(names->alt), &found);
	if (found_size != wanted_size || memcmp(found, wanted, (size_t)wanted_size) != 0) {
		dwarf_fact_add(facts, DWARF_FACT_WRONG_ALT, "%s", path);
		names->alt = NULL;
		return;
	}
	debug_sections_find(names->alt, &names->alt_sections);
	names->scopes.alt = names->alt;
	names->scopes.alt_sections = &names->alt_sections;
}

void function_names_release(struct function_names *names)
{
	scopes_release(&names->scopes);
	line_table_release(&names->files);
	*names = (struct function_names){0};
}

/* C has no scopes, and most names without a linkage name are C's. */
static bool has_scopes(struct function_names *names, Dwarf_Die *die)
{
	Dwarf_Die top;

	if (names->language_cu == die->cu)
		return names->has_scopes;
	names->language_cu = die->cu;
	names->has_scopes = false;
	if (!dwarf_cu_die(die->cu, &top, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	switch (dwarf_srclang(&top)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		break;
	default:
		names->has_scopes = true;
	}
	return names->has_scopes;
}

static const struct debug_sections *sections_of(const struct function_names *names,
						const struct unit_body *body, Dwarf_Die *die)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);

	if (dwarf == body->dwarf)
		return body->sections;
	return names->alt && dwarf == names->alt ? &names->alt_sections : NULL;
}

static const char *qualified(struct function_names *names, const struct unit_body *body,
			     Dwarf_Die *home, const char *name)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!has_scopes(names, home))
		return name;
	scopes_add_prefix(&names->scopes, body, home, &text);
	if (!text.size)
		return name;
	text_add(&text, name);
	return strings_keep(names->strings, text_string(&text));
}

/* A file's number counts in the list of the unit that says it. */
static const char *decl_file(struct function_names *names, const struct unit_body *body,
			     Dwarf_Attribute *attr)
{
	const struct debug_sections *sections;
	Dwarf_Die top;
	Dwarf_Word number;

	if (dwarf_formudata(attr, &number))
		return NULL;
	if (names->files_cu != attr->cu) {
		line_table_release(&names->files);
		names->files_cu = attr->cu;
		if (!dwarf_cu_die(attr->cu, &top, NULL, NULL, NULL, NULL, NULL, NULL))
			return NULL;
		sections = sections_of(names, body, &top);
		if (sections)
			unit_files_read(&top, sections, &names->files);
	}
	return line_table_path(&names->files, number, names->strings);
}

void function_names_find(struct function_names *names, const struct unit_body *body,
			 uint64_t offset, bool is_decl_wanted, struct function_name *ret)
{
	bool has_alt = names->alt != NULL;
	const char *name = NULL;
	Dwarf_Attribute attr;
	Dwarf_Die die;

	*ret = (struct function_name){0};
	if (!dwarf_offdie(body->dwarf, offset, &die)) {
		dwarf_fact_add(names->facts, DWARF_FACT_DAMAGED, "entry 0x%" PRIx64 ": %s", offset,
			       dwarf_errmsg(-1));
		return;
	}
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		if (!ret->raw)
			ret->raw = origin_string(&die, DW_AT_linkage_name, has_alt);
		if (!ret->raw)
			ret->raw = origin_string(&die, DW_AT_MIPS_linkage_name, has_alt);
		if (!name)
			name = origin_string(&die, DW_AT_name, has_alt);
		if (is_decl_wanted && !ret->decl_file && dwarf_attr(&die, DW_AT_decl_file, &attr))
			ret->decl_file = decl_file(names, body, &attr);
		if (!origin_next(&die, has_alt, &die))
			break;
	}
	ret->is_linkage = ret->raw != NULL;
	if (!ret->raw && name)
		ret->raw = qualified(names, body, &die, name);
}
