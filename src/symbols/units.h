/* units.h - the compilation units of a file, and which of them an address belongs to */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_sections.h"

struct dwarf_facts;

/* The debugging information entries of one unit in one file's .debug_info. */
struct unit_body {
	Dwarf *dwarf;			       /* the file; a .dwo is one of its own */
	const struct debug_sections *sections; /* of that file; owned by struct units */
	uint64_t begin, end; /* offsets in .debug_info: the unit's entry, its end */
	uint64_t header;     /* offset of the unit: what its references count from */
	uint64_t abbrev;     /* offset in .debug_abbrev */
	uint16_t version;
	uint8_t address_size, offset_size;
};

struct unit {
	Dwarf_Die die;	       /* the unit's entry; of split debug data the skeleton */
	struct unit_body body; /* where its functions are: in the .dwo, if it is split and there */
	bool is_split, is_opened;
	bool has_ranges; /* its entry says which addresses it covers */
};

struct unit_range {
	uint64_t low, high;
	uint32_t unit;
};

#define UNIT_NONE  UINT32_MAX
#define UNITS_MAX  (UINT32_C(1) << 24)
#define RANGES_MAX (UINT32_C(1) << 26) /* of all units together */

/* Owned: units_release(). */
struct units {
	Dwarf *dwarf;
	struct debug_sections sections;
	struct code_ranges code;
	struct unit *units;
	size_t units_nr, units_alloc;
	struct unit_range *ranges; /* by low, then unit */
	size_t ranges_nr, ranges_alloc;
	struct debug_sections **split; /* of the .dwo files */
	size_t split_nr, split_alloc;
};

/* Reads the head of each unit, and no more of it. What is damaged is left out and counted. */
void units_init(struct units *units, Dwarf *dwarf, struct dwarf_facts *facts);
void units_release(struct units *units);

/* The unit covers [low, high): said by something else than its entry. Call units_sort() afterwards.
 */
void units_add_range(struct units *units, uint32_t unit, uint64_t low, uint64_t high,
		     struct dwarf_facts *facts);
void units_sort(struct units *units);

/*
 * ret[i] = the unit that covers vaddrs[i] (rising), or UNIT_NONE. Where several do, as after
 * identical code was folded, the first one in the file. Returns how many have none.
 */
size_t units_assign(const struct units *units, const uint64_t *vaddrs, size_t nr, uint32_t *ret);

/*
 * Finds the .dwo of a split unit, once, and makes it the unit's body. Where it is missing the
 * unit keeps its skeleton, which has no functions, and that is counted.
 */
void units_open(struct units *units, struct unit *unit, struct dwarf_facts *facts);

/* The body of the unit that an entry of libdw is in; false where it cannot be had. */
bool unit_body_of(Dwarf_Die *die, const struct debug_sections *sections, struct unit_body *ret);
