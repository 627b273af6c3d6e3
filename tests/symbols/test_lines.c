/* test_lines.c - rows of a line table to the addresses that they cover */
#include "tests/test.h"

#include "base/mem.h"
#include "symbols/debug_sections.h"
#include "symbols/line_table.h"
#include "symbols/lines.h"
#include "tests/symbols/dwarf_builder.h"

static struct code_range ranges[] = {{0x1000, 0x2000}};
static const struct code_ranges code_ranges = {ranges, 1, 1};

struct found {
	struct line_row rows[32];
	bool is_sound;
};

/* Rows of the addresses from first on, one by one. */
static struct found find(const struct text *code, uint64_t first, size_t nr)
{
	struct text lists = TEXT_INIT, section = TEXT_INIT;
	struct debug_sections sections = {0};
	struct line_table table;
	struct found found;
	uint64_t vaddrs[32];

	put(&lists, 0, 2);
	put_table(&section, 4, &lists, code);
	sections.line =
		(struct debug_section){(const unsigned char *)text_string(&section), section.size};
	assert_true(line_table_read(&sections, 0, NULL, &table));
	for (size_t i = 0; i < nr; i++)
		vaddrs[i] = first + i;
	found.is_sound = lines_find(&table, &code_ranges, vaddrs, nr, found.rows);
	line_table_release(&table);
	text_release(&lists);
	text_release(&section);
	return found;
}

static void a_row_covers_up_to_the_next_one(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	put_address(&code, 0x1000);
	put_row(&code, 0, 2);
	put_row(&code, 4, 3);
	put_file(&code, 7);
	put_row(&code, 2, -1);
	put(&code, 0x0202, 2);
	put_end(&code);
	found = find(&code, 0x0fff, 10);
	assert_true(found.is_sound);
	assert_int_equal(found.rows[0].file, LINE_NO_FILE);
	assert_int_equal(found.rows[1].line, 3);
	assert_int_equal(found.rows[4].line, 3);
	assert_int_equal(found.rows[5].line, 6);
	assert_int_equal(found.rows[5].file, 1);
	assert_int_equal(found.rows[7].line, 5);
	assert_int_equal(found.rows[7].file, 7);
	assert_int_equal(found.rows[8].line, 5);
	assert_int_equal(found.rows[9].file, LINE_NO_FILE);
}

static void the_last_row_of_an_address_counts(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	put_address(&code, 0x1000);
	put_row(&code, 0, 1);
	put_row(&code, 0, 1);
	put_row(&code, 0, 1);
	put_row(&code, 2, 1);
	put_end(&code);
	found = find(&code, 0x1000, 3);
	assert_int_equal(found.rows[0].line, 4);
	assert_int_equal(found.rows[1].line, 4);
	assert_int_equal(found.rows[2].file, LINE_NO_FILE);
}

/* The end of one and the start of the next, in either order in the file. */
static void a_sequence_may_begin_where_another_ends(void **state)
{
	for (int is_turned = 0; is_turned < 2; is_turned++) {
		CLEANUP(text_release) struct text code = TEXT_INIT;
		struct found found;

		for (int i = 0; i < 2; i++) {
			int nr = is_turned ? 1 - i : i;

			put_address(&code, 0x1000 + 4 * (unsigned)nr);
			put_row(&code, 0, 1 + nr);
			put(&code, 0x0402, 2);
			put_end(&code);
		}
		found = find(&code, 0x1000, 9);
		assert_int_equal(found.rows[3].line, 2);
		assert_int_equal(found.rows[4].line, 3);
		assert_int_equal(found.rows[7].line, 3);
		assert_int_equal(found.rows[8].file, LINE_NO_FILE);
	}
	(void)state;
}

/* 0x0 to 0x1800 would cover code */
static void a_dropped_functions_rows_cover_nothing(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	put_address(&code, 0);
	put_row(&code, 0, 1);
	put_address(&code, 0x1800);
	put_end(&code);
	found = find(&code, 0x1000, 2);
	assert_true(found.is_sound);
	assert_int_equal(found.rows[0].file, LINE_NO_FILE);
}

static void of_overlapping_sequences_the_first_counts(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	for (int i = 0; i < 2; i++) {
		put_address(&code, 0x1000);
		put_row(&code, 0, 1 + i);
		put(&code, 0x0402, 2);
		put_end(&code);
	}
	found = find(&code, 0x1000, 1);
	assert_int_equal(found.rows[0].line, 2);
}

static void addresses_that_fall_begin_a_sequence(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	put_address(&code, 0x1008);
	put_row(&code, 0, 1);
	put_address(&code, 0x1000);
	put_row(&code, 0, 1);
	put_row(&code, 4, 1);
	put(&code, 0x0402, 2);
	put_end(&code);
	found = find(&code, 0x1000, 9);
	assert_int_equal(found.rows[0].line, 3);
	assert_int_equal(found.rows[4].line, 4);
	assert_int_equal(found.rows[8].file, LINE_NO_FILE);
}

static void what_was_said_before_damage_is_kept(void **state)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	struct found found;

	(void)state;
	put_address(&code, 0x1000);
	put_row(&code, 0, 1);
	put_row(&code, 4, 1);
	put(&code, 0xf000, 2);
	found = find(&code, 0x1000, 5);
	assert_false(found.is_sound);
	assert_int_equal(found.rows[0].line, 2);
	assert_int_equal(found.rows[4].file, LINE_NO_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_covers_up_to_the_next_one),
		cmocka_unit_test(the_last_row_of_an_address_counts),
		cmocka_unit_test(a_sequence_may_begin_where_another_ends),
		cmocka_unit_test(a_dropped_functions_rows_cover_nothing),
		cmocka_unit_test(of_overlapping_sequences_the_first_counts),
		cmocka_unit_test(addresses_that_fall_begin_a_sequence),
		cmocka_unit_test(what_was_said_before_damage_is_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
