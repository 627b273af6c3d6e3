/* cfi_rows.c - the program of a CIE or an FDE is run: a row per range of addresses */
#include <dwarf.h>

#include "base/leb128.h"
#include "unwind/cfi.h"

/* elfutils 0.188 does not name it: as negate_ra_state, and the address is a part of the code. */
#define NEGATE_RA_STATE_WITH_PC 0x2c

struct run {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	const struct cfi_row *initial; /* NULL while the CIE's own program runs */
	struct bytes in;
	struct cfi_row row;
	struct cfi_row states[CFI_STATES_MAX];
	unsigned states_nr;
	uint64_t start, end; /* of the row; of the function */
	cfi_row_fn *said;
	void *user;
	bool is_over;
};

/* ---- operands */

/* Registers that are not kept get a cell that nobody looks at. */
static bool cell_operand(struct run *run, struct cfi_cell *spare, struct cfi_cell **ret)
{
	uint64_t number;

	if (!leb128_unsigned(&run->in, &number))
		return false;
	*ret = number < CFI_REGISTERS ? &run->row.cells[number] : spare;
	return true;
}

static bool cfa_register(struct run *run)
{
	uint64_t number;

	if (!leb128_unsigned(&run->in, &number) || number >= CFI_REGISTERS)
		return false;
	run->row.cfa.reg = (uint8_t)number;
	return true;
}

/* Factored numbers wrap, as they do in other readers: nothing can be reached with them. */
static bool unsigned_factored(struct run *run, int64_t *ret)
{
	uint64_t number;

	if (!leb128_unsigned(&run->in, &number))
		return false;
	*ret = (int64_t)(number * (uint64_t)run->cie->data_align);
	return true;
}

static bool signed_factored(struct run *run, int64_t *ret)
{
	int64_t number;

	if (!leb128_signed(&run->in, &number))
		return false;
	*ret = (int64_t)((uint64_t)number * (uint64_t)run->cie->data_align);
	return true;
}

static bool expression(struct run *run, uint8_t kind, struct cfi_cell *ret)
{
	struct bytes block;
	uint64_t size;

	if (!leb128_unsigned(&run->in, &size) || size > UINT32_MAX ||
	    !bytes_part(&run->in, size, &block))
		return false;
	*ret = (struct cfi_cell){.kind = kind, .size = (uint32_t)size, .expression = block.at};
	return true;
}

/* ---- where a row ends */

static bool begin_row(struct run *run, uint64_t start)
{
	if (start < run->start)
		return false;
	if (start > run->end)
		start = run->end;
	if (start > run->start && !run->said(run->user, run->start, start, &run->row))
		run->is_over = true;
	run->start = start;
	run->is_over |= start == run->end;
	return true;
}

static bool advance(struct run *run, uint64_t delta)
{
	uint64_t start;

	if (!run->initial || __builtin_mul_overflow(delta, run->cie->code_align, &delta) ||
	    __builtin_add_overflow(run->start, delta, &start))
		return false;
	return begin_row(run, start);
}

static bool run_advance(struct run *run, uint8_t op)
{
	uint64_t delta;
	uint8_t byte;
	uint16_t half;
	uint32_t word;

	switch (op) {
	case DW_CFA_set_loc:
		return run->initial &&
		       cfi_pointer(run->section, &run->in, run->cie->encoding, &delta) &&
		       begin_row(run, delta);
	case DW_CFA_advance_loc1:
		return bytes_u8(&run->in, &byte) && advance(run, byte);
	case DW_CFA_advance_loc2:
		return bytes_u16(&run->in, &half) && advance(run, half);
	case DW_CFA_advance_loc4:
		return bytes_u32(&run->in, &word) && advance(run, word);
	default: /* DW_CFA_MIPS_advance_loc8 */
		return bytes_u64(&run->in, &delta) && advance(run, delta);
	}
}

/* ---- the CFA */

static bool run_cfa(struct run *run, uint8_t op)
{
	struct cfi_cell *cfa = &run->row.cfa;
	uint64_t number;

	if (op == DW_CFA_def_cfa_expression)
		return expression(run, CFI_VAL_EXPRESSION, cfa);
	if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_sf)
		cfa->kind = CFI_REGISTER;
	if (cfa->kind != CFI_REGISTER)
		return false; /* changes a half of what is no register and offset */
	switch (op) {
	case DW_CFA_def_cfa:
		if (!cfa_register(run) || !leb128_unsigned(&run->in, &number))
			return false;
		cfa->number = (int64_t)number;
		return true;
	case DW_CFA_def_cfa_sf:
		return cfa_register(run) && signed_factored(run, &cfa->number);
	case DW_CFA_def_cfa_register:
		return cfa_register(run);
	case DW_CFA_def_cfa_offset:
		if (!leb128_unsigned(&run->in, &number))
			return false;
		cfa->number = (int64_t)number;
		return true;
	default: /* DW_CFA_def_cfa_offset_sf */
		return signed_factored(run, &cfa->number);
	}
}

/* ---- other registers */

static bool restore(struct run *run, uint64_t number)
{
	if (!run->initial)
		return false;
	if (number < CFI_REGISTERS)
		run->row.cells[number] = run->initial->cells[number];
	return true;
}

static bool run_offset(struct run *run, uint8_t op, struct cfi_cell *cell)
{
	int64_t number;

	switch (op) {
	case DW_CFA_offset_extended:
	case DW_CFA_val_offset:
		if (!unsigned_factored(run, &number))
			return false;
		break;
	case DW_CFA_GNU_negative_offset_extended:
		if (!unsigned_factored(run, &number))
			return false;
		number = (int64_t)(0 - (uint64_t)number);
		break;
	default: /* DW_CFA_offset_extended_sf, DW_CFA_val_offset_sf */
		if (!signed_factored(run, &number))
			return false;
	}
	*cell = (struct cfi_cell){
		.kind = op == DW_CFA_val_offset || op == DW_CFA_val_offset_sf ? CFI_VAL_OFFSET
									      : CFI_OFFSET,
		.number = number,
	};
	return true;
}

static bool run_register(struct run *run, uint8_t op)
{
	struct cfi_cell spare, *cell;
	uint64_t number;

	if (!cell_operand(run, &spare, &cell))
		return false;
	switch (op) {
	case DW_CFA_undefined:
		*cell = (struct cfi_cell){.kind = CFI_UNDEFINED};
		return true;
	case DW_CFA_same_value:
		*cell = (struct cfi_cell){.kind = CFI_SAME};
		return true;
	case DW_CFA_register:
		if (!leb128_unsigned(&run->in, &number))
			return false;
		*cell = (struct cfi_cell){.kind = CFI_REGISTER, .number = (int64_t)number};
		return true;
	case DW_CFA_expression:
		return expression(run, CFI_EXPRESSION, cell);
	case DW_CFA_val_expression:
		return expression(run, CFI_VAL_EXPRESSION, cell);
	default:
		return run_offset(run, op, cell);
	}
}

/* ---- the whole row */

static bool run_state(struct run *run, uint8_t op)
{
	if (op == DW_CFA_remember_state) {
		if (run->states_nr == CFI_STATES_MAX)
			return false;
		run->states[run->states_nr++] = run->row;
		return true;
	}
	if (run->states_nr == 0)
		return false;
	run->row = run->states[--run->states_nr];
	return true;
}

static bool run_extended(struct run *run, uint8_t op)
{
	uint64_t number;

	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc ... DW_CFA_advance_loc4:
	case DW_CFA_MIPS_advance_loc8:
		return run_advance(run, op);
	case DW_CFA_restore_extended:
		return leb128_unsigned(&run->in, &number) && restore(run, number);
	case DW_CFA_offset_extended:
	case DW_CFA_undefined ... DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset ... DW_CFA_val_expression:
	case DW_CFA_GNU_negative_offset_extended:
		return run_register(run, op);
	case DW_CFA_remember_state:
	case DW_CFA_restore_state:
		return run_state(run, op);
	case DW_CFA_def_cfa ... DW_CFA_def_cfa_expression:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_offset_sf:
		return run_cfa(run, op);
	case NEGATE_RA_STATE_WITH_PC:
	case DW_CFA_GNU_window_save: /* of SPARC; on aarch64 negate_ra_state */
		run->row.is_signed ^= run->section->is_aarch64;
		return true;
	case DW_CFA_GNU_args_size:
		return leb128_unsigned(&run->in, &number);
	default:
		return false;
	}
}

static bool run_one(struct run *run)
{
	struct cfi_cell unused, *cell;
	uint8_t op, low;

	if (!bytes_u8(&run->in, &op))
		return false;
	low = op & 0x3f;
	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(run, low);
	case DW_CFA_offset:
		cell = low < CFI_REGISTERS ? &run->row.cells[low] : &unused;
		*cell = (struct cfi_cell){.kind = CFI_OFFSET};
		return unsigned_factored(run, &cell->number);
	case DW_CFA_restore:
		return restore(run, low);
	default:
		return run_extended(run, op);
	}
}

static bool run_all(struct run *run)
{
	while (!run->is_over && bytes_left(&run->in))
		if (!run_one(run))
			return false;
	return true;
}

bool cfi_common_read(const struct cfi_section *section, uint32_t offset, struct cfi_common *ret)
{
	struct run run;

	if (!cfi_cie_read(section, offset, &ret->cie))
		return false;
	run.section = section;
	run.cie = &ret->cie;
	run.initial = NULL;
	run.in = ret->cie.program;
	run.row = (struct cfi_row){0};
	run.states_nr = 0;
	run.is_over = false;
	if (!run_all(&run))
		return false;
	ret->row = run.row;
	return true;
}

/* The states are not set to zero: they are many bytes, and most programs use none of them. */
bool cfi_rows(const struct cfi_section *section, const struct cfi_common *common,
	      const struct cfi_fde *fde, cfi_row_fn *said, void *user)
{
	struct run run;

	run.section = section;
	run.cie = &common->cie;
	run.initial = &common->row;
	run.in = fde->program;
	run.row = common->row;
	run.states_nr = 0;
	run.start = fde->start;
	run.end = fde->end;
	run.said = said;
	run.user = user;
	run.is_over = run.start >= run.end;
	if (!run_all(&run))
		return false;
	return run.is_over || begin_row(&run, run.end);
}
