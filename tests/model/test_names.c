/* test_names.c - each name once: raw bytes are its identity, a display form is for people */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "model/names.h"

static void same_bytes_have_the_same_id(void **state)
{
	CLEANUP(names_release) struct names names = {0};

	(void)state;
	assert_int_equal(names_add_string(&names, "main"), 0);
	assert_int_equal(names_add(&names, "run", 3), 1);
	assert_int_equal(names_add(&names, "mainly", 4), 0);
	assert_int_equal(names.nr, 2);
}

static void empty_name_is_a_name(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	uint32_t id;

	(void)state;
	id = names_add(&names, "", 0);
	assert_int_equal(id, names_add_string(&names, ""));
	assert_string_equal(names_display(&names, id), "");
}

static void bytes_that_are_not_utf8_are_kept_and_shown_clean(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	uint32_t id;

	(void)state;
	id = names_add_string(&names, "caf\xe9\n");
	assert_string_equal(names_get(&names, id)->bytes, "caf\xe9\n");
	assert_int_equal(names_get(&names, id)->size, 5);
	assert_string_equal(names_display(&names, id), "caf\xef\xbf\xbd\xef\xbf\xbd");
}

static void clean_name_is_shown_as_it_is(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	uint32_t id = names_add_string(&names, "größe");

	(void)state;
	assert_ptr_equal(names_display(&names, id), names_get(&names, id)->bytes);
}

static void two_names_that_are_shown_alike_stay_two(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	uint32_t a, b;

	(void)state;
	a = names_add_string(&names, "x\xfe");
	b = names_add_string(&names, "x\xff");
	assert_int_not_equal(a, b);
	assert_string_equal(names_display(&names, a), names_display(&names, b));
}

static void bytes_stay_where_they_are(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	const char *first;
	char name[64];

	(void)state;
	names_add_string(&names, "first");
	first = names_get(&names, 0)->bytes;
	for (int i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		assert_int_equal(names_add_string(&names, name), i + 1);
	}
	assert_ptr_equal(names_get(&names, 0)->bytes, first);
	assert_string_equal(first, "first");
	assert_string_equal(names_get(&names, 100000)->bytes, "name 99999");
}

static void longest_name_is_whole_and_a_longer_one_says_its_length(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	char *bytes = mem_alloc(NAME_SIZE_MAX + 10);
	const struct name *name;

	(void)state;
	memset(bytes, 'a', NAME_SIZE_MAX + 10);
	name = names_get(&names, names_add(&names, bytes, NAME_SIZE_MAX));
	assert_int_equal(name->size, NAME_SIZE_MAX);
	name = names_get(&names, names_add(&names, bytes, NAME_SIZE_MAX + 10));
	assert_string_equal(name->bytes + NAME_SIZE_MAX, "[cut, 1048586 bytes]");
	assert_int_equal(names.nr, 2);
	free(bytes);
}

static void order_is_that_of_the_bytes(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	static const char *const sorted[] = {"",    "A", "B",	     "a",   "ab",
					     "abc", "b", "\xc3\xa4", "\xff"};
	uint32_t *ranks;

	(void)state;
	for (size_t i = ARRAY_NR(sorted); i--;)
		names_add_string(&names, sorted[i]);
	ranks = names_ranks(&names);
	for (uint32_t i = 0; i < ARRAY_NR(sorted); i++) {
		assert_int_equal(ranks[i], ARRAY_NR(sorted) - 1 - i);
		for (uint32_t j = 0; j < ARRAY_NR(sorted); j++)
			assert_int_equal(names_compare(&names, i, j) < 0, ranks[i] < ranks[j]);
	}
	assert_int_equal(names_compare(&names, 3, 3), 0);
	free(ranks);
}

/* Names are ranked by their first 8 bytes before the others are looked at. */
static void order_is_that_of_the_bytes_behind_the_eighth_too(void **state)
{
	static const struct {
		const char *at;
		size_t size;
	} sorted[] = {
		{"", 0},
		{"\0", 1},
		{"\0\0", 2},
		{"a", 1},
		{"a\0", 2},
		{"a\0b", 3},
		{"std::vec", 8},
		{"std::vec\0", 9},
		{"std::veca", 9},
		{"std::vecab", 10},
		{"std::vecb", 9},
		{"std::vector", 11},
		{"\x7f", 1},
		{"\xc3\xa4", 2},
		{"\xff\xff\xff\xff\xff\xff\xff\xff", 8},
	};
	CLEANUP(names_release) struct names names = {0};
	uint32_t *ranks;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(sorted); i++)
		names_add(&names, sorted[i * 7 % ARRAY_NR(sorted)].at,
			  sorted[i * 7 % ARRAY_NR(sorted)].size);
	assert_int_equal(names.nr, ARRAY_NR(sorted));
	ranks = names_ranks(&names);
	for (uint32_t i = 0; i < ARRAY_NR(sorted); i++)
		assert_int_equal(ranks[i], i * 7 % ARRAY_NR(sorted));
	free(ranks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_have_the_same_id),
		cmocka_unit_test(empty_name_is_a_name),
		cmocka_unit_test(bytes_that_are_not_utf8_are_kept_and_shown_clean),
		cmocka_unit_test(clean_name_is_shown_as_it_is),
		cmocka_unit_test(two_names_that_are_shown_alike_stay_two),
		cmocka_unit_test(bytes_stay_where_they_are),
		cmocka_unit_test(longest_name_is_whole_and_a_longer_one_says_its_length),
		cmocka_unit_test(order_is_that_of_the_bytes),
		cmocka_unit_test(order_is_that_of_the_bytes_behind_the_eighth_too),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
