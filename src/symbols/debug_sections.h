/* debug_sections.h - the bytes of a file's debug sections, and where its code is */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct dwarf_facts;

/* Borrowed from the Elf; as libdw has decompressed it. Empty (both NULL) where there is none. */
struct debug_section {
	const unsigned char *at;
	size_t size;
};

/* Those that this folder reads with its own eyes; libdw reads the others. */
struct debug_sections {
	struct debug_section info, abbrev, line, line_str, str;
	bool is_swapped; /* the file's byte order is not ours */
};

/*
 * Hides from libdw what nobody here reads (where variables are, macros), in this Elf alone: it
 * unpacks all that it sees when a Dwarf is begun, which may take longer than all naming.
 */
void debug_sections_hide(Elf *elf);

/* Of a Dwarf that was begun: that is what decompresses. Of a .dwo file its .dwo sections. */
void debug_sections_find(Dwarf *dwarf, struct debug_sections *ret);

/* The section's bytes from offset on; none at all where offset is outside of it. */
struct bytes debug_section_from(const struct debug_section *section, uint64_t offset,
				bool is_swapped);

/* The string at offset; NULL where that is outside, or where it has no end. */
const char *debug_section_string(const struct debug_section *section, uint64_t offset);

/* Address ranges that hold code, rising, apart. Owned: code_ranges_release(). */
struct code_ranges {
	struct code_range {
		uint64_t low, high;
	} * ranges;
	size_t ranges_nr, ranges_alloc;
};

void code_ranges_find(Elf *elf, struct code_ranges *ret);
void code_ranges_release(struct code_ranges *code);

/*
 * Is low inside one of them? Linkers leave ranges of functions that they dropped, at 0, 1, -1 or
 * -2 ("tombstones"), which are in none.
 */
bool code_ranges_has(const struct code_ranges *code, uint64_t low);

/* Counts the debug sections that are compressed in a way that libelf does not know. */
void debug_sections_check(Elf *elf, struct dwarf_facts *facts);
