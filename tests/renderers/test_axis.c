/* test_axis.c - round steps and short numbers along an axis */
#include "tests/test.h"

#include "renderers/axis.h"

static void steps_are_one_two_or_five(void **state)
{
	static const double pairs[][2] = {{0.9, 1},  {1, 1},	   {1.1, 2},	 {2.1, 5},
					  {5.1, 10}, {0.03, 0.05}, {1234, 2000}, {0, 1e-9}};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_float_equal(axis_step(pairs[i][0]), pairs[i][1], pairs[i][1] * 1e-9);
}

static void times_of_an_axis_have_one_unit(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	axis_time(text, 2, 0.5);
	assert_string_equal(text, "2000 ms");
	axis_time(text, 1.5, 1);
	assert_string_equal(text, "1.5 s");
	axis_time(text, 0, 2e-6);
	assert_string_equal(text, "0 us");
}

static void counts_are_short(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	axis_count(text, 999);
	assert_string_equal(text, "999");
	axis_count(text, 1500);
	assert_string_equal(text, "1.5k");
	axis_count(text, 2e9);
	assert_string_equal(text, "2G");
	axis_bytes(text, 1536);
	assert_string_equal(text, "1.5 KiB");
	axis_bytes(text, 100);
	assert_string_equal(text, "100 B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_one_two_or_five),
		cmocka_unit_test(times_of_an_axis_have_one_unit),
		cmocka_unit_test(counts_are_short),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
