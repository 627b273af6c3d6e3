/* rules_parts.h - what the files that make and evaluate rules share among themselves */
#pragma once

#include <stdatomic.h>

#include "unwind/cfi.h"
#include "unwind/cfi_index.h"
#include "unwind/rules.h"

/* What the psABI of a machine says. */
struct rules_abi {
	uint16_t machine; /* EM_* */
	uint8_t sp, pc;	  /* in struct rules_registers */
	uint8_t saved[RULES_SAVED_NR];
	uint64_t preserved; /* a bit for each register that a function gives back as it was */
};

/* A row ends where the next one begins. */
struct rules_row {
	uint32_t start; /* from the FDE's beginning */
	struct rule rule;
};

/* What was compiled of one FDE. No bytes, no rows: it is not well formed. */
struct rules_rows {
	uint32_t size; /* bytes of code, with the padding after it */
	uint32_t nr;
	struct rules_row rows[];
};

#define RULES_COMMONS_NR 64u /* CIEs that are kept; most files have one to three */

struct rules_common {
	uint32_t offset;
	bool is_good;
	struct cfi_common common;
};

/*
 * One section with all that was made of it. Pointers are set once, from NULL, to what never
 * changes again: whoever comes second with the same thing throws his away.
 */
struct rules_part {
	struct cfi_section section;
	struct cfi_index index;
	_Atomic(struct rules_rows *) *rows; /* owned; of each FDE in the index, NULL at first */
	_Atomic(struct rules_common *) commons[RULES_COMMONS_NR]; /* owned */
	_Atomic int64_t work; /* bytes of programs that may still be compiled */
	uint8_t flags;	      /* of each rule */
};

enum {
	RULES_EH_FRAME,
	RULES_DEBUG_FRAME,
	RULES_PARTS_NR
};

struct rules {
	const struct rules_abi *abi;
	struct rules_part parts[RULES_PARTS_NR];
	char *unpacked; /* owned: the bytes of .debug_frame if it was compressed */
};

/* Empty ones, for a machine that is known. */
struct rules *rules_new(uint16_t machine);

/* Makes room for the rows of a part that has its section and index. */
void rules_part_begin(struct rules_part *part);

/*
 * The FDE at the index, and its CIE: borrowed from the part, or `local`. NULL where one of them is
 * not well formed.
 */
const struct cfi_common *rules_fde(struct rules_part *part, uint32_t index,
				   struct cfi_common *local, struct cfi_fde *ret);

/* Compiles the rows of an FDE, unless another thread was faster. */
const struct rules_rows *rules_rows_make(const struct rules *rules, struct rules_part *part,
					 uint32_t index);

static inline const struct rules_rows *rules_rows(const struct rules *rules,
						  struct rules_part *part, uint32_t index)
{
	struct rules_rows *rows = atomic_load_explicit(&part->rows[index], memory_order_acquire);

	return rows ? rows : rules_rows_make(rules, part, index);
}

/* The rule of one row of a function whose return address is in register `ra`. */
struct rule rule_from_row(const struct rules_abi *abi, uint8_t ra, const struct cfi_row *row);
