/* test_milestone.c - what can be said of the order of two intervals */
#include "tests/test.h"

#include "analysis/milestone.h"

static void earlier_interval_precedes(void **state)
{
	struct milestone a = {.role = "a", .after_ns = 10, .until_ns = 20};
	struct milestone b = {.role = "b", .after_ns = 21, .until_ns = 30};

	(void)state;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_PRECEDES);
	assert_int_equal(milestone_relate(&b, &a), MILESTONE_NOT_SEPARABLE);
}

static void intervals_that_touch_or_overlap_are_not_separable(void **state)
{
	struct milestone a = {.role = "a", .after_ns = 10, .until_ns = 20};
	struct milestone b = {.role = "b", .after_ns = 20, .until_ns = 30};
	struct milestone c = {.role = "c", .after_ns = 0, .until_ns = 40};

	(void)state;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_NOT_SEPARABLE);
	assert_int_equal(milestone_relate(&a, &c), MILESTONE_NOT_SEPARABLE);
	assert_int_equal(milestone_relate(&c, &b), MILESTONE_NOT_SEPARABLE);
}

static void errors_of_different_clocks_add_up_and_of_one_do_not(void **state)
{
	struct milestone a = {.role = "a", .after_ns = 10, .until_ns = 20, .error_ns = 3};
	struct milestone b = {
		.role = "b", .clock = 1, .after_ns = 25, .until_ns = 30, .error_ns = 2};

	(void)state;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_NOT_SEPARABLE);
	b.error_ns = 1;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_PRECEDES);
	b.error_ns = 2;
	b.clock = 0;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_PRECEDES);
	b.clock = 1;
	a.until_ns = UINT64_MAX;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_NOT_SEPARABLE);
}

static void clock_that_nothing_ties_is_ordered_with_none(void **state)
{
	struct milestone a = {.role = "a", .after_ns = 10, .until_ns = 20};
	struct milestone b = {.role = "b", .after_ns = 2500, .until_ns = 3000};

	(void)state;
	b.has_unknown_clock = true;
	b.clock = 1;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_NOT_SEPARABLE);
	b.clock = 0;
	assert_int_equal(milestone_relate(&a, &b), MILESTONE_PRECEDES);
}

static void order_is_by_end_begin_role_and_what(void **state)
{
	struct milestone list[] = {
		{.role = "b", .after_ns = 5, .until_ns = 20},
		{.role = "a", .what = MILESTONE_SATURATION, .after_ns = 5, .until_ns = 20},
		{.role = "a", .after_ns = 5, .until_ns = 20},
		{.role = "c", .after_ns = 1, .until_ns = 20},
		{.role = "z", .after_ns = 9, .until_ns = 10},
	};

	(void)state;
	milestones_sort(list, 5);
	assert_string_equal(list[0].role, "z");
	assert_string_equal(list[1].role, "c");
	assert_int_equal(list[2].what, MILESTONE_ONSET);
	assert_int_equal(list[3].what, MILESTONE_SATURATION);
	assert_string_equal(list[4].role, "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earlier_interval_precedes),
		cmocka_unit_test(intervals_that_touch_or_overlap_are_not_separable),
		cmocka_unit_test(errors_of_different_clocks_add_up_and_of_one_do_not),
		cmocka_unit_test(clock_that_nothing_ties_is_ordered_with_none),
		cmocka_unit_test(order_is_by_end_begin_role_and_what),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
