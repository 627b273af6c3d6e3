/* inlines.h - which functions, inlined ones too, the addresses of one unit are in */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dies.h"

struct code_ranges;
struct dwarf_facts;
struct unit;

/* A function that has an address, or has an inlined one that has. */
struct inline_node {
	uint64_t offset; /* its entry in .debug_info */
	uint64_t origin; /* the entry that names it: of an inlined one what it is an instance of */
	uint64_t call_file; /* where it was called, of inlined ones */
	uint32_t call_line;
	uint32_t parent; /* the function that it was inlined into; INLINE_NONE */
	bool is_inlined;
};

#define INLINE_NONE UINT32_MAX

/* More of them are cut, and counted: a file that needs more wants to cost us time. */
#define INLINE_DEPTH_MAX    4096		/* lists of children in each other */
#define INLINE_RANGES_MAX   (UINT32_C(1) << 26) /* address ranges in one unit */
#define INLINE_MARKS_PER_NR 1024		/* ranges over each other, on the average address */

struct inline_open;

/* Owned: inlines_release(). Used again for the next unit. */
struct inlines {
	struct inline_node *nodes;
	size_t nodes_nr, nodes_alloc;
	struct dies dies;
	struct inline_open *open; /* the functions around the current entry */
	size_t open_nr, open_alloc;
	size_t *levels; /* open_nr outside of each list of children around it */
	size_t levels_nr, levels_alloc;
};

void inlines_release(struct inlines *inlines);

/*
 * Walks the unit once. ret[i] = the innermost function at vaddrs[i] (rising), a number in
 * nodes, or INLINE_NONE. There is no table of intervals: the batch of addresses is there before
 * the walk, so that an entry looks for its addresses (a bisection) and nothing is kept of
 * those that have none. Where functions overlap the later one in the file has the address.
 */
void inlines_find(struct inlines *inlines, const struct unit *unit, const struct code_ranges *code,
		  const uint64_t *vaddrs, size_t nr, uint32_t *ret, struct dwarf_facts *facts);

/* The same walk, to learn what a unit covers that does not say it. */
typedef void inlines_range(void *context, uint64_t low, uint64_t high);
void inlines_each_range(struct inlines *inlines, const struct unit *unit, inlines_range *range,
			void *context, struct dwarf_facts *facts);
