/* test_dies.c - entries of one unit: abbreviations of every form, and damage */
#include "tests/test.h"

#include <dwarf.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/dies.h"
#include "symbols/units.h"
#include "tests/symbols/dwarf_builder.h"

struct fixture {
	struct text abbrev, info;
	struct debug_sections sections;
	struct unit_body body;
	struct dies dies;
};

static bool fixture_start(struct fixture *fixture)
{
	fixture->sections.abbrev = (struct debug_section){
		(const unsigned char *)text_string(&fixture->abbrev), fixture->abbrev.size};
	fixture->sections.info = (struct debug_section){
		(const unsigned char *)text_string(&fixture->info), fixture->info.size};
	fixture->body.sections = &fixture->sections;
	fixture->body.end = fixture->info.size;
	fixture->body.version = 4;
	fixture->body.address_size = 8;
	fixture->body.offset_size = 4;
	return dies_start(&fixture->dies, &fixture->body);
}

static void fixture_release(struct fixture *fixture)
{
	dies_release(&fixture->dies);
	text_release(&fixture->abbrev);
	text_release(&fixture->info);
}

static void put_abbrev(struct text *abbrev, unsigned code, unsigned tag, bool has_children)
{
	put(abbrev, code, 1);
	put(abbrev, tag, 1);
	put(abbrev, has_children, 1);
}

static void put_attr(struct text *abbrev, unsigned name, unsigned form)
{
	put(abbrev, name, 1);
	if (form >= 0x80) {
		put(abbrev, (form & 0x7f) | 0x80, 1);
		form >>= 7;
	}
	put(abbrev, form, 1);
	if (form == DW_FORM_implicit_const)
		put(abbrev, 77, 2);
}

/* Each form that there is, with a value of it; after them the entry must be at its end. */
static void every_form_is_passed_over(void **state)
{
	static const struct {
		unsigned form;
		const char *bytes;
		size_t size;
	} forms[] = {
		{DW_FORM_addr, "12345678", 8},
		{DW_FORM_block, "\x03xyz", 4},
		{DW_FORM_block1, "\x02xy", 3},
		{DW_FORM_block2, "\x01\0x", 3},
		{DW_FORM_block4, "\x01\0\0\0x", 5},
		{DW_FORM_data1, "x", 1},
		{DW_FORM_data2, "xx", 2},
		{DW_FORM_data4, "xxxx", 4},
		{DW_FORM_data8, "xxxxxxxx", 8},
		{DW_FORM_data16, "xxxxxxxxxxxxxxxx", 16},
		{DW_FORM_string, "name", 5},
		{DW_FORM_flag, "\x01", 1},
		{DW_FORM_flag_present, "", 0},
		{DW_FORM_sdata, "\xff\x7f", 2},
		{DW_FORM_udata, "\xff\x01", 2},
		{DW_FORM_strp, "xxxx", 4},
		{DW_FORM_line_strp, "xxxx", 4},
		{DW_FORM_strp_sup, "xxxx", 4},
		{DW_FORM_ref_addr, "xxxx", 4},
		{DW_FORM_ref1, "x", 1},
		{DW_FORM_ref2, "xx", 2},
		{DW_FORM_ref4, "xxxx", 4},
		{DW_FORM_ref8, "xxxxxxxx", 8},
		{DW_FORM_ref_udata, "\x81\x01", 2},
		{DW_FORM_ref_sig8, "xxxxxxxx", 8},
		{DW_FORM_ref_sup4, "xxxx", 4},
		{DW_FORM_ref_sup8, "xxxxxxxx", 8},
		{DW_FORM_sec_offset, "xxxx", 4},
		{DW_FORM_exprloc, "\x01x", 2},
		{DW_FORM_strx, "\x81\x01", 2},
		{DW_FORM_addrx, "\x81\x01", 2},
		{DW_FORM_loclistx, "\x81\x01", 2},
		{DW_FORM_rnglistx, "\x81\x01", 2},
		{DW_FORM_strx1, "x", 1},
		{DW_FORM_strx2, "xx", 2},
		{DW_FORM_strx3, "xxx", 3},
		{DW_FORM_strx4, "xxxx", 4},
		{DW_FORM_addrx1, "x", 1},
		{DW_FORM_addrx2, "xx", 2},
		{DW_FORM_addrx3, "xxx", 3},
		{DW_FORM_addrx4, "xxxx", 4},
		{DW_FORM_implicit_const, "", 0},
		{DW_FORM_indirect, "\x05xx", 3},
	};
	struct fixture fixture = {0};
	struct die die;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(forms); i++) {
		put_abbrev(&fixture.abbrev, (unsigned)i + 1, DW_TAG_variable, false);
		put(&fixture.abbrev, DW_AT_name, 1);
		put(&fixture.abbrev, forms[i].form, 1);
		if (forms[i].form == DW_FORM_implicit_const)
			put(&fixture.abbrev, 0x7f, 1);
		put(&fixture.abbrev, 0, 2);
		put(&fixture.info, i + 1, 1);
		text_add_bytes(&fixture.info, forms[i].bytes, forms[i].size);
	}
	put(&fixture.abbrev, 0, 1);
	assert_true(fixture_start(&fixture));
	for (size_t i = 0; i < ARRAY_NR(forms); i++) {
		assert_int_equal(dies_next(&fixture.dies, &die), DIES_ENTRY);
		assert_int_equal(die.abbrev->code, i + 1);
		assert_true(dies_skip(&fixture.dies, &die));
	}
	assert_int_equal(dies_next(&fixture.dies, &die), DIES_END);
	fixture_release(&fixture);
}

static void put_function(struct fixture *fixture, unsigned high_form)
{
	put_abbrev(&fixture->abbrev, 200 - 128, DW_TAG_inlined_subroutine, true);
	put_attr(&fixture->abbrev, DW_AT_abstract_origin, DW_FORM_ref4);
	put_attr(&fixture->abbrev, DW_AT_low_pc, DW_FORM_addr);
	put_attr(&fixture->abbrev, DW_AT_high_pc, high_form);
	put_attr(&fixture->abbrev, DW_AT_name, DW_FORM_string);
	put_attr(&fixture->abbrev, DW_AT_call_file, DW_FORM_udata);
	put_attr(&fixture->abbrev, DW_AT_call_line, DW_FORM_data2);
	put(&fixture->abbrev, 0, 2);
	put(&fixture->abbrev, 0, 1);
	put(&fixture->info, 200 - 128, 1);
	put(&fixture->info, 0x40, 4);
	put(&fixture->info, 0x1000, 8);
	put(&fixture->info, high_form == DW_FORM_addr ? 0x1010 : 0x10,
	    high_form == DW_FORM_addr ? 8 : 4);
	put_string(&fixture->info, "name");
	put(&fixture->info, 3, 1);
	put(&fixture->info, 700, 2);
}

static void what_a_function_says_is_read(void **state)
{
	const unsigned forms[] = {DW_FORM_addr, DW_FORM_data4};

	for (size_t i = 0; i < ARRAY_NR(forms); i++) {
		struct fixture fixture = {.body = {.header = 0}};
		struct die_facts facts;
		struct die die;

		put_function(&fixture, forms[i]);
		assert_true(fixture_start(&fixture));
		assert_int_equal(dies_next(&fixture.dies, &die), DIES_ENTRY);
		assert_true(die.abbrev->has_pc);
		assert_true(dies_facts(&fixture.dies, &die, &facts));
		assert_true(facts.has_low && !facts.has_pc_indirect);
		assert_int_equal(facts.low, 0x1000);
		assert_int_equal(facts.high, 0x1010);
		assert_int_equal(facts.origin, 0x40);
		assert_int_equal(facts.call_file, 3);
		assert_int_equal(facts.call_line, 700);
		fixture_release(&fixture);
	}
	(void)state;
}

static void an_entry_that_is_cut_is_refused(void **state)
{
	struct fixture whole = {0};

	(void)state;
	put_function(&whole, DW_FORM_data4);
	for (size_t size = 1; size < whole.info.size; size++) {
		struct fixture fixture = {0};
		struct die_facts facts;
		struct die die;

		text_add_bytes(&fixture.abbrev, text_string(&whole.abbrev), whole.abbrev.size);
		text_add_bytes(&fixture.info, text_string(&whole.info), size);
		assert_true(fixture_start(&fixture));
		assert_int_equal(dies_next(&fixture.dies, &die), DIES_ENTRY);
		assert_false(dies_facts(&fixture.dies, &die, &facts));
		fixture_release(&fixture);
	}
	fixture_release(&whole);
}

static void unknown_abbreviations_and_forms_are_damage(void **state)
{
	struct fixture fixture = {0};
	struct die die;

	(void)state;
	put_abbrev(&fixture.abbrev, 9, DW_TAG_variable, false);
	put_attr(&fixture.abbrev, DW_AT_name, 0x7e);
	put(&fixture.abbrev, 0, 2);
	put(&fixture.abbrev, 0, 1);
	put(&fixture.info, 9, 1);
	put(&fixture.info, 0x08, 1);
	assert_true(fixture_start(&fixture));
	assert_int_equal(dies_next(&fixture.dies, &die), DIES_ENTRY);
	assert_false(dies_skip(&fixture.dies, &die));
	assert_int_equal(dies_next(&fixture.dies, &die), DIES_DAMAGED);
	fixture_release(&fixture);
}

static void abbreviations_need_not_be_in_order(void **state)
{
	const unsigned codes[] = {5, 2, 90, 1};
	struct fixture fixture = {0};
	struct die die;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(codes); i++) {
		put_abbrev(&fixture.abbrev, codes[i], DW_TAG_variable + (unsigned)i, false);
		put(&fixture.abbrev, 0, 2);
		put(&fixture.info, codes[i], 1);
	}
	put(&fixture.abbrev, 0, 1);
	assert_true(fixture_start(&fixture));
	for (size_t i = 0; i < ARRAY_NR(codes); i++) {
		assert_int_equal(dies_next(&fixture.dies, &die), DIES_ENTRY);
		assert_int_equal(die.abbrev->tag, DW_TAG_variable + i);
		assert_true(dies_skip(&fixture.dies, &die));
	}
	fixture_release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_passed_over),
		cmocka_unit_test(what_a_function_says_is_read),
		cmocka_unit_test(an_entry_that_is_cut_is_refused),
		cmocka_unit_test(unknown_abbreviations_and_forms_are_damage),
		cmocka_unit_test(abbreviations_need_not_be_in_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
