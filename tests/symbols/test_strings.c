/* test_strings.c - strings that are kept once, and stay where they are */
#include "tests/test.h"

#include <stdio.h>

#include "base/mem.h"
#include "symbols/strings.h"

#define STRINGS_NR 20000

static void equal_strings_are_one_and_stay(void **state)
{
	static const char *kept[STRINGS_NR];
	struct strings strings = {0};
	char text[32];

	(void)state;
	for (int i = 0; i < STRINGS_NR; i++) {
		snprintf(text, sizeof(text), "string %d", i);
		kept[i] = strings_keep(&strings, text);
	}
	for (int i = 0; i < STRINGS_NR; i++) {
		snprintf(text, sizeof(text), "string %d", i);
		assert_string_equal(kept[i], text);
		assert_ptr_equal(strings_keep(&strings, text), kept[i]);
	}
	assert_int_equal(strings.strings_nr, STRINGS_NR);
	strings_release(&strings);
}

static void strings_of_no_size_and_of_a_large_one_are_kept(void **state)
{
	size_t size = 300000;
	char *large = mem_alloc(size);
	struct strings strings = {0};

	(void)state;
	memset(large, 'x', size - 1);
	large[size - 1] = '\0';
	assert_string_equal(strings_keep(&strings, ""), "");
	assert_string_equal(strings_keep(&strings, large), large);
	assert_string_equal(strings_keep(&strings, "after it"), "after it");
	strings_release(&strings);
	free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_strings_are_one_and_stay),
		cmocka_unit_test(strings_of_no_size_and_of_a_large_one_are_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
