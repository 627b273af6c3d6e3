/* test_unwindings.c - how call chains were found is kept once, and words and letters fit */
#include "tests/test.h"

#include "base/mem.h"
#include "model/unwindings.h"

static void equal_ones_are_one(void **state)
{
	CLEANUP(unwindings_release) struct unwindings unwindings = {0};

	(void)state;
	assert_int_equal(unwindings_add(&unwindings, UNWIND_END, "ccl", 3), 0);
	assert_int_equal(unwindings_add(&unwindings, UNWIND_TRUNCATED, "ccl", 3), 1);
	assert_int_equal(unwindings_add(&unwindings, UNWIND_END, "cl", 2), 2);
	assert_int_equal(unwindings_add(&unwindings, UNWIND_END, "ccl", 3), 0);
	assert_int_equal(unwindings.nr, 3);
	assert_memory_equal(unwindings_found(&unwindings, 2), "cl", 2);
}

static void what_cfi_led_to_is_marked(void **state)
{
	CLEANUP(unwindings_release) struct unwindings unwindings = {0};
	const uint32_t callers[] = {9, 4, 7, 2};
	uint32_t id = unwindings_add(&unwindings, UNWIND_END, "cfxsl", 5);

	(void)state;
	assert_false(unwindings_led_to(&unwindings, 9));
	unwindings_mark(&unwindings, id, callers, 4);
	assert_true(unwindings_led_to(&unwindings, 9));
	assert_false(unwindings_led_to(&unwindings, 4));
	assert_true(unwindings_led_to(&unwindings, 7));
	assert_false(unwindings_led_to(&unwindings, 2));
	assert_false(unwindings_led_to(&unwindings, 10));
}

static void a_stack_of_another_depth_marks_nothing(void **state)
{
	CLEANUP(unwindings_release) struct unwindings unwindings = {0};
	const uint32_t callers[] = {0, 1, 2};
	uint32_t id = unwindings_add(&unwindings, UNWIND_END, "ccl", 3);

	(void)state;
	unwindings_mark(&unwindings, id, callers, 3);
	unwindings_mark(&unwindings, id, callers, 1);
	for (uint32_t i = 0; i < ARRAY_NR(callers); i++)
		assert_false(unwindings_led_to(&unwindings, callers[i]));
}

static void each_word_and_letter_is_of_one_value(void **state)
{
	(void)state;
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		assert_int_equal(unwind_stop_of_word(unwind_stop_word(i)), i);
	assert_int_equal(unwind_stop_of_word("nowhere"), UNWIND_STOP_NR);
	for (int i = 0; i < FOUND_BY_NR; i++)
		assert_int_equal(found_by_of_letter(found_by_letter(i)), i);
	assert_int_equal(found_by_of_letter('z'), FOUND_BY_NR);
	assert_int_equal(found_by_of_letter('\0'), FOUND_BY_NR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ones_are_one),
		cmocka_unit_test(what_cfi_led_to_is_marked),
		cmocka_unit_test(a_stack_of_another_depth_marks_nothing),
		cmocka_unit_test(each_word_and_letter_is_of_one_value),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
