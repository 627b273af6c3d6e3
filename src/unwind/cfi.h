/* cfi.h - the entries of .eh_frame and .debug_frame, and the rows that they describe */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/*
 * DWARF 5, section 6.4 and 7.24; what .eh_frame does otherwise: LSB Core 5.0, section 10.6; what
 * aarch64 adds: DWARF for the Arm 64-bit Architecture. Entries are read in place and nothing of
 * them is trusted.
 */
#define CFI_REGISTERS	    33	  /* numbers below are kept, rules of others are read over */
#define CFI_STATES_MAX	    16u	  /* remember_state without restore_state */
#define CFI_CIE_PROGRAM_MAX 1024u /* bytes; real ones have ten */

/* Bytes. Of 5 million functions in 4,051 files the longest has 60,755 (libcufft), of GCC's cc1
 * 20,051. */
#define CFI_FDE_PROGRAM_MAX (1u << 18)

struct cfi_section {
	struct bytes all;   /* borrowed */
	uint64_t vaddr;	    /* of its first byte */
	uint64_t data_base; /* what datarel pointers count from: .eh_frame_hdr */
	bool is_debug_frame;
	bool is_aarch64;
};

/* ---- entries */

/* Common: what many functions share. */
struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra;	  /* register that stands for the return address, < CFI_REGISTERS */
	uint8_t encoding; /* of the addresses in its FDEs, DW_EH_PE_* */
	uint8_t segment_size;
	bool has_augmentation, is_signal;
	struct bytes program;
};

/* Of one function. */
struct cfi_fde {
	uint64_t start, end;
	uint32_t cie; /* offset in the section */
	struct bytes program;
};

enum cfi_entry_kind {
	CFI_NONE,
	CFI_CIE,
	CFI_FDE
};

/* One entry, CIE or FDE; ret_next is where the next one begins. CFI_NONE: a terminator. */
struct cfi_entry {
	enum cfi_entry_kind kind;
	uint32_t cie;	   /* of an FDE: where its CIE is */
	struct bytes body; /* after the id or pointer */
};

/* False where there is no whole entry at offset. */
bool cfi_entry_at(const struct cfi_section *section, uint64_t offset, struct cfi_entry *ret,
		  uint64_t *ret_next);
bool cfi_cie_read(const struct cfi_section *section, uint32_t offset, struct cfi_cie *ret);

/* The addresses of an FDE, with its CIE. */
bool cfi_fde_read(const struct cfi_section *section, const struct cfi_entry *entry,
		  const struct cfi_cie *cie, struct cfi_fde *ret);

/* A pointer in one of the encodings DW_EH_PE_*; false for those that need memory to be resolved. */
bool cfi_pointer(const struct cfi_section *section, struct bytes *in, uint8_t encoding,
		 uint64_t *ret);

/* ---- rows */

enum cfi_cell_kind {
	CFI_UNSPECIFIED, /* as the ABI says */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_OFFSET,	    /* saved at CFA + number */
	CFI_VAL_OFFSET,	    /* is CFA + number */
	CFI_REGISTER,	    /* saved in register `number`; of the CFA: register + number */
	CFI_EXPRESSION,	    /* saved where the expression says */
	CFI_VAL_EXPRESSION, /* is what the expression says */
};

struct cfi_cell {
	uint8_t kind;
	uint8_t reg;   /* of the CFA */
	uint32_t size; /* of the expression */
	union {
		int64_t number;
		const unsigned char *expression; /* borrowed from the section */
	};
};

/* One row: the CFA is CFI_REGISTER, CFI_EXPRESSION (its value), or not known yet. */
struct cfi_row {
	struct cfi_cell cfa;
	struct cfi_cell cells[CFI_REGISTERS];
	bool is_signed; /* aarch64: the return address carries an authentication code */
};

/* A CIE with the row that its own program leaves: every FDE begins with it. */
struct cfi_common {
	struct cfi_cie cie;
	struct cfi_row row;
};

bool cfi_common_read(const struct cfi_section *section, uint32_t offset, struct cfi_common *ret);

/* Called with each row and its range, in rising order. False ends the reading. */
typedef bool cfi_row_fn(void *user, uint64_t start, uint64_t end, const struct cfi_row *row);

/*
 * Runs the program of an FDE. False where it is not well formed: rows before that place were said.
 * True, too, where `said` ended it.
 */
bool cfi_rows(const struct cfi_section *section, const struct cfi_common *common,
	      const struct cfi_fde *fde, cfi_row_fn *said, void *user);
