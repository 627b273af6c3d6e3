/* lines.c - which line of which file the addresses of one unit come from */
#include "symbols/lines.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "symbols/debug_sections.h"
#include "symbols/line_table.h"

/* The state machine's registers that matter here (DWARF 5, section 6.2.2). */
struct machine {
	const struct line_table *table;
	struct bytes in;
	uint64_t address;
	uint64_t operation; /* op_index, of machines with several operations in an instruction */
	uint64_t file;
	uint64_t line; /* wraps round where the program is nonsense */
};

/* What is made of the rows: a sequence is cut into [a row's address, the next one's). */
struct taker {
	const struct code_ranges *code;
	const uint64_t *vaddrs;
	size_t nr;
	struct line_row *ret;
	lines_range *range; /* instead of vaddrs */
	void *context;

	size_t next; /* the first address that is not below the current row */
	uint64_t begin, address;
	struct line_row row;
	bool is_open;	 /* a sequence has begun */
	bool is_dropped; /* and begins outside of code */
};

static void machine_reset(struct machine *machine)
{
	machine->address = 0;
	machine->operation = 0;
	machine->file = 1;
	machine->line = 1;
}

static size_t first_not_below(const struct taker *taker, uint64_t low)
{
	size_t first = 0, nr = taker->nr;

	while (nr) {
		size_t half = nr / 2;

		if (taker->vaddrs[first + half] < low) {
			first += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return first;
}

static void taker_begin(struct taker *taker, uint64_t address)
{
	taker->is_open = true;
	taker->is_dropped = !code_ranges_has(taker->code, address);
	taker->begin = address;
	if (!taker->range && !taker->is_dropped)
		taker->next = first_not_below(taker, address);
}

/* Addresses below `end` have the row before it, unless another sequence was first. */
static inline void taker_advance(struct taker *taker, uint64_t end)
{
	while (taker->next < taker->nr && taker->vaddrs[taker->next] < end) {
		struct line_row *row = &taker->ret[taker->next++];

		if (row->file == LINE_NO_FILE)
			*row = taker->row;
	}
}

/*
 * Rows of one address follow each other and the last one counts: the others cover nothing. A
 * sequence whose addresses fall is begun anew.
 */
static void taker_row(struct taker *taker, const struct machine *machine)
{
	if (taker->is_open && machine->address < taker->address)
		taker->is_open = false;
	if (!taker->is_open)
		taker_begin(taker, machine->address);
	else if (!taker->is_dropped)
		taker_advance(taker, machine->address);
	taker->address = machine->address;
	taker->row.file = machine->file < LINE_NO_FILE ? (uint32_t)machine->file : LINE_NO_FILE;
	taker->row.line = machine->line < UINT32_MAX ? (uint32_t)machine->line : 0;
}

static void taker_end(struct taker *taker, const struct machine *machine)
{
	if (taker->is_open && !taker->is_dropped && machine->address >= taker->address) {
		taker_advance(taker, machine->address);
		if (taker->range)
			taker->range(taker->context, taker->begin, machine->address);
	}
	taker->is_open = false;
}

/* Section 6.2.5.1: the address moves by instructions, of which some hold several operations. */
static void advance(struct machine *machine, uint64_t operations)
{
	const struct line_table *table = machine->table;
	uint64_t all;

	if (table->operations_max <= 1) {
		machine->address += operations * table->instruction_size;
		return;
	}
	all = machine->operation + operations;
	machine->address += table->instruction_size * (all / table->operations_max);
	machine->operation = all % table->operations_max;
}

static bool take_address(struct bytes *in, uint64_t size, uint64_t *ret)
{
	uint32_t address;

	if (size == 8)
		return bytes_u64(in, ret);
	if (size != 4 || !bytes_u32(in, &address))
		return false;
	*ret = address;
	return true;
}

/* A zero byte, the size, the operation, its operands. */
static bool run_extended(struct machine *machine, struct taker *taker)
{
	struct bytes part;
	uint64_t size;
	uint8_t operation;

	if (!leb128_unsigned(&machine->in, &size) || !bytes_part(&machine->in, size, &part))
		return false;
	if (!bytes_u8(&part, &operation))
		return true;
	switch (operation) {
	case DW_LNE_end_sequence:
		taker_end(taker, machine);
		machine_reset(machine);
		return true;
	case DW_LNE_set_address:
		machine->operation = 0;
		return take_address(&part, bytes_left(&part), &machine->address);
	default:
		return true;
	}
}

/* One that this version does not know has as many operands as the head says. */
static bool skip_operands(struct machine *machine, unsigned operation)
{
	for (unsigned i = 0; i < machine->table->opcode_lengths[operation]; i++) {
		if (!leb128_skip(&machine->in))
			return false;
	}
	return true;
}

static bool run_standard(struct machine *machine, unsigned operation, struct taker *taker)
{
	const struct line_table *table = machine->table;
	uint64_t value;
	int64_t line;
	uint16_t fixed;

	switch (operation) {
	case DW_LNS_copy:
		taker_row(taker, machine);
		return true;
	case DW_LNS_advance_pc:
		if (!leb128_unsigned(&machine->in, &value))
			return false;
		advance(machine, value);
		return true;
	case DW_LNS_advance_line:
		if (!leb128_signed(&machine->in, &line))
			return false;
		machine->line += (uint64_t)line;
		return true;
	case DW_LNS_set_file:
		return leb128_unsigned(&machine->in, &machine->file);
	case DW_LNS_const_add_pc:
		advance(machine, (255u - table->opcode_base) / table->line_range);
		return true;
	case DW_LNS_fixed_advance_pc:
		if (!bytes_u16(&machine->in, &fixed))
			return false;
		machine->address += fixed;
		machine->operation = 0;
		return true;
	default:
		return skip_operands(machine, operation);
	}
}

static inline void run_special(struct machine *machine, unsigned operation, struct taker *taker)
{
	const struct line_table *table = machine->table;
	unsigned adjusted = operation - table->opcode_base;

	advance(machine, adjusted / table->line_range);
	machine->line += (uint64_t)(table->line_base + (int64_t)(adjusted % table->line_range));
	taker_row(taker, machine);
}

static bool run(const struct line_table *table, struct taker *taker)
{
	struct machine machine = {.table = table, .in = table->code};
	uint8_t operation;

	machine_reset(&machine);
	while (bytes_u8(&machine.in, &operation)) {
		if (operation >= table->opcode_base)
			run_special(&machine, operation, taker);
		else if (operation ? !run_standard(&machine, operation, taker)
				   : !run_extended(&machine, taker))
			return false;
	}
	return true;
}

bool lines_find(const struct line_table *table, const struct code_ranges *code,
		const uint64_t *vaddrs, size_t nr, struct line_row *ret)
{
	struct taker taker = {.code = code, .vaddrs = vaddrs, .nr = nr, .ret = ret};

	for (size_t i = 0; i < nr; i++)
		ret[i] = (struct line_row){LINE_NO_FILE, 0};
	return run(table, &taker);
}

bool lines_each_range(const struct line_table *table, const struct code_ranges *code,
		      lines_range *range, void *context)
{
	struct taker taker = {.code = code, .range = range, .context = context};

	return run(table, &taker);
}
