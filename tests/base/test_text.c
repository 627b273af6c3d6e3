/* test_text.c - a string that grows */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static void new_text_is_an_empty_string(void **state)
{
	struct text text = TEXT_INIT;

	(void)state;
	assert_string_equal(text_string(&text), "");
	assert_null(text.bytes);
	text_release(&text);
}

static void pieces_are_put_behind_each_other(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	text_add(&text, "main");
	text_add_char(&text, ';');
	text_addf(&text, "f%03d", 7);
	text_add_bytes(&text, "();rest", 2);
	assert_string_equal(text_string(&text), "main;f007()");
	assert_int_equal(text.size, 11);
}

static void zero_bytes_are_kept_and_counted(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	text_add_bytes(&text, "a\0b", 3);
	text_add(&text, "c");
	assert_int_equal(text.size, 4);
	assert_memory_equal(text.bytes, "a\0bc", 5);
}

static void adding_nothing_makes_an_empty_string(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	text_add_bytes(&text, NULL, 0);
	assert_int_equal(text.size, 0);
	assert_string_equal(text.bytes, "");
}

static void cleared_text_begins_anew(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	size_t alloc;

	(void)state;
	text_add(&text, "something long enough to need memory");
	alloc = text.alloc;
	text_clear(&text);
	assert_string_equal(text_string(&text), "");
	assert_int_equal(text.alloc, alloc);
	text_add(&text, "x");
	assert_string_equal(text_string(&text), "x");
}

static void taken_string_belongs_to_the_caller(void **state)
{
	struct text text = TEXT_INIT;
	char *taken;

	(void)state;
	text_add(&text, "mine");
	taken = text_take(&text);
	assert_string_equal(taken, "mine");
	assert_null(text.bytes);
	assert_int_equal(text.size, 0);
	free(taken);
	taken = text_take(&text);
	assert_string_equal(taken, "");
	free(taken);
}

static void a_million_bytes_one_by_one_are_all_there(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	for (int i = 0; i < 1000000; i++)
		text_add_char(&text, (char)('a' + i % 26));
	assert_int_equal(text.size, 1000000);
	assert_int_equal(strlen(text.bytes), 1000000);
	assert_int_equal(text.bytes[999999], 'a' + 999999 % 26);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_text_is_an_empty_string),
		cmocka_unit_test(pieces_are_put_behind_each_other),
		cmocka_unit_test(zero_bytes_are_kept_and_counted),
		cmocka_unit_test(adding_nothing_makes_an_empty_string),
		cmocka_unit_test(cleared_text_begins_anew),
		cmocka_unit_test(taken_string_belongs_to_the_caller),
		cmocka_unit_test(a_million_bytes_one_by_one_are_all_there),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
