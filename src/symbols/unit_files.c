/* unit_files.c - the line table that belongs to a unit */
#include "symbols/unit_files.h"

#include <dwarf.h>

#include "symbols/debug_sections.h"
#include "symbols/line_table.h"

static bool is_split_full(Dwarf_Die *top)
{
	uint8_t type;

	return dwarf_cu_info(top->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) == 0 &&
	       type == DW_UT_split_compile;
}

bool unit_files_read(Dwarf_Die *top, const struct debug_sections *sections, struct line_table *ret)
{
	const char *comp_dir = NULL;
	Dwarf_Attribute attr;
	Dwarf_Word offset = 0;

	*ret = (struct line_table){0};
	if (dwarf_attr(top, DW_AT_stmt_list, &attr)) {
		if (dwarf_formudata(&attr, &offset))
			return false;
	} else if (!is_split_full(top)) {
		return false;
	}
	if (dwarf_attr(top, DW_AT_comp_dir, &attr))
		comp_dir = dwarf_formstring(&attr);
	return line_table_read(sections, offset, comp_dir, ret);
}
