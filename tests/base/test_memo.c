/* test_memo.c - a cache from bytes to a number that forgets rather than grows without end */
#include "tests/test.h"

#include <string.h>

#include "base/memo.h"

static void unknown_bytes_have_no_value(void **state)
{
	struct memo memo = {0};

	(void)state;
	assert_int_equal(memo_find(&memo, memo_key("a", 1)), MEMO_NONE);
	memo_add(&memo, memo_key("a", 1), 7);
	assert_int_equal(memo_find(&memo, memo_key("b", 1)), MEMO_NONE);
	memo_release(&memo);
}

static void known_bytes_have_the_value_that_was_added(void **state)
{
	struct memo memo = {0};

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		memo_add(&memo, memo_key(&i, sizeof(i)), i * 3);
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(memo_find(&memo, memo_key(&i, sizeof(i))), i * 3);
	memo_release(&memo);
}

static void prefix_is_another_key(void **state)
{
	struct memo memo = {0};

	(void)state;
	memo_add(&memo, memo_key("main", 4), 1);
	assert_int_equal(memo_find(&memo, memo_key("main", 3)), MEMO_NONE);
	memo_release(&memo);
}

static void value_is_right_or_forgotten_but_never_another(void **state)
{
	struct memo memo = {0};
	uint32_t known = 0;

	(void)state;
	for (uint32_t i = 0; i < 50000; i++)
		memo_add(&memo, memo_key(&i, sizeof(i)), i);
	for (uint32_t i = 0; i < 50000; i++) {
		uint32_t value = memo_find(&memo, memo_key(&i, sizeof(i)));

		assert_true(value == i || value == MEMO_NONE);
		known += value == i;
	}
	/* so few are not forgotten */
	assert_int_equal(known, 50000);
	assert_int_equal(memo_find(&memo, memo_key(&(uint32_t){49999}, 4)), 49999);
	memo_release(&memo);
}

static void memory_is_bounded(void **state)
{
	struct memo memo = {0};

	(void)state;
	for (uint32_t i = 0; i < 3 * MEMO_MAX; i++)
		memo_add(&memo, (struct memo_key){i, (uint64_t)i << 32 | i}, i);
	assert_true((size_t)memo.mask + 1 <= 4 * (size_t)MEMO_MAX);
	assert_true(memo.nr <= 2 * MEMO_MAX);
	memo_release(&memo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_bytes_have_no_value),
		cmocka_unit_test(known_bytes_have_the_value_that_was_added),
		cmocka_unit_test(prefix_is_another_key),
		cmocka_unit_test(value_is_right_or_forgotten_but_never_another),
		cmocka_unit_test(memory_is_bounded),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
