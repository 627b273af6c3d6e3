/* test_decimal.c - numbers of counters are read and written without a loss */
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/text.h"

static const char *written(const char *s)
{
	static struct text text;
	struct decimal number;

	text_clear(&text);
	if (!decimal_parse(s, strlen(s), &number))
		return "none";
	decimal_add(&text, number);
	return text_string(&text);
}

static void numbers_are_written_as_they_were(void **state)
{
	static const char *const same[] = {"0",
					   "7",
					   "-1",
					   "123456789012345678",
					   "9223372036854775807",
					   "-9223372036854775807",
					   "1796007303000913782",
					   "0.442002899",
					   "500.05263157894734",
					   "-0.5",
					   "0.000000000000000000000001"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(same); i++)
		assert_string_equal(written(same[i]), same[i]);
}

static void each_number_has_one_form(void **state)
{
	static const char *const pairs[][2] = {
		{"1.50", "1.5"},
		{"+3", "3"},
		{"0.00", "0"},
		{"-0", "0"},
		{"0e9", "0"},
		{"007", "7"},
		{".5", "0.5"},
		{"5.", "5"},
		{"1e3", "1e3"},
		{"1.5e-12", "0.0000000000015"},
		{"2.5E+2", "25e1"},
		{"1e-30", "1e-30"},
		{"18446744073709551615", "1844674407370955162e1"},
		{"0.12345678901234567895", "0.123456789012345679"},
		{"9223372036854775808", "922337203685477581e1"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(pairs); i++)
		assert_string_equal(written(pairs[i][0]), pairs[i][1]);
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const none[] = {"",	    "-",   "+",	    ".",	 "e5",	 "1e",
					   "1e+",   "1 ",  " 1",    "1,5",	 "0x10", "nan",
					   "1.2.3", "--1", "1e401", "1e9999999", "1_000"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(none); i++)
		assert_string_equal(written(none[i]), "none");
}

static void doubles_go_there_and_back(void **state)
{
	const double numbers[] = {0,	   1,	     -2.5,    1.0 / 3, 1e15,   123456789.125,
				  DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324,  2e-310, 9007199254740993.0};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(numbers); i++)
		assert_true(decimal_number(decimal_of_number(numbers[i])) == numbers[i]);
	srandom(7);
	for (int i = 0; i < 20000; i++) {
		double number =
			ldexp((double)random() - (double)(1 << 30), (int)(random() % 200) - 100);

		assert_true(decimal_number(decimal_of_number(number)) == number);
	}
}

static struct decimal of(const char *s)
{
	struct decimal number;

	assert_true(decimal_parse(s, strlen(s), &number));
	return number;
}

static void differences_of_large_counters_are_exact(void **state)
{
	(void)state;
	assert_true(decimal_difference(of("9007199254740995"), of("9007199254740993")) == 2);
	assert_true(decimal_difference(of("1796007303000913782"), of("1796007303000913781")) == 1);
	assert_true(decimal_difference(of("2.5"), of("1")) == 1.5);
	assert_true(decimal_difference(of("9223372036854775807"), of("-9223372036854775807")) ==
		    18446744073709551614.0);
	assert_int_equal(decimal_compare(of("9007199254740993"), of("9007199254740992")), 1);
	assert_int_equal(decimal_compare(of("0.1"), of("0.10")), 0);
	assert_int_equal(decimal_compare(of("-1"), of("0.5")), -1);
	assert_int_equal(decimal_scaled(of("150"), -2).digits, 15);
	assert_int_equal(decimal_scaled(of("0"), -2).scale, 0);
	assert_true(decimal_number(decimal_scaled(of("1.5"), 3)) == 1500);
}

static void seconds_become_nanoseconds(void **state)
{
	int64_t ns;

	(void)state;
	assert_true(decimal_shifted(of("1796007426.107"), 9, &ns) && ns == 1796007426107000000);
	assert_true(decimal_shifted(of("0.0000000005"), 9, &ns) && ns == 1);
	assert_true(decimal_shifted(of("-0.0000000005"), 9, &ns) && ns == -1);
	assert_true(decimal_shifted(of("0.0000000004"), 9, &ns) && ns == 0);
	assert_true(decimal_shifted(of("1e-30"), 9, &ns) && ns == 0);
	assert_false(decimal_shifted(of("9300000000"), 9, &ns));
	assert_false(decimal_shifted(of("1e300"), 9, &ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_written_as_they_were),
		cmocka_unit_test(each_number_has_one_form),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(doubles_go_there_and_back),
		cmocka_unit_test(differences_of_large_counters_are_exact),
		cmocka_unit_test(seconds_become_nanoseconds),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
