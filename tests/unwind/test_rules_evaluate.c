/* test_rules_evaluate.c - rows that fit no rule are evaluated, within limits */
#include "tests/test.h"

#include <dwarf.h>
#include <stdbool.h>

#include "base/mem.h"
#include "tests/support/cfi_builder.h"
#include "unwind/expression.h"
#include "unwind/rules.h"

#define START CFI_TEXT
#define SIZE  0x100u

#define STACK	   0x7f0000000000u
#define KNOWN(reg) (UINT64_C(1) << (reg))

/* A stack of 32 words; each has its number in it. */
static bool load(void *user, uint64_t address, uint64_t *ret)
{
	(void)user;
	if (address < STACK || address >= STACK + 32 * 8)
		return false;
	*ret = 0x1000 + (address - STACK) / 8;
	return true;
}

/* ---- expressions */

static enum rules_outcome run(const uint8_t *bytes, size_t size, uint64_t *ret)
{
	struct rules_registers registers = {.known = KNOWN(7) | KNOWN(16)};
	struct expression_world world = {&registers, load, NULL, RULES_STEPS_MAX};
	const uint64_t cfa = STACK + 64;

	registers.value[7] = STACK;
	registers.value[16] = START + 5;
	return expression_run(&world, (struct bytes){bytes, bytes + size, false}, &cfa, ret);
}

static void gives(uint64_t expected, const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	assert_int_equal(run(bytes, size, &value), RULES_FOUND);
	assert_int_equal(value, expected);
}

static void fails(const uint8_t *bytes, size_t size)
{
	uint64_t value = 99;

	assert_int_equal(run(bytes, size, &value), RULES_FAILED);
	assert_int_equal(value, 99);
}

static void constants_and_registers_are_pushed(void **state)
{
	(void)state;
	gives(STACK + 64, NO_BYTES); /* the CFA lies there before */
	gives(31, BYTES(DW_OP_lit31));
	gives(0x80, BYTES(DW_OP_const1u, 0x80));
	gives(UINT64_MAX - 127, BYTES(DW_OP_const1s, 0x80));
	gives(0x8001, BYTES(DW_OP_const2u, 1, 0x80));
	gives(UINT64_MAX - 0x7ffe, BYTES(DW_OP_const2s, 1, 0x80));
	gives(0x80000001, BYTES(DW_OP_const4u, 1, 0, 0, 0x80));
	gives(UINT64_MAX - 0x7ffffffe, BYTES(DW_OP_const4s, 1, 0, 0, 0x80));
	gives(0x0807060504030201, BYTES(DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8));
	gives(0x0807060504030201, BYTES(DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8));
	gives(0x0807060504030201, BYTES(DW_OP_addr, 1, 2, 3, 4, 5, 6, 7, 8));
	gives(200, BYTES(DW_OP_constu, 0xc8, 1));
	gives(UINT64_MAX, BYTES(DW_OP_consts, 0x7f));
	gives(STACK - 8, BYTES(DW_OP_breg7, 0x78));
	gives(START + 5, BYTES(DW_OP_bregx, 16, 0));
	fails(BYTES(DW_OP_breg3, 0)); /* not known */
	fails(BYTES(DW_OP_bregx, 0xff, 1, 0));
	fails(BYTES(DW_OP_const8u, 1, 2, 3));
}

static void the_stack_is_turned_over(void **state)
{
	(void)state;
	gives(6, BYTES(DW_OP_lit3, DW_OP_dup, DW_OP_plus));
	gives(3, BYTES(DW_OP_lit3, DW_OP_lit4, DW_OP_over));
	gives(3, BYTES(DW_OP_lit3, DW_OP_lit4, DW_OP_drop));
	gives(2, BYTES(DW_OP_lit2, DW_OP_lit3, DW_OP_lit4, DW_OP_pick, 2));
	gives(1, BYTES(DW_OP_lit3, DW_OP_lit4, DW_OP_swap, DW_OP_minus));
	/* 2 3 4 becomes 4 2 3 */
	gives(3, BYTES(DW_OP_lit2, DW_OP_lit3, DW_OP_lit4, DW_OP_rot));
	gives(4, BYTES(DW_OP_lit2, DW_OP_lit3, DW_OP_lit4, DW_OP_rot, DW_OP_drop, DW_OP_drop));
	fails(BYTES(DW_OP_drop, DW_OP_drop));
	fails(BYTES(DW_OP_drop, DW_OP_dup));
	fails(BYTES(DW_OP_rot));
	fails(BYTES(DW_OP_swap));
	fails(BYTES(DW_OP_pick, 1));
	fails(BYTES(DW_OP_drop)); /* nothing is left */
}

static void arithmetic_wraps_and_does_not_trap(void **state)
{
	(void)state;
	gives(4, BYTES(DW_OP_lit6, DW_OP_lit12, DW_OP_and));
	gives(14, BYTES(DW_OP_lit6, DW_OP_lit12, DW_OP_or));
	gives(10, BYTES(DW_OP_lit6, DW_OP_lit12, DW_OP_xor));
	gives(24, BYTES(DW_OP_lit6, DW_OP_lit4, DW_OP_mul));
	gives(2, BYTES(DW_OP_lit6, DW_OP_lit4, DW_OP_mod));
	gives(UINT64_MAX - 2, BYTES(DW_OP_lit6, DW_OP_neg, DW_OP_lit2, DW_OP_div));
	gives(6, BYTES(DW_OP_lit6, DW_OP_neg, DW_OP_abs));
	gives(UINT64_MAX, BYTES(DW_OP_lit0, DW_OP_not));
	gives(48, BYTES(DW_OP_lit6, DW_OP_lit3, DW_OP_shl));
	gives(3, BYTES(DW_OP_lit6, DW_OP_lit1, DW_OP_shr));
	gives(UINT64_MAX, BYTES(DW_OP_lit1, DW_OP_neg, DW_OP_lit31, DW_OP_shra));
	gives(UINT64_MAX, BYTES(DW_OP_lit1, DW_OP_neg, DW_OP_const1u, 200, DW_OP_shra));
	gives(0, BYTES(DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl));
	gives(0, BYTES(DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shr));
	gives(206, BYTES(DW_OP_lit6, DW_OP_plus_uconst, 0xc8, 1));
	fails(BYTES(DW_OP_lit6, DW_OP_lit0, DW_OP_div));
	fails(BYTES(DW_OP_lit6, DW_OP_lit0, DW_OP_mod));
	/* the lowest number by -1 */
	gives(UINT64_C(1) << 63,
	      BYTES(DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80, DW_OP_lit1, DW_OP_neg, DW_OP_div));
}

static void comparisons_have_a_sign(void **state)
{
	static const struct {
		uint8_t op;
		uint64_t less, same, more; /* -1 with 1, 1 with 1, 1 with -1 */
	} ops[] = {{DW_OP_eq, 0, 1, 0}, {DW_OP_ge, 0, 1, 1}, {DW_OP_gt, 0, 0, 1},
		   {DW_OP_le, 1, 1, 0}, {DW_OP_lt, 1, 0, 0}, {DW_OP_ne, 1, 0, 1}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(ops); i++) {
		gives(ops[i].less, BYTES(DW_OP_lit1, DW_OP_neg, DW_OP_lit1, ops[i].op));
		gives(ops[i].same, BYTES(DW_OP_lit1, DW_OP_lit1, ops[i].op));
		gives(ops[i].more, BYTES(DW_OP_lit1, DW_OP_lit1, DW_OP_neg, ops[i].op));
	}
}

static void memory_is_read_where_it_is_there(void **state)
{
	uint64_t value;

	(void)state;
	gives(0x1003, BYTES(DW_OP_breg7, 24, DW_OP_deref));
	gives(0x03, BYTES(DW_OP_breg7, 24, DW_OP_deref_size, 1));
	gives(0x1003, BYTES(DW_OP_breg7, 24, DW_OP_deref_size, 8));
	fails(BYTES(DW_OP_breg7, 24, DW_OP_deref_size, 9));
	fails(BYTES(DW_OP_breg7, 24, DW_OP_deref_size, 0));
	assert_int_equal(run(BYTES(DW_OP_lit8, DW_OP_deref), &value), RULES_NOT_LOADED);
}

static void jumps_stay_inside_and_loops_end(void **state)
{
	(void)state;
	gives(1, BYTES(DW_OP_lit1, DW_OP_skip, 1, 0, DW_OP_lit2));
	gives(1, BYTES(DW_OP_lit1, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit2));
	gives(2, BYTES(DW_OP_lit1, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit2));
	fails(BYTES(DW_OP_lit1, DW_OP_skip, 2, 0, DW_OP_lit2)); /* beyond the end */
	fails(BYTES(DW_OP_skip, 0xfc, 0xff));			/* before the beginning */
	fails(BYTES(DW_OP_skip, 0xfd, 0xff));			/* itself, for ever */
	fails(BYTES(DW_OP_dup, DW_OP_skip, 0xfc, 0xff));	/* until the stack is full */
	fails(BYTES(DW_OP_reg3));
	fails(BYTES(DW_OP_call_frame_cfa));
	fails(BYTES(0xff));
}

/* ---- frames */

static enum rules_outcome evaluate(const uint8_t *program, size_t size, uint64_t vaddr,
				   struct rules_registers *ret)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;
	enum rules_outcome outcome;

	*ret = (struct rules_registers){.known = KNOWN(3) | KNOWN(6) | KNOWN(7) | KNOWN(0)};
	ret->value[0] = 0xa;
	ret->value[3] = 0xb;
	ret->value[6] = STACK + 32;
	ret->value[7] = STACK;
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, SIZE, program, size);
	cfi_world_of(&builder, &world);
	outcome = rules_evaluate(world.rules, vaddr, ret, load, NULL, ret);
	cfi_world_close(&world);
	return outcome;
}

static void a_frame_gives_its_callers_registers(void **state)
{
	struct rules_registers ret;

	(void)state;
	assert_int_equal(evaluate(BYTES(DW_CFA_def_cfa_offset, 24, DW_CFA_offset | 6, 2,
					DW_CFA_offset | 0, 3, DW_CFA_undefined, 12),
				  START, &ret),
			 RULES_FOUND);
	assert_int_equal(ret.known, KNOWN(0) | KNOWN(3) | KNOWN(6) | KNOWN(7) | KNOWN(16));
	assert_int_equal(ret.value[7], STACK + 24);
	assert_int_equal(ret.value[16], 0x1002);
	assert_int_equal(ret.value[6], 0x1001);
	assert_int_equal(ret.value[0], 0x1000);
	assert_int_equal(ret.value[3], 0xb);
	/* rax is not given back by functions; the row at the address counts */
	assert_int_equal(
		evaluate(BYTES(DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16), START + 3, &ret),
		RULES_FOUND);
	assert_int_equal(ret.known, KNOWN(3) | KNOWN(6) | KNOWN(7) | KNOWN(16));
	assert_int_equal(ret.value[7], STACK + 8);
}

/* As the C library writes it for what the kernel put on the stack. */
static void a_signal_frame_gives_all_registers(void **state)
{
	struct rules_registers ret;

	(void)state;
	assert_int_equal(
		evaluate(BYTES(DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 1, DW_OP_deref, /**/
			       DW_CFA_expression, 0, 3, DW_OP_breg7, 0x90, 1,			/**/
			       DW_CFA_expression, 6, 3, DW_OP_breg7, 0xf8, 0,			/**/
			       DW_CFA_expression, 7, 3, DW_OP_breg7, 0xa0, 1,			/**/
			       DW_CFA_expression, 16, 3, DW_OP_breg7, 0xa8, 1),
			 START, &ret),
		RULES_FOUND);
	assert_int_equal(ret.value[0], 0x1000 + 18);
	assert_int_equal(ret.value[6], 0x1000 + 15);
	assert_int_equal(ret.value[7], 0x1000 + 20);
	assert_int_equal(ret.value[16], 0x1000 + 21);
}

static void registers_that_cannot_be_loaded_are_not_known(void **state)
{
	struct rules_registers ret;

	(void)state;
	assert_int_equal(evaluate(BYTES(DW_CFA_offset | 6, 2), START, &ret), RULES_FOUND);
	assert_int_equal(ret.known, KNOWN(3) | KNOWN(7) | KNOWN(16));
}

static void without_cfa_or_return_address_it_fails(void **state)
{
	struct rules_registers ret;

	(void)state;
	assert_int_equal(evaluate(BYTES(DW_CFA_def_cfa_offset, 0x80, 4), START, &ret),
			 RULES_NOT_LOADED);
	assert_int_equal(
		evaluate(BYTES(DW_CFA_def_cfa_expression, 2, DW_OP_lit1, DW_OP_deref), START, &ret),
		RULES_NOT_LOADED);
	assert_int_equal(evaluate(BYTES(DW_CFA_def_cfa_register, 12), START, &ret), RULES_FAILED);
	assert_int_equal(evaluate(BYTES(DW_CFA_register, 16, 12), START, &ret), RULES_FAILED);
	assert_int_equal(evaluate(BYTES(DW_CFA_undefined, 16), START, &ret), RULES_FAILED);
	assert_int_equal(evaluate(BYTES(DW_CFA_same_value, 16), START, &ret), RULES_FAILED);
	assert_int_equal(evaluate(NO_BYTES, START + SIZE, &ret), RULES_FAILED);
	assert_int_equal(ret.value[0], 0xa); /* untouched */
}

/* Each of the expressions may be long, but all of them share the steps. */
static void the_steps_of_a_frame_are_limited(void **state)
{
	uint8_t program[24 * 64] = {0};
	struct rules_registers ret;
	size_t at = 0;

	(void)state;
	for (uint8_t reg = 0; reg < 24; reg++) {
		program[at++] = DW_CFA_val_expression;
		program[at++] = reg == 16 ? 17 : reg;
		program[at++] = 60;
		memset(program + at, DW_OP_nop, 60);
		at += 60;
	}
	assert_int_equal(evaluate(program, at, START, &ret), RULES_FOUND);
	assert_true(ret.known & KNOWN(15)); /* 960 steps */
	assert_false(ret.known & KNOWN(20));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_and_registers_are_pushed),
		cmocka_unit_test(the_stack_is_turned_over),
		cmocka_unit_test(arithmetic_wraps_and_does_not_trap),
		cmocka_unit_test(comparisons_have_a_sign),
		cmocka_unit_test(memory_is_read_where_it_is_there),
		cmocka_unit_test(jumps_stay_inside_and_loops_end),
		cmocka_unit_test(a_frame_gives_its_callers_registers),
		cmocka_unit_test(a_signal_frame_gives_all_registers),
		cmocka_unit_test(registers_that_cannot_be_loaded_are_not_known),
		cmocka_unit_test(without_cfa_or_return_address_it_fails),
		cmocka_unit_test(the_steps_of_a_frame_are_limited),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
