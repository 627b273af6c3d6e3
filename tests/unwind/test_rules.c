/* test_rules.c - rows of call-frame information, written by hand, become rules */
#include "tests/test.h"

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>

#include "base/mem.h"
#include "tests/support/cfi_builder.h"
#include "unwind/cfi.h"
#include "unwind/rules.h"

#define START CFI_TEXT
#define SIZE  0x100u

#define SAME6                                                                    \
	{                                                                        \
		RULE_SAME, RULE_SAME, RULE_SAME, RULE_SAME, RULE_SAME, RULE_SAME \
	}

/* The row of the usual CIE. */
static const struct rule first = {
	.kind = RULE_REG, .reg = 7, .ra = -1, .cfa = 8, .off = SAME6, .base = RULES_NO_REGISTER};
static const struct rule none = {.kind = RULE_NO_FDE, .base = RULES_NO_REGISTER};

/* One function of x86-64 at START with this program, under the usual CIE. */
static void open_function(const uint8_t *program, size_t size, struct cfi_world *ret)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};

	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, SIZE, program, size);
	cfi_world_of(&builder, ret);
}

/* One function of aarch64. */
static void open_aarch64(const char *letters, const uint8_t *program, size_t size,
			 struct cfi_world *ret)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};

	cfi_builder_cie(&builder, letters, DW_EH_PE_pcrel | DW_EH_PE_sdata4, 30,
			BYTES(DW_CFA_def_cfa, 31, 0));
	cfi_builder_fde(&builder, START, SIZE, program, size);
	cfi_world_open(&(struct cfi_kind){.eh_frame = &builder.bytes, .machine = EM_AARCH64}, ret);
	cfi_builder_release(&builder);
}

static void check(struct cfi_world *world, uint64_t vaddr, struct rule rule)
{
	const struct rule *found = rules_find(world->rules, vaddr);

	if (memcmp(found, &rule, sizeof(rule)) != 0)
		fail_msg("0x%llx: kind %u reg %u flags %u ra %d cfa %d off %d %d %d %d %d %d "
			 "base %u from_base %u, expected kind %u cfa %d",
			 (unsigned long long)vaddr, found->kind, found->reg, found->flags,
			 found->ra, found->cfa, found->off[0], found->off[1], found->off[2],
			 found->off[3], found->off[4], found->off[5], found->base, found->from_base,
			 rule.kind, rule.cfa);
}

static void check_cfa(struct cfi_world *world, uint64_t vaddr, int32_t cfa)
{
	struct rule rule = first;

	rule.cfa = cfa;
	check(world, vaddr, rule);
}

/* What the program leaves at the end of the function. */
static void check_program(const uint8_t *program, size_t size, struct rule rule)
{
	struct cfi_world world;

	open_function(program, size, &world);
	check(&world, START + SIZE - 1, rule);
	cfi_world_close(&world);
}

static void check_kind(const uint8_t *program, size_t size, uint8_t kind)
{
	struct cfi_world world;

	open_function(program, size, &world);
	assert_int_equal(rules_find(world.rules, START + SIZE - 1)->kind, kind);
	cfi_world_close(&world);
}

/* ---- rows */

static void a_rule_has_16_bytes(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct rule), 16);
}

static void a_prologue_is_three_rows(void **state)
{
	struct cfi_world world;
	struct rule pushed = first, framed;

	(void)state;
	open_function(BYTES(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2,
			    DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6, DW_CFA_nop),
		      &world);
	pushed.cfa = 16;
	pushed.off[1] = -2;
	framed = pushed;
	framed.reg = 6;
	check(&world, START - 1, none);
	check(&world, START, first);
	check(&world, START + 1, pushed);
	check(&world, START + 3, pushed);
	check(&world, START + 4, framed);
	check(&world, START + SIZE - 1, framed);
	check(&world, START + SIZE, none);
	assert_int_equal(rules_functions(world.rules), 1);
	assert_int_equal(rules_compile(world.rules), 3);
	cfi_world_close(&world);
}

/* rdi is nobody's business: what was said of it begins no row. */
static void rows_that_are_equal_are_one(void **state)
{
	struct cfi_world world;

	(void)state;
	open_function(BYTES(DW_CFA_advance_loc | 1, DW_CFA_offset | 5, 2, DW_CFA_advance_loc | 1,
			    DW_CFA_GNU_args_size, 16, DW_CFA_advance_loc | 1, DW_CFA_undefined, 40),
		      &world);
	check(&world, START + 9, first);
	assert_int_equal(rules_compile(world.rules), 1);
	cfi_world_close(&world);
}

static void all_ways_to_advance(void **state)
{
	struct cfi_world world;

	(void)state;
	open_function(BYTES(DW_CFA_advance_loc | 2, DW_CFA_def_cfa_offset, 16,		/**/
			    DW_CFA_advance_loc1, 2, DW_CFA_def_cfa_offset, 24,		/**/
			    DW_CFA_advance_loc2, 2, 0, DW_CFA_def_cfa_offset, 32,	/**/
			    DW_CFA_advance_loc4, 2, 0, 0, 0, DW_CFA_def_cfa_offset, 40, /**/
			    DW_CFA_MIPS_advance_loc8, 2, 0, 0, 0, 0, 0, 0, 0,
			    DW_CFA_def_cfa_offset_sf, 0x7a),
		      &world);
	for (unsigned i = 0; i < 6; i++) {
		check_cfa(&world, START + 2 * i, 8 + 8 * (int32_t)i);
		check_cfa(&world, START + 2 * i + 1, 8 + 8 * (int32_t)i);
	}
	cfi_world_close(&world);
}

/* set_loc has an address as the CIE encodes them: here 4 bytes from where it stands. */
static void set_loc_goes_to_an_address(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;

	(void)state;
	cfi_builder_cie(&builder, "zR", DW_EH_PE_udata4, 16,
			BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
	cfi_builder_fde(&builder, START, SIZE,
			BYTES(DW_CFA_set_loc, 0x10, 0, 1, 0, DW_CFA_def_cfa_offset, 16, /**/
			      DW_CFA_set_loc, 0x08, 0, 1, 0, DW_CFA_def_cfa_offset, 24));
	cfi_world_of(&builder, &world);
	check(&world, START + 0xf, first);
	check(&world, START + 0x10, none); /* it goes back from there: that program is wrong */
	cfi_world_close(&world);
}

static void a_row_that_reaches_beyond_the_function_ends_with_it(void **state)
{
	struct cfi_world world;

	(void)state;
	open_function(BYTES(DW_CFA_advance_loc2, 0xff, 0xff, DW_CFA_def_cfa_offset, 16), &world);
	check(&world, START + SIZE - 1, first);
	check(&world, START + SIZE, none);
	assert_int_equal(rules_compile(world.rules), 1);
	cfi_world_close(&world);
}

static void states_are_remembered_with_the_cfa(void **state)
{
	struct cfi_world world;
	struct rule saved = first;

	(void)state;
	open_function(BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2, /**/
			    DW_CFA_advance_loc | 1, DW_CFA_remember_state, DW_CFA_restore | 3,
			    DW_CFA_def_cfa, 6, 8, DW_CFA_advance_loc | 1, DW_CFA_restore_state),
		      &world);
	saved.cfa = 16;
	saved.off[0] = -2;
	check(&world, START, saved);
	assert_int_equal(rules_find(world.rules, START + 1)->reg, 6);
	check(&world, START + 2, saved);
	cfi_world_close(&world);
}

static void remembering_has_a_limit(void **state)
{
	uint8_t program[CFI_STATES_MAX + 2];
	struct cfi_world world;

	(void)state;
	memset(program, DW_CFA_remember_state, sizeof(program));
	program[0] = DW_CFA_advance_loc | 4;
	open_function(program, sizeof(program) - 1, &world);
	check(&world, START + 4, first);
	cfi_world_close(&world);
	open_function(program, sizeof(program), &world);
	check(&world, START + 3, first);
	check(&world, START + 4, none);
	cfi_world_close(&world);
}

static void restore_goes_back_to_the_cie(void **state)
{
	struct rule rule = first;

	(void)state;
	check_program(BYTES(DW_CFA_offset | 3, 2, DW_CFA_restore | 3), rule);
	check_program(BYTES(DW_CFA_offset_extended, 3, 2, DW_CFA_restore_extended, 3), rule);
	check_program(BYTES(DW_CFA_offset | 16, 5, DW_CFA_restore | 16), rule);
	rule.off[0] = -2;
	check_program(BYTES(DW_CFA_offset_extended, 3, 2), rule);
	check_program(BYTES(DW_CFA_offset_extended_sf, 3, 2), rule);
	rule.off[0] = 2;
	check_program(BYTES(DW_CFA_offset_extended_sf, 3, 0x7e), rule);
	check_program(BYTES(DW_CFA_GNU_negative_offset_extended, 3, 2), rule);
}

/* Up to there the rows are good; what the rest would have been is not known. */
static void a_program_that_goes_wrong_is_good_up_to_there(void **state)
{
	static const struct {
		uint8_t bytes[4];
		size_t size;
	} wrong[] = {
		{{0x3f}, 1},			     /* no such operation */
		{{DW_CFA_restore_state}, 1},	     /* nothing was remembered */
		{{DW_CFA_def_cfa, 7}, 2},	     /* ends in it */
		{{DW_CFA_def_cfa, 99, 8}, 3},	     /* no such register */
		{{DW_CFA_def_cfa_expression, 5}, 2}, /* the block is longer than the program */
		{{DW_CFA_advance_loc4, 1}, 2},
		{{DW_CFA_expression, 3}, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(wrong); i++) {
		uint8_t program[8] = {DW_CFA_advance_loc | 4};
		struct cfi_world world;

		memcpy(program + 1, wrong[i].bytes, wrong[i].size);
		open_function(program, 1 + wrong[i].size, &world);
		check(&world, START + 3, first);
		check(&world, START + 4, none);
		check(&world, START + SIZE - 1, none);
		cfi_world_close(&world);
	}
}

/* ---- where registers are */

static void registers_may_be_lost_or_the_same(void **state)
{
	struct rule rule = first;

	(void)state;
	rule.off[1] = RULE_LOST;
	check_program(BYTES(DW_CFA_undefined, 6), rule);
	check_program(BYTES(DW_CFA_offset | 3, 2, DW_CFA_same_value, 3, DW_CFA_undefined, 6), rule);
}

static void what_does_not_fit_is_evaluated(void **state)
{
	(void)state;
	/* in another register; a value; half of a word; far away; the stack pointer */
	check_kind(BYTES(DW_CFA_register, 3, 0), RULE_EXPR);
	check_kind(BYTES(DW_CFA_register, 16, 2), RULE_EXPR);
	check_kind(BYTES(DW_CFA_val_offset, 3, 2), RULE_EXPR);
	check_kind(BYTES(DW_CFA_val_expression, 3, 1, DW_OP_lit1), RULE_EXPR);
	check_kind(BYTES(DW_CFA_expression, 3, 2, DW_OP_breg7, 4), RULE_EXPR);
	check_kind(BYTES(DW_CFA_expression, 3, 2, DW_OP_lit1, DW_OP_nop), RULE_EXPR);
	check_kind(BYTES(DW_CFA_offset | 3, 0x80, 0x04), RULE_EXPR);
	check_kind(BYTES(DW_CFA_offset | 7, 2), RULE_EXPR);
	check_kind(BYTES(DW_CFA_def_cfa_expression, 1, DW_OP_lit1), RULE_EXPR);
	/* 127 words is as far as it goes */
	check_kind(BYTES(DW_CFA_offset | 3, 0x7f), RULE_REG);
	/* what is said of it changes nothing */
	check_program(BYTES(DW_CFA_val_offset, 7, 0), first);
}

static void an_end_is_an_undefined_return_address(void **state)
{
	struct rule end = {.kind = RULE_END, .base = RULES_NO_REGISTER};

	(void)state;
	check_program(BYTES(DW_CFA_offset | 3, 2, DW_CFA_undefined, 16), end);
	/* "the same" program counter would be an endless stack */
	check_program(BYTES(DW_CFA_same_value, 16), none);
}

/* A realigned stack: the CFA was in r10, which is saved; all else is where rbp points. */
static void realigned_stacks_count_from_the_frame_pointer(void **state)
{
	struct rule rule = {.kind = RULE_DEREF,
			    .reg = 6,
			    .ra = -1,
			    .cfa = -8,
			    .off = {-3, 0, RULE_SAME, -2, RULE_SAME, RULE_SAME},
			    .base = 6,
			    .from_base = 1 << 0 | 1 << 1};

	(void)state;
	check_program(BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref, /**/
			    DW_CFA_expression, 6, 2, DW_OP_breg6, 0,			  /**/
			    DW_CFA_expression, 3, 2, DW_OP_breg6, 0x68,			  /**/
			    DW_CFA_offset | 13, 2),
		      rule);
	/* two bases are too many */
	check_kind(BYTES(DW_CFA_expression, 6, 2, DW_OP_breg6, 0, /**/
			 DW_CFA_expression, 3, 2, DW_OP_breg12, 0),
		   RULE_EXPR);
}

static void cfas_may_be_in_memory_or_those_of_a_plt(void **state)
{
	struct rule rule = first;

	(void)state;
	rule.kind = RULE_DEREF;
	rule.cfa = 0x10;
	check_program(BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 0x10, DW_OP_deref), rule);
	check_program(BYTES(DW_CFA_def_cfa_expression, 4, DW_OP_bregx, 7, 0x10, DW_OP_deref), rule);
	rule.kind = RULE_DEREF_8;
	check_program(BYTES(DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 0x10, DW_OP_deref,
			    DW_OP_plus_uconst, 8),
		      rule);
	rule.kind = RULE_REG;
	check_program(BYTES(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0x10), rule);
	rule.kind = RULE_PLT;
	rule.reg = 11;
	rule.cfa = 8;
	check_program(BYTES(DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0,
			    DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl,
			    DW_OP_plus),
		      rule);
	check_kind(BYTES(DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0,
			 DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit2, DW_OP_shl,
			 DW_OP_plus),
		   RULE_EXPR);
	/* half of an expression cannot be changed */
	check_kind(BYTES(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0x10, DW_CFA_def_cfa_offset, 8),
		   RULE_NO_FDE);
}

static void sparc_windows_are_nothing_on_x86(void **state)
{
	(void)state;
	check_program(BYTES(DW_CFA_GNU_window_save), first);
}

/* ---- aarch64 */

static void aarch64_leaves_have_their_return_address_in_x30(void **state)
{
	struct rule leaf = {.kind = RULE_REG,
			    .reg = 31,
			    .ra = RULE_SAME,
			    .off = SAME6,
			    .base = RULES_NO_REGISTER};
	struct rule framed = leaf;
	struct cfi_world world;

	(void)state;
	open_aarch64("zR",
		     BYTES(DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4,
			   DW_CFA_offset | 30, 3, DW_CFA_offset | 19, 2, DW_CFA_offset | 24, 1),
		     &world);
	framed.cfa = 32;
	framed.ra = -3;
	framed.off[0] = -4;
	framed.off[1] = -2;
	check(&world, START, leaf);
	check(&world, START + 4, framed);
	cfi_world_close(&world);
}

/* Two kilobytes of variables between what was saved and the CFA. */
static void large_aarch64_frames_count_from_the_stack_pointer(void **state)
{
	struct rule rule = {.kind = RULE_REG,
			    .reg = 31,
			    .ra = 1,
			    .cfa = 2048,
			    .off = {0, -2, RULE_SAME, RULE_SAME, RULE_SAME, RULE_SAME},
			    .base = 31,
			    .from_base = 1 << 0 | RULE_RA_FROM_BASE};
	struct cfi_world world;

	(void)state;
	open_aarch64("zR",
		     BYTES(DW_CFA_def_cfa_offset, 0x80, 0x10, DW_CFA_offset | 29, 0x80, 0x02,
			   DW_CFA_offset | 30, 0xff, 0x01, DW_CFA_offset | 19, 2),
		     &world);
	check(&world, START, rule);
	cfi_world_close(&world);
}

static void signed_return_addresses_are_told(void **state)
{
	static const char *const letters[] = {"zR", "zRB", "zRBG"}; /* B: the other key */
	static const uint8_t ops[] = {DW_CFA_GNU_window_save, 0x2c};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(letters) * ARRAY_NR(ops); i++) {
		const uint8_t op = ops[i % ARRAY_NR(ops)];
		struct cfi_world world;

		open_aarch64(letters[i / ARRAY_NR(ops)],
			     BYTES(DW_CFA_advance_loc | 4, op, DW_CFA_advance_loc | 4,
				   DW_CFA_remember_state, op, DW_CFA_advance_loc | 4,
				   DW_CFA_restore_state),
			     &world);
		assert_int_equal(rules_find(world.rules, START)->flags, 0);
		assert_int_equal(rules_find(world.rules, START + 4)->flags, RULE_SIGNED);
		assert_int_equal(rules_find(world.rules, START + 8)->flags, 0);
		assert_int_equal(rules_find(world.rules, START + 12)->flags, RULE_SIGNED);
		cfi_world_close(&world);
	}
}

/* ---- several functions */

static void padding_belongs_to_the_function_before_it(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;

	(void)state;
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, 17, BYTES(DW_CFA_def_cfa_offset, 16));
	cfi_builder_fde(&builder, START + 32, 16, BYTES(DW_CFA_def_cfa_offset, 24));
	cfi_builder_fde(&builder, START + 64, 16, NO_BYTES);
	cfi_world_of(&builder, &world);
	check_cfa(&world, START + 17, 16);
	check_cfa(&world, START + 31, 16);
	check_cfa(&world, START + 47, 24);
	check(&world, START + 48, none); /* 16 bytes are none */
	check(&world, START + 63, none);
	check(&world, START + 80, none);
	cfi_world_close(&world);
}

static void functions_may_stand_in_any_order(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;

	(void)state;
	cfi_builder_usual_cie(&builder);
	for (unsigned i = 0; i < 200; i++) {
		uint64_t start = START + (i * 37 % 200) * 0x40;
		uint8_t program[] = {DW_CFA_def_cfa_offset, (uint8_t)(i * 37 % 200 / 2)};

		cfi_builder_fde(&builder, start, 0x20, program, sizeof(program));
	}
	cfi_builder_fde(&builder, 0, 0x20, NO_BYTES);	  /* dropped by the linker */
	cfi_builder_fde(&builder, START, 0x10, NO_BYTES); /* shorter than the other one there */
	cfi_builder_fde(&builder, START + 0x40, 0, NO_BYTES);
	cfi_world_of(&builder, &world);
	assert_int_equal(rules_functions(world.rules), 200);
	for (unsigned i = 0; i < 200; i++) {
		check_cfa(&world, START + i * 0x40, (int32_t)i / 2);
		check_cfa(&world, START + i * 0x40 + 0x1f, (int32_t)i / 2);
		check(&world, START + i * 0x40 + 0x20, none);
	}
	cfi_world_close(&world);
}

static void signal_frames_are_told(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;

	(void)state;
	cfi_builder_cie(&builder, "zRS", DW_EH_PE_pcrel | DW_EH_PE_sdata4, 16,
			BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START + SIZE, SIZE, NO_BYTES);
	cfi_world_of(&builder, &world);
	assert_int_equal(rules_find(world.rules, START)->flags, RULE_SIGNAL);
	assert_int_equal(rules_find(world.rules, START + SIZE)->flags, 0);
	cfi_world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_16_bytes),
		cmocka_unit_test(a_prologue_is_three_rows),
		cmocka_unit_test(rows_that_are_equal_are_one),
		cmocka_unit_test(all_ways_to_advance),
		cmocka_unit_test(set_loc_goes_to_an_address),
		cmocka_unit_test(a_row_that_reaches_beyond_the_function_ends_with_it),
		cmocka_unit_test(states_are_remembered_with_the_cfa),
		cmocka_unit_test(remembering_has_a_limit),
		cmocka_unit_test(restore_goes_back_to_the_cie),
		cmocka_unit_test(a_program_that_goes_wrong_is_good_up_to_there),
		cmocka_unit_test(registers_may_be_lost_or_the_same),
		cmocka_unit_test(what_does_not_fit_is_evaluated),
		cmocka_unit_test(an_end_is_an_undefined_return_address),
		cmocka_unit_test(realigned_stacks_count_from_the_frame_pointer),
		cmocka_unit_test(cfas_may_be_in_memory_or_those_of_a_plt),
		cmocka_unit_test(sparc_windows_are_nothing_on_x86),
		cmocka_unit_test(aarch64_leaves_have_their_return_address_in_x30),
		cmocka_unit_test(large_aarch64_frames_count_from_the_stack_pointer),
		cmocka_unit_test(signed_return_addresses_are_told),
		cmocka_unit_test(padding_belongs_to_the_function_before_it),
		cmocka_unit_test(functions_may_stand_in_any_order),
		cmocka_unit_test(signal_frames_are_told),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
