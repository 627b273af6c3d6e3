/* test_width.c - the least width of a frame becomes the least weight that is shown */
#include "tests/test.h"

#include "base/mem.h"
#include "commands/width.h"

static weight least(const char *s, double width_px, weight total)
{
	weight value = 0;

	assert_null(width_least("--min-width", s, width_px, total, &value));
	return value;
}

static void percentages_are_of_the_total(void **state)
{
	(void)state;
	assert_true(least("1%", 0, weight_of(300)) == weight_of(3));
	assert_true(least("0.5%", 1200, weight_of(1000)) == weight_of(5));
	assert_true(least("100%", 0, weight_of(7)) == weight_of(7));
	assert_true(least("0%", 0, weight_of(7)) == 0);
}

static void pixels_are_of_the_picture(void **state)
{
	(void)state;
	assert_true(least("0.5", 100, weight_of(200)) == weight_of(1));
	assert_true(least("100", 100, weight_of(200)) == weight_of(200));
	assert_true(least("0", 100, weight_of(200)) == 0);
}

static void part_of_a_unit_is_rounded_up(void **state)
{
	(void)state;
	assert_true(least("50%", 0, 1) == 1);
	assert_true(least("50%", 0, 3) == 2);
	assert_true(least("33%", 0, 100) == 33);
}

static void largest_weights_do_not_overflow(void **state)
{
	const weight most = ~(weight)0;

	(void)state;
	assert_true(least("100%", 0, most) == most);
	assert_true(least("50%", 0, most) == most / 2 + 1);
}

static void other_words_are_refused_with_what_is_taken(void **state)
{
	static const struct {
		const char *s;
		double width_px;
		const char *message;
	} cases[] = {
		{"3", 0, "--min-width takes a percentage such as 1%, not '3'"},
		{"x%", 0, "--min-width takes pixels or a percentage (0.5, 1%), not 'x%'"},
		{"101%", 0, "--min-width takes pixels or a percentage (0.5, 1%), not '101%'"},
		{"", 100, "--min-width takes pixels or a percentage (0.5, 1%), not ''"},
		{"%", 100, "--min-width takes pixels or a percentage (0.5, 1%), not '%'"},
		{"-1", 100, "--min-width takes pixels or a percentage (0.5, 1%), not '-1'"},
		{"101", 100, "--min-width takes pixels or a percentage (0.5, 1%), not '101'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		weight value = 42;
		struct error *err = width_least("--min-width", cases[i].s, cases[i].width_px,
						weight_of(100), &value);

		assert_non_null(err);
		assert_string_equal(error_text(err), cases[i].message);
		assert_int_equal(error_kind(err), ERROR_USAGE);
		assert_true(value == 42);
		error_free(err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentages_are_of_the_total),
		cmocka_unit_test(pixels_are_of_the_picture),
		cmocka_unit_test(part_of_a_unit_is_rounded_up),
		cmocka_unit_test(largest_weights_do_not_overflow),
		cmocka_unit_test(other_words_are_refused_with_what_is_taken),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
