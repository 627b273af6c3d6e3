/* dies.h - the entries of one unit in the order of the file, most of them only passed over */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct unit_body;

/*
 * libdw's dwarf_child() and dwarf_siblingof() take 150 to 200 ns an entry and a large program
 * has tens of millions; here an entry of no interest costs the sum of its abbreviation's sizes.
 * DWARF 5, sections 7.5.3 (abbreviations) and 7.5.6 (forms).
 */
struct die_attr {
	uint16_t name, form;
	int64_t constant; /* of DW_FORM_implicit_const */
};

struct die_abbrev {
	uint64_t code;
	uint32_t attrs; /* the first of them */
	uint16_t attrs_nr;
	uint16_t tag;
	uint32_t size; /* of all its attributes; DIE_SIZE_VARIES */
	bool has_children;
	bool has_pc; /* low_pc or ranges is among them */
};

#define DIE_SIZE_VARIES UINT32_MAX
#define ABBREVS_MAX	(UINT32_C(1) << 20) /* of one unit */
#define ATTRS_MAX	(UINT32_C(1) << 24) /* of all abbreviations of one unit */

/* The abbreviations of one unit. Owned: dies_release(). Kept for the next one that has the same. */
struct die_abbrevs {
	struct die_abbrev *abbrevs; /* by code */
	size_t abbrevs_nr, abbrevs_alloc;
	struct die_attr *attrs;
	size_t attrs_nr, attrs_alloc;
	const unsigned char *at; /* where they were read, and for which sizes */
	uint8_t version, address_size, offset_size;
};

/* A walk over a unit. */
struct dies {
	struct die_abbrevs abbrevs; /* owned */
	struct bytes bytes;	    /* what is left of the unit */
	const unsigned char *info;  /* offset 0 of .debug_info */
	uint64_t header;	    /* what unit-relative references count from */
	uint8_t version, address_size, offset_size;
};

void dies_release(struct dies *dies);

/* Starts at the unit's own entry. False: its abbreviations are damaged or too many. */
bool dies_start(struct dies *dies, const struct unit_body *body);

/* An entry; its attributes have not been read. */
struct die {
	const struct die_abbrev *abbrev; /* NULL: the end of a list of children */
	uint64_t offset;		 /* in .debug_info */
};

enum dies_step {
	DIES_ENTRY,
	DIES_END,     /* of the unit */
	DIES_DAMAGED, /* an abbreviation that is not there */
};

/* The next entry; after it, dies_skip() or dies_facts() must pass its attributes. */
enum dies_step dies_next(struct dies *dies, struct die *ret);

/* False: the unit ends inside of them, or one has a form that nobody knows. */
bool dies_skip(struct dies *dies, const struct die *die);

/* What a function or an inlined one says of itself. */
struct die_facts {
	uint64_t low, high;   /* high is 0 where there is none */
	uint64_t origin;      /* offset in .debug_info of what it is an instance of; 0: none */
	uint64_t call_file;   /* a number in the unit's list of files */
	uint32_t call_line;   /* 0: none */
	bool has_low;	      /* low and high are here */
	bool has_pc_indirect; /* ranges, or a low_pc that is an index: ask libdw */
};

bool dies_facts(struct dies *dies, const struct die *die, struct die_facts *ret);
