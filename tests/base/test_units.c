/* test_units.c - numbers as people write them, exact where they are added up */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

static void expect_weight(const char *s, const char *shown)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	weight w;

	if (!weight_parse(s, strlen(s), &w))
		fail_msg("'%s' was refused", s);
	weight_add(&text, w);
	if (strcmp(text_string(&text), shown) != 0)
		fail_msg("'%s' is %s, expected %s", s, text_string(&text), shown);
}

static void whole_numbers_are_weights(void **state)
{
	(void)state;
	expect_weight("0", "0");
	expect_weight("7", "7");
	expect_weight("007", "7");
	expect_weight("4294967296", "4294967296");
	expect_weight("18446744073709551615", "18446744073709551615");
}

static void decimals_are_kept_to_nine_digits(void **state)
{
	(void)state;
	expect_weight("0.5", "0.5");
	expect_weight("12.50", "12.5");
	expect_weight(".25", "0.25");
	expect_weight("3.", "3");
	expect_weight("1.000000001", "1.000000001");
	expect_weight("0.123456789", "0.123456789");
}

static void what_is_finer_than_a_billionth_is_rounded(void **state)
{
	(void)state;
	expect_weight("0.1234567894", "0.123456789");
	expect_weight("0.1234567895", "0.12345679");
	expect_weight("0.0000000004", "0");
	expect_weight("0.0000000005", "0.000000001");
	expect_weight("0.9999999999", "1");
	expect_weight("0.00000000009", "0");
}

static void exponents_move_the_point(void **state)
{
	(void)state;
	expect_weight("1e3", "1000");
	expect_weight("1.5E+2", "150");
	expect_weight("25e-1", "2.5");
	expect_weight("1e-9", "0.000000001");
	expect_weight("5e-10", "0.000000001");
	expect_weight("4e-10", "0");
	expect_weight("0.000000001e9", "1");
	expect_weight("1e-99999999999999999999", "0");
	expect_weight("0e99999", "0");
	expect_weight("100000000000000000000000e-20", "1000");
}

static void too_large_a_weight_is_refused(void **state)
{
	static const char *const wrong[] = {"18446744073709551616", "1e20", "1e99999999999",
					    "99999999999999999999999999999999999999999999", "2e19"};
	weight w = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(wrong); i++)
		if (weight_parse(wrong[i], strlen(wrong[i]), &w))
			fail_msg("'%s' was taken", wrong[i]);
	assert_true(w == 42);
}

static void what_is_no_number_is_no_weight(void **state)
{
	static const char *const wrong[] = {
		"",   "-1",    "+1",  ".",   "e3",  "1e",  "1e+",   "0x1",  "1,5", "1 ",
		" 1", "1.2.3", "inf", "nan", "NaN", "12a", "1e3.5", "1e 3", "--1", "\xd9\xa1"};
	weight w = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(wrong); i++)
		if (weight_parse(wrong[i], strlen(wrong[i]), &w))
			fail_msg("'%s' was taken", wrong[i]);
	assert_true(w == 42);
}

static void sums_go_beyond_64_bits(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	weight sum = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		sum += weight_of(UINT64_MAX);
	weight_add(&text, sum);
	assert_string_equal(text_string(&text), "18446744073709551615000");
	text_clear(&text);
	weight_add(&text, sum + WEIGHT_ONE / 2);
	assert_string_equal(text_string(&text), "18446744073709551615000.5");
}

static void grouped_weight_has_commas_between_thousands(void **state)
{
	static const struct {
		uint64_t number;
		const char *shown;
	} cases[] = {{0, "0"},		{999, "999"},		{1000, "1,000"},
		     {12345, "12,345"}, {1234567, "1,234,567"}, {100000, "100,000"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		weight_add_grouped(&text, weight_of(cases[i].number));
		assert_string_equal(text_string(&text), cases[i].shown);
	}
}

static void share_of_nothing_is_nothing(void **state)
{
	(void)state;
	assert_true(weight_share(0, 0) == 0);
	assert_true(weight_share(weight_of(1), weight_of(4)) == 0.25);
	assert_true(weight_number(weight_of(3) + WEIGHT_ONE / 2) == 3.5);
}

static void times_for_people_have_four_digits(void **state)
{
	static const struct {
		uint64_t ns;
		const char *shown;
	} cases[] = {{0, "0 ns"},
		     {999, "999 ns"},
		     {1000, "1.000 us"},
		     {12345, "12.35 us"},
		     {999949, "999.9 us"},
		     {999999, "1.000 ms"},
		     {1234567, "1.235 ms"},
		     {1234567890, "1.235 s"},
		     {UINT64_C(5000) * 1000000000, "5000 s"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		units_add_time(&text, weight_of(cases[i].ns));
		if (strcmp(text_string(&text), cases[i].shown) != 0)
			fail_msg("%llu ns is '%s', expected '%s'", (unsigned long long)cases[i].ns,
				 text_string(&text), cases[i].shown);
	}
}

/* What printf makes of the same number, at and about the middle between two roundings too. */
static void times_are_rounded_as_printf_does(void **state)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;
		char expected[64];
		uint64_t ns = (seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407) >>
			      (i % 60 + 2);
		double value;
		int unit = 0;

		if (i % 3 == 0)
			ns = ns / 1000 * 1000 + 500;
		for (value = weight_number(weight_of(ns)); value >= 999.95 && unit < 3; unit++)
			value /= 1000;
		snprintf(expected, sizeof(expected), "%.*f %s",
			 !unit || value >= 1000 ? 0
			 : value >= 100		? 1
			 : value >= 10		? 2
						: 3,
			 value, units[unit]);
		units_add_time(&text, weight_of(ns));
		assert_string_equal(text_string(&text), expected);
	}
}

static void seconds_have_all_nine_digits(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	units_add_seconds(&text, UINT64_C(701467456358));
	text_add_char(&text, ' ');
	units_add_seconds(&text, 5);
	assert_string_equal(text_string(&text), "701.467456358 0.000000005");
}

static void percent_has_the_digits_asked_for(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	units_add_percent(&text, 1.0 / 3, 2);
	text_add_char(&text, ' ');
	units_add_percent(&text, 1, 0);
	assert_string_equal(text_string(&text), "33.33 % 100 %");
}

static void times_are_read_to_the_nanosecond(void **state)
{
	static const struct {
		const char *s;
		uint64_t ns;
	} cases[] = {{"12.5", UINT64_C(12500000000)},
		     {"0", 0},
		     {"250ms", 250000000},
		     {"3us", 3000},
		     {"7ns", 7},
		     {"2s", UINT64_C(2000000000)},
		     {"1m", UINT64_C(60000000000)},
		     {"1.5m", UINT64_C(90000000000)},
		     {"701.467456358", UINT64_C(701467456358)},
		     {"0.000000001", 1},
		     {"1e3us", 1000000},
		     {"123456789.123456789", UINT64_C(123456789123456789)},
		     {"18446744073.709551615", UINT64_MAX}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		uint64_t ns = 42;

		if (!units_parse_time(cases[i].s, strlen(cases[i].s), &ns) || ns != cases[i].ns)
			fail_msg("'%s' is %llu ns", cases[i].s, (unsigned long long)ns);
	}
}

static void what_is_no_time_is_refused(void **state)
{
	static const char *const wrong[] = {"",	    "s",    "ms", "12h",  "-1",
					    "1 s",  "1sec", "+",  "1us2", "18446744073.709551616",
					    "1e19", "abc"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(wrong); i++) {
		uint64_t ns = 42;

		if (units_parse_time(wrong[i], strlen(wrong[i]), &ns) || ns != 42)
			fail_msg("'%s' was taken", wrong[i]);
	}
}

static void whole_numbers_up_to_64_bits_are_read(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_true(units_parse_u64("18446744073709551615", 20, &number));
	assert_true(number == UINT64_MAX);
	assert_true(units_parse_u64("0012", 4, &number));
	assert_int_equal(number, 12);
	assert_true(units_parse_u64("129", 2, &number));
	assert_int_equal(number, 12);
	assert_false(units_parse_u64("18446744073709551616", 20, &number));
	assert_false(units_parse_u64("", 0, &number));
	assert_false(units_parse_u64("-1", 2, &number));
	assert_false(units_parse_u64("1a", 2, &number));
	assert_int_equal(number, 12);
}

static void expect_read(const char *s, weight expected)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	weight w = 7;

	if (!weight_read(s, strlen(s), &w))
		fail_msg("'%s' was refused", s);
	assert_true(w == expected);
	weight_add(&text, w);
	assert_string_equal(text_string(&text), s);
}

static void weights_of_any_size_are_read_again(void **state)
{
	(void)state;
	expect_read("0", 0);
	expect_read("1", WEIGHT_ONE);
	expect_read("0.25", WEIGHT_ONE / 4);
	expect_read("0.000000001", 1);
	expect_read("18446744073709551615", weight_of(UINT64_MAX));
	expect_read("18446744073709551616", weight_of(UINT64_MAX) + WEIGHT_ONE);
	expect_read("340282366920938463463374607431.768211455", ~(weight)0);
	expect_read("340282366920938463463374607430",
		    ~(weight)0 / WEIGHT_ONE * WEIGHT_ONE - WEIGHT_ONE);
}

static void what_weight_add_does_not_write_is_not_read(void **state)
{
	static const char *const texts[] = {"",
					    ".5",
					    "1.",
					    "-1",
					    "+1",
					    " 1",
					    "1 ",
					    "1e3",
					    "1,000",
					    "0x1",
					    "1.x",
					    "1..",
					    "1.5.",
					    "0.0000000001",
					    "340282366920938463463374607431.768211456",
					    "340282366920938463463374607432",
					    "3402823669209384634633746074317682114560",
					    "99999999999999999999999999999999999999999999"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++) {
		weight w = 7;

		if (weight_read(texts[i], strlen(texts[i]), &w))
			fail_msg("'%s' was read", texts[i]);
		assert_true(w == 7);
	}
	assert_false(weight_read("12", 0, &(weight){0}));
}

static void a_unit_of_time_has_nanoseconds(void **state)
{
	(void)state;
	assert_true(units_ns_of("ns") == 1 && units_ns_of("us") == 1e3);
	assert_true(units_ns_of("ms") == 1e6 && units_ns_of("s") == 1e9);
	assert_true(units_ns_of("") == 0 && units_ns_of("KiB") == 0 && units_ns_of("sec") == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_weights),
		cmocka_unit_test(decimals_are_kept_to_nine_digits),
		cmocka_unit_test(what_is_finer_than_a_billionth_is_rounded),
		cmocka_unit_test(exponents_move_the_point),
		cmocka_unit_test(too_large_a_weight_is_refused),
		cmocka_unit_test(what_is_no_number_is_no_weight),
		cmocka_unit_test(sums_go_beyond_64_bits),
		cmocka_unit_test(grouped_weight_has_commas_between_thousands),
		cmocka_unit_test(share_of_nothing_is_nothing),
		cmocka_unit_test(times_for_people_have_four_digits),
		cmocka_unit_test(times_are_rounded_as_printf_does),
		cmocka_unit_test(seconds_have_all_nine_digits),
		cmocka_unit_test(percent_has_the_digits_asked_for),
		cmocka_unit_test(times_are_read_to_the_nanosecond),
		cmocka_unit_test(what_is_no_time_is_refused),
		cmocka_unit_test(whole_numbers_up_to_64_bits_are_read),
		cmocka_unit_test(weights_of_any_size_are_read_again),
		cmocka_unit_test(what_weight_add_does_not_write_is_not_read),
		cmocka_unit_test(a_unit_of_time_has_nanoseconds),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
