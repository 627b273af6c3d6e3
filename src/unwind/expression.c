/* expression.c - the expressions of call-frame information, run or recognized */
#include "unwind/expression.h"

#include <dwarf.h>

#include "base/leb128.h"

struct machine {
	struct expression_world *world;
	struct bytes whole, in;
	uint64_t stack[RULES_STACK_MAX];
	unsigned nr;
	enum rules_outcome failure; /* why a step answered false */
};

static bool push(struct machine *m, uint64_t value)
{
	if (m->nr == RULES_STACK_MAX)
		return false;
	m->stack[m->nr++] = value;
	return true;
}

static bool pop(struct machine *m, uint64_t *ret)
{
	if (m->nr == 0)
		return false;
	*ret = m->stack[--m->nr];
	return true;
}

/* ---- what is pushed */

static bool push_register(struct machine *m, uint64_t reg)
{
	const struct rules_registers *registers = m->world->registers;
	int64_t offset;

	if (!leb128_signed(&m->in, &offset) || reg >= RULES_REGISTERS ||
	    !(registers->known >> reg & 1))
		return false;
	return push(m, registers->value[reg] + (uint64_t)offset);
}

static bool push_short(struct machine *m, uint8_t op)
{
	uint8_t byte;
	uint16_t half;

	switch (op) {
	case DW_OP_const1u:
		return bytes_u8(&m->in, &byte) && push(m, byte);
	case DW_OP_const1s:
		return bytes_u8(&m->in, &byte) && push(m, (uint64_t)(int8_t)byte);
	case DW_OP_const2u:
		return bytes_u16(&m->in, &half) && push(m, half);
	default: /* DW_OP_const2s */
		return bytes_u16(&m->in, &half) && push(m, (uint64_t)(int16_t)half);
	}
}

static bool push_constant(struct machine *m, uint8_t op)
{
	uint32_t word;
	uint64_t number;
	int64_t sign;

	switch (op) {
	case DW_OP_const1u ... DW_OP_const2s:
		return push_short(m, op);
	case DW_OP_const4u:
		return bytes_u32(&m->in, &word) && push(m, word);
	case DW_OP_const4s:
		return bytes_u32(&m->in, &word) && push(m, (uint64_t)(int32_t)word);
	case DW_OP_constu:
		return leb128_unsigned(&m->in, &number) && push(m, number);
	case DW_OP_consts:
		return leb128_signed(&m->in, &sign) && push(m, (uint64_t)sign);
	default: /* DW_OP_addr, DW_OP_const8u, DW_OP_const8s */
		return bytes_u64(&m->in, &number) && push(m, number);
	}
}

/* ---- what is on the stack already */

static bool pick(struct machine *m, unsigned index)
{
	return index < m->nr && push(m, m->stack[m->nr - 1 - index]);
}

static bool swap(struct machine *m)
{
	uint64_t top;

	if (m->nr < 2)
		return false;
	top = m->stack[m->nr - 1];
	m->stack[m->nr - 1] = m->stack[m->nr - 2];
	m->stack[m->nr - 2] = top;
	return true;
}

/* The first becomes the third. */
static bool rotate(struct machine *m)
{
	uint64_t top;

	if (m->nr < 3)
		return false;
	top = m->stack[m->nr - 1];
	m->stack[m->nr - 1] = m->stack[m->nr - 2];
	m->stack[m->nr - 2] = m->stack[m->nr - 3];
	m->stack[m->nr - 3] = top;
	return true;
}

static bool move(struct machine *m, uint8_t op)
{
	uint64_t dropped;
	uint8_t index;

	switch (op) {
	case DW_OP_dup:
		return pick(m, 0);
	case DW_OP_over:
		return pick(m, 1);
	case DW_OP_pick:
		return bytes_u8(&m->in, &index) && pick(m, index);
	case DW_OP_drop:
		return pop(m, &dropped);
	case DW_OP_swap:
		return swap(m);
	default: /* DW_OP_rot */
		return rotate(m);
	}
}

/* Eight bytes are loaded always: this is for little-endian stacks, as all are that we read. */
static bool dereference(struct machine *m, unsigned size)
{
	uint64_t address, value;

	if (size < 1 || size > 8 || !pop(m, &address))
		return false;
	if (!m->world->load(m->world->user, address, &value)) {
		m->failure = RULES_NOT_LOADED;
		return false;
	}
	return push(m, size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1));
}

/* ---- arithmetic */

static bool divide(uint8_t op, uint64_t left, uint64_t right, uint64_t *ret)
{
	if (right == 0)
		return false;
	if (op == DW_OP_mod)
		*ret = left % right;
	else if ((int64_t)right == -1)
		*ret = 0 - left;
	else
		*ret = (uint64_t)((int64_t)left / (int64_t)right);
	return true;
}

static uint64_t shift(uint8_t op, uint64_t left, uint64_t right)
{
	if (op == DW_OP_shra)
		return (uint64_t)((int64_t)left >> (right > 63 ? 63 : right));
	if (right > 63)
		return 0;
	return op == DW_OP_shl ? left << right : left >> right;
}

static uint64_t compared(uint8_t op, int64_t left, int64_t right)
{
	switch (op) {
	case DW_OP_eq:
		return left == right;
	case DW_OP_ge:
		return left >= right;
	case DW_OP_gt:
		return left > right;
	case DW_OP_le:
		return left <= right;
	case DW_OP_lt:
		return left < right;
	default: /* DW_OP_ne */
		return left != right;
	}
}

static bool combine(struct machine *m, uint8_t op)
{
	uint64_t left, right, result;

	if (!pop(m, &right) || !pop(m, &left))
		return false;
	switch (op) {
	case DW_OP_and:
		return push(m, left & right);
	case DW_OP_or:
		return push(m, left | right);
	case DW_OP_xor:
		return push(m, left ^ right);
	case DW_OP_plus:
		return push(m, left + right);
	case DW_OP_minus:
		return push(m, left - right);
	case DW_OP_mul:
		return push(m, left * right);
	case DW_OP_div:
	case DW_OP_mod:
		return divide(op, left, right, &result) && push(m, result);
	case DW_OP_shl ... DW_OP_shra:
		return push(m, shift(op, left, right));
	default: /* DW_OP_eq ... DW_OP_ne */
		return push(m, compared(op, (int64_t)left, (int64_t)right));
	}
}

static bool change(struct machine *m, uint8_t op)
{
	uint64_t value, number;

	if (!pop(m, &value))
		return false;
	switch (op) {
	case DW_OP_abs:
		return push(m, (int64_t)value < 0 ? 0 - value : value);
	case DW_OP_neg:
		return push(m, 0 - value);
	case DW_OP_not:
		return push(m, ~value);
	default: /* DW_OP_plus_uconst */
		return leb128_unsigned(&m->in, &number) && push(m, value + number);
	}
}

/* ---- jumps, back as well: the steps are counted */

static bool jump(struct machine *m, uint8_t op)
{
	uint64_t condition = 1;
	uint16_t distance;
	int64_t to;

	if (!bytes_u16(&m->in, &distance) || (op == DW_OP_bra && !pop(m, &condition)))
		return false;
	if (!condition)
		return true;
	to = m->in.at - m->whole.at + (int16_t)distance;
	if (to < 0 || to > (int64_t)bytes_left(&m->whole))
		return false;
	m->in.at = m->whole.at + to;
	return true;
}

static bool step(struct machine *m, uint8_t op)
{
	uint64_t number;
	uint8_t size;

	switch (op) {
	case DW_OP_addr:
	case DW_OP_const1u ... DW_OP_consts:
		return push_constant(m, op);
	case DW_OP_dup ... DW_OP_rot:
		return move(m, op);
	case DW_OP_deref:
		return dereference(m, 8);
	case DW_OP_deref_size:
		return bytes_u8(&m->in, &size) && dereference(m, size);
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return change(m, op);
	case DW_OP_skip:
	case DW_OP_bra:
		return jump(m, op);
	case DW_OP_and:
	case DW_OP_div ... DW_OP_mul:
	case DW_OP_or:
	case DW_OP_plus:
	case DW_OP_shl ... DW_OP_xor:
	case DW_OP_eq ... DW_OP_ne:
		return combine(m, op);
	case DW_OP_lit0 ... DW_OP_lit31:
		return push(m, op - DW_OP_lit0);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_register(m, op - DW_OP_breg0);
	case DW_OP_bregx:
		return leb128_unsigned(&m->in, &number) && push_register(m, number);
	default:
		return op == DW_OP_nop;
	}
}

enum rules_outcome expression_run(struct expression_world *world, struct bytes in,
				  const uint64_t *first, uint64_t *ret)
{
	struct machine m;
	uint8_t op;

	m.world = world;
	m.whole = m.in = in;
	m.nr = 0;
	m.failure = RULES_FAILED;
	if (first)
		m.stack[m.nr++] = *first;
	while (bytes_u8(&m.in, &op)) {
		if (world->steps == 0)
			return RULES_FAILED;
		world->steps--;
		if (!step(&m, op))
			return m.failure;
	}
	return pop(&m, ret) ? RULES_FOUND : RULES_FAILED;
}

/* ---- shapes */

/* breg7 8, breg16 0, lit15, and, lit<n>, ge, lit3, shl, plus: bfd and mold write it for .plt */
static bool is_plt(struct bytes in, int64_t *ret)
{
	const unsigned char *at = in.at;

	if (bytes_left(&in) != 11 || at[0] != DW_OP_breg7 || at[1] != 8 || at[2] != DW_OP_breg16 ||
	    at[3] != 0 || at[4] != DW_OP_lit15 || at[5] != DW_OP_and || at[6] < DW_OP_lit0 ||
	    at[6] > DW_OP_lit15 || at[7] != DW_OP_ge || at[8] != DW_OP_lit3 || at[9] != DW_OP_shl ||
	    at[10] != DW_OP_plus)
		return false;
	*ret = at[6] - DW_OP_lit0;
	return true;
}

enum expression_shape expression_shape(struct bytes in, uint8_t *ret_reg, int64_t *ret_offset)
{
	struct bytes whole = in;
	uint64_t reg;
	uint8_t op;

	if (!bytes_u8(&in, &op))
		return EXPRESSION_OTHER;
	reg = op - (uint64_t)DW_OP_breg0;
	if (op == DW_OP_bregx) {
		if (!leb128_unsigned(&in, &reg))
			return EXPRESSION_OTHER;
	} else if (op < DW_OP_breg0 || op > DW_OP_breg31) {
		return EXPRESSION_OTHER;
	}
	if (reg >= RULES_REGISTERS || !leb128_signed(&in, ret_offset))
		return EXPRESSION_OTHER;
	*ret_reg = (uint8_t)reg;
	if (bytes_left(&in) == 0)
		return EXPRESSION_REGISTER;
	if (bytes_left(&in) == 1 && in.at[0] == DW_OP_deref)
		return EXPRESSION_DEREF;
	if (bytes_left(&in) == 3 && in.at[0] == DW_OP_deref && in.at[1] == DW_OP_plus_uconst &&
	    in.at[2] == 8)
		return EXPRESSION_DEREF_8;
	return is_plt(whole, ret_offset) ? EXPRESSION_PLT : EXPRESSION_OTHER;
}
