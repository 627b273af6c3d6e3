/* test_utf8.c - bytes of unknown origin made fit to be shown */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

#define BAD "\xef\xbf\xbd"

static const struct {
	const char *what, *bytes, *clean;
} cases[] = {
	{"plain letters", "main", "main"},
	{"two bytes",
	 "gr\xc3\xb6\xc3\x9f"
	 "e",
	 "größe"},
	{"three bytes", "\xe6\x97\xa5", "日"},
	{"four bytes", "\xf0\x9f\x94\xa5", "🔥"},
	{"the last code point", "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
	{"beyond the last code point", "\xf4\x90\x80\x80", BAD BAD BAD BAD},
	{"a byte that never occurs",
	 "a\xff"
	 "b",
	 "a" BAD "b"},
	{"a lone continuation", "\x80", BAD},
	{"an overlong slash", "\xc0\xaf", BAD BAD},
	{"an overlong three bytes", "\xe0\x80\xaf", BAD BAD BAD},
	{"a surrogate", "\xed\xa0\x80", BAD BAD BAD},
	{"cut after two of three", "\xe6\x97", BAD},
	{"cut after three of four", "\xf0\x9f\x94", BAD},
	{"cut and then a letter", "\xf0\x9f\x94x", BAD "x"},
	{"Latin-1",
	 "gr\xf6\xdf"
	 "e",
	 "gr" BAD BAD "e"},
	{"a bell", "a\ab", "a" BAD "b"},
	{"a tab and a line feed", "a\tb\n", "a" BAD "b" BAD},
	{"delete", "\x7f", BAD},
	{"a C1 control", "\xc2\x85", BAD},
	{"the first that is no C1 control", "\xc2\xa0", "\xc2\xa0"},
};

static void cleaned_bytes_are_as_the_standard_recommends(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		utf8_add_clean(&text, cases[i].bytes, strlen(cases[i].bytes));
		if (strcmp(text_string(&text), cases[i].clean) != 0)
			fail_msg("%s: '%s', expected '%s'", cases[i].what, text_string(&text),
				 cases[i].clean);
	}
}

static void bytes_are_clean_exactly_if_cleaning_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++)
		if (utf8_is_clean(cases[i].bytes, strlen(cases[i].bytes)) !=
		    (strcmp(cases[i].bytes, cases[i].clean) == 0))
			fail_msg("%s", cases[i].what);
}

static void every_pair_of_bytes_becomes_clean(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		char bytes[2] = {(char)(pair >> 8), (char)pair};
		CLEANUP(text_release) struct text text = TEXT_INIT;

		utf8_add_clean(&text, bytes, sizeof(bytes));
		assert_true(utf8_is_clean(text.bytes, text.size));
	}
}

static void zero_byte_is_a_control_character(void **state)
{
	(void)state;
	assert_false(utf8_is_clean("a\0b", 3));
}

/* ASCII is looked at 16 bytes at a time. */
static void a_control_character_is_found_wherever_it_stands(void **state)
{
	(void)state;
	for (size_t size = 1; size <= 50; size++)
		for (size_t at = 0; at < size; at++)
			for (int byte = 0; byte < 0x80; byte++) {
				char text[50];

				memset(text, 'n', sizeof(text));
				text[at] = (char)byte;
				assert_int_equal(utf8_is_clean(text, size),
						 byte >= ' ' && byte != 0x7f);
			}
}

static void wide_characters_take_two_columns_and_combining_none(void **state)
{
	(void)state;
	assert_int_equal(utf8_columns("main"), 4);
	assert_int_equal(utf8_columns("größe"), 5);
	assert_int_equal(utf8_columns("日本"), 4);
	assert_int_equal(utf8_columns("e\xcc\x81"), 1);
	assert_int_equal(utf8_columns("🔥"), 2);
	assert_int_equal(utf8_columns(""), 0);
}

static void prefix_never_cuts_a_character(void **state)
{
	(void)state;
	assert_int_equal(utf8_prefix("größe", 3), 4);
	assert_int_equal(utf8_prefix("日本", 3), 3);
	assert_int_equal(utf8_prefix("日本", 4), 6);
	assert_int_equal(utf8_prefix("ab", 0), 0);
	assert_int_equal(utf8_prefix("ab", 9), 2);
	/* what stands on the last letter goes with it */
	assert_int_equal(utf8_prefix("e\xcc\x81x", 1), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cleaned_bytes_are_as_the_standard_recommends),
		cmocka_unit_test(bytes_are_clean_exactly_if_cleaning_changes_nothing),
		cmocka_unit_test(every_pair_of_bytes_becomes_clean),
		cmocka_unit_test(zero_byte_is_a_control_character),
		cmocka_unit_test(a_control_character_is_found_wherever_it_stands),
		cmocka_unit_test(wide_characters_take_two_columns_and_combining_none),
		cmocka_unit_test(prefix_never_cuts_a_character),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
