/* test_amounts.c - points of counters become amounts in times, and nothing is made up between them
 */
#include "tests/test.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/amounts.h"
#include "analysis/queue_check.h"
#include "base/mem.h"
#include "base/text.h"

#define S UINT64_C(1000000000)

static void hear(struct amounts *amounts, enum series_kind kind, const struct point *points,
		 size_t nr)
{
	amounts_init(amounts, kind);
	for (size_t i = 0; i < nr; i++)
		assert_null(sink_point(&amounts->sink, 0, &points[i]));
}

/* "begin..end value\n", in seconds. */
static void says(enum series_kind kind, const struct point *points, size_t nr, const char *expected)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct amounts amounts;

	hear(&amounts, kind, points, nr);
	for (size_t i = 0; i < amounts.nr; i++)
		text_addf(&text, "%g..%g %g\n", (double)amounts.list[i].begin_ns / 1e9,
			  (double)amounts.list[i].end_ns / 1e9, amounts.list[i].value);
	assert_string_equal(text_string(&text), expected);
	amounts_release(&amounts);
}

static void totals_become_differences(void **state)
{
	const struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {10, 0}},
		{.begin_ns = 2 * S, .end_ns = 2 * S, .value = {15, 0}},
		{.begin_ns = 3 * S, .end_ns = 3 * S, .state = POINT_GAP},
		{.begin_ns = 4 * S, .end_ns = 4 * S, .value = {25, 0}}, /* over the gap, too */
		{.begin_ns = 5 * S, .end_ns = 5 * S, .value = {3, 0}, .state = POINT_RESET},
		{.begin_ns = 6 * S, .end_ns = 6 * S, .value = {7, 0}},
	};

	(void)state;
	says(SERIES_CUMULATIVE, points, ARRAY_NR(points), "1..2 5\n2..4 10\n5..6 4\n");
}

static void large_totals_lose_nothing(void **state)
{
	const struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {INT64_C(9007199254740993), 0}},
		{.begin_ns = 2 * S, .end_ns = 2 * S, .value = {INT64_C(9007199254740994), 0}},
	};

	(void)state;
	says(SERIES_CUMULATIVE, points, ARRAY_NR(points), "1..2 1\n");
}

static void a_gauge_holds_until_its_next_point(void **state)
{
	const struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {10, 0}},
		{.begin_ns = 3 * S, .end_ns = 3 * S, .value = {4, 0}},
		{.begin_ns = 4 * S, .end_ns = 4 * S, .state = POINT_NAN},
		{.begin_ns = 5 * S, .end_ns = 5 * S, .value = {6, 0}},
		{.begin_ns = 6 * S, .end_ns = 6 * S, .value = {8, 0}},
	};

	(void)state;
	says(SERIES_GAUGE, points, ARRAY_NR(points), "1..3 20\n3..4 4\n5..6 6\n");
}

static void deltas_and_rates_have_times_of_their_own(void **state)
{
	const struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {10, 0}}, /* of a time not known */
		{.begin_ns = 1 * S, .end_ns = 3 * S, .value = {10, 0}},
		{.begin_ns = 3 * S, .end_ns = 5 * S, .state = POINT_NOT_COUNTED},
		{.begin_ns = 5 * S, .end_ns = 7 * S, .value = {15, 1}},
	};

	(void)state;
	says(SERIES_DELTA, points, ARRAY_NR(points), "1..3 10\n5..7 1.5\n");
	says(SERIES_RATE, points, ARRAY_NR(points), "1..3 20\n5..7 3\n");
}

static void what_is_between_is_taken_as_even(void **state)
{
	const struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {0, 0}},
		{.begin_ns = 2 * S, .end_ns = 2 * S, .value = {10, 0}},
		{.begin_ns = 3 * S, .end_ns = 3 * S, .value = {40, 0}},
		{.begin_ns = 4 * S, .end_ns = 4 * S, .value = {1, 0}, .state = POINT_RESET},
		{.begin_ns = 5 * S, .end_ns = 5 * S, .value = {2, 0}},
	};
	struct amounts amounts;
	size_t hint = 0;
	double sum;

	(void)state;
	hear(&amounts, SERIES_CUMULATIVE, points, ARRAY_NR(points));
	assert_true(amounts_between(&amounts, 1 * S, 3 * S, &hint, &sum) && sum == 40);
	assert_true(amounts_between(&amounts, 3 * S / 2, 5 * S / 2, &hint, &sum) && sum == 20);
	assert_true(amounts_between(&amounts, 5 * S / 2, 5 * S / 2, &hint, &sum) && sum == 0);
	assert_true(amounts_between(&amounts, 4 * S, 5 * S, &hint, &sum) && sum == 1);
	/* before, behind, and over the reset */
	assert_false(amounts_between(&amounts, 0, 2 * S, &hint, &sum));
	assert_false(amounts_between(&amounts, 4 * S, 6 * S, &hint, &sum));
	assert_false(amounts_between(&amounts, 2 * S, 5 * S, &hint, &sum));
	amounts_release(&amounts);
}

static void an_age_grows_a_second_a_second(void **state)
{
	struct point points[] = {
		{.begin_ns = 1 * S, .end_ns = 1 * S, .value = {0, 0}},
		{.begin_ns = 2 * S, .end_ns = 2 * S, .value = {1000, 0}},
		{.begin_ns = 3 * S, .end_ns = 3 * S, .value = {2000, 0}},
		{.begin_ns = 4 * S, .end_ns = 4 * S, .value = {0, 0}},
	};
	struct amounts amounts;

	(void)state;
	hear(&amounts, SERIES_GAUGE, points, ARRAY_NR(points));
	assert_true(queue_check_age(&amounts, 1e-3) == 1);
	assert_true(queue_check_age(&amounts, 1) > QUEUE_CHECK_AGE_MOST);
	amounts_release(&amounts);
}

static void little_tells_columns_of_another_queue(void **state)
{
	(void)state;
	assert_int_equal(queue_check_little(117.6, 117.3), QUEUE_FITS);
	assert_int_equal(queue_check_little(117.6, 11.7), QUEUE_DOES_NOT_FIT);
	assert_int_equal(queue_check_little(5, 117), QUEUE_DOES_NOT_FIT);
	assert_int_equal(queue_check_little(0, 0.001), QUEUE_TOO_SMALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_become_differences),
		cmocka_unit_test(large_totals_lose_nothing),
		cmocka_unit_test(a_gauge_holds_until_its_next_point),
		cmocka_unit_test(deltas_and_rates_have_times_of_their_own),
		cmocka_unit_test(what_is_between_is_taken_as_even),
		cmocka_unit_test(an_age_grows_a_second_a_second),
		cmocka_unit_test(little_tells_columns_of_another_queue),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
