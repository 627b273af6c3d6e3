/* test_change.c - is there a change in a series? */
#include "tests/test.h"

#include <math.h>

#include "analysis/change.h"
#include "base/mem.h"

#define NR 100

/* No change by itself: 0, 2, 1 and so on. */
static void fill(double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		values[i] = (double)(i * 7 % 11);
}

static void step_is_found_where_it_is(void **state)
{
	double values[NR];
	struct change change;

	(void)state;
	fill(values, NR);
	for (size_t i = 60; i < NR; i++)
		values[i] += 40;
	change_test(values, NR, 1, &change);
	assert_true(change.is_changed);
	assert_int_equal(change.begin, 60);
	assert_int_equal(change.end, NR);
}

static void stretch_that_comes_back_is_found_with_both_ends(void **state)
{
	double values[NR];
	struct change change;

	(void)state;
	fill(values, NR);
	for (size_t i = 50; i < 70; i++)
		values[i] -= 40;
	change_test(values, NR, 1, &change);
	assert_true(change.is_changed);
	assert_int_equal(change.begin, 50);
	assert_int_equal(change.end, 70);
}

static void same_seed_gives_the_same_answer(void **state)
{
	double values[NR];
	struct change a, b;

	(void)state;
	fill(values, NR);
	for (size_t i = 60; i < NR; i++)
		values[i] += 2;
	change_test(values, NR, 7, &a);
	change_test(values, NR, 7, &b);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void constant_values_are_no_change(void **state)
{
	double values[NR] = {0};
	struct change change;

	(void)state;
	change_test(values, NR, 1, &change);
	assert_false(change.is_changed);
	assert_true(change.p == 1);
}

static void one_spike_is_no_change(void **state)
{
	double values[NR] = {0};
	struct change change;

	(void)state;
	values[57] = 1000;
	change_test(values, NR, 1, &change);
	assert_false(change.is_changed);
}

static void values_that_are_not_known_are_left_out(void **state)
{
	double values[NR];
	struct change change;

	(void)state;
	fill(values, NR);
	for (size_t i = 60; i < NR; i++)
		values[i] += 40;
	for (size_t i = 0; i < NR; i += 3)
		values[i] = NAN;
	change_test(values, NR, 1, &change);
	assert_true(change.is_changed);
	assert_in_range(change.begin, 60, 62);
	for (size_t i = 0; i < NR; i++)
		values[i] = NAN;
	change_test(values, NR, 1, &change);
	assert_false(change.is_changed);
}

static void a_long_series_is_tested_in_groups(void **state)
{
	size_t nr = 36000;
	double *values = mem_alloc(nr * sizeof(*values));
	struct change change;

	(void)state;
	fill(values, nr);
	for (size_t i = 20000; i < nr; i++)
		values[i] += 3;
	change_test(values, nr, 1, &change);
	free(values);
	assert_true(change.is_changed);
	assert_in_range(change.begin, 19940, 20060);
}

static void few_values_are_never_a_change(void **state)
{
	static const double values[] = {0, 0, 0, 0, 9, 9, 9};
	struct change change;

	(void)state;
	change_test(values, ARRAY_NR(values), 1, &change);
	assert_false(change.is_changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_is_found_where_it_is),
		cmocka_unit_test(stretch_that_comes_back_is_found_with_both_ends),
		cmocka_unit_test(same_seed_gives_the_same_answer),
		cmocka_unit_test(constant_values_are_no_change),
		cmocka_unit_test(one_spike_is_no_change),
		cmocka_unit_test(values_that_are_not_known_are_left_out),
		cmocka_unit_test(a_long_series_is_tested_in_groups),
		cmocka_unit_test(few_values_are_never_a_change),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
