/* unit_files.h - the line table that belongs to a unit */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

struct debug_sections;
struct line_table;

/*
 * top is the unit's own entry. Of a unit in a .dwo it is the list of files that stands in that
 * file, if there is one. As line_table_read(); false too where the unit has no table.
 */
bool unit_files_read(Dwarf_Die *top, const struct debug_sections *sections, struct line_table *ret);
