/* test_notes.c - what is odd is counted by kind, and the first place kept */
#include "tests/test.h"

#include <string.h>

#include "model/notes.h"

static void first_place_is_kept_and_counts_add_up(void **state)
{
	struct notes notes = {0};

	(void)state;
	notes_add(&notes, NOTE_ORPHAN_STACK, 1, 12, 345);
	notes_add(&notes, NOTE_ORPHAN_STACK, 2, 99, 999);
	assert_int_equal(notes.list[NOTE_ORPHAN_STACK].count, 3);
	assert_int_equal(notes.list[NOTE_ORPHAN_STACK].first_line, 12);
	assert_int_equal(notes.list[NOTE_ORPHAN_STACK].first_byte, 345);
	assert_int_equal(notes.list[NOTE_MESSAGE].count, 0);
}

static void count_stops_at_the_largest_number(void **state)
{
	struct notes notes = {0};

	(void)state;
	notes_add(&notes, NOTE_LOST, UINT64_MAX - 1, 1, 1);
	notes_add(&notes, NOTE_LOST, 5, 1, 1);
	assert_true(notes.list[NOTE_LOST].count == UINT64_MAX);
}

static void every_code_has_a_word_of_its_own_and_a_text(void **state)
{
	(void)state;
	for (int i = 0; i < NOTE_NR; i++) {
		assert_non_null(notes_word(i));
		assert_true(strlen(notes_text(i, 0)) > 10);
		assert_true(strlen(notes_text(i, 1)) > 10);
		assert_string_equal(notes_text(i, 0), notes_text(i, 2));
		assert_string_not_equal(notes_text(i, 1), notes_text(i, 2));
		assert_int_equal(strspn(notes_word(i), "abcdefghijklmnopqrstuvwxyz-"),
				 strlen(notes_word(i)));
		for (int j = 0; j < i; j++)
			assert_string_not_equal(notes_word(i), notes_word(j));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_place_is_kept_and_counts_add_up),
		cmocka_unit_test(count_stops_at_the_largest_number),
		cmocka_unit_test(every_code_has_a_word_of_its_own_and_a_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
