/* test_clock_pairs.c - rows of two clocks become few ties, and each holds all of its rows */
#include "tests/test.h"

#include "base/mem.h"
#include "model/clock_pairs.h"

#define MS     UINT64_C(1000000)
#define SECOND (1000 * MS)
#define WALL   (UINT64_C(1796007700) * SECOND)

/* All rows that were added lie in the tie that is nearest to them. */
static void assert_holds(const struct clock_ties *ties, uint64_t source_ns, uint64_t wall_ns)
{
	for (size_t i = 0; i < ties->nr; i++) {
		const struct clock_tie *tie = &ties->list[i];
		int64_t miss = (int64_t)wall_ns - (int64_t)source_ns - tie->offset_ns;

		if (source_ns >= tie->first_ns && source_ns <= tie->last_ns) {
			assert_true(miss <= (int64_t)tie->error_ns &&
				    -miss <= (int64_t)tie->error_ns);
			return;
		}
	}
	fail_msg("no tie at %llu", (unsigned long long)source_ns);
}

static void steady_clocks_are_one_tie(void **state)
{
	CLEANUP(clock_pairs_release) struct clock_pairs pairs = {0};
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		clock_pairs_add(&pairs, 5 * SECOND + i * 100 * MS, WALL + i * 100 * MS + i % 7);
	clock_pairs_finish(&pairs, SOURCE_CLOCK_MONOTONIC, &ties);
	assert_int_equal(ties.nr, 1);
	assert_int_equal(ties.list[0].error_ns, 3 + CLOCK_PAIRS_DELAY_NS);
	assert_int_equal(ties.list[0].first_ns, 5 * SECOND);
	assert_int_equal(ties.list[0].last_ns, 5 * SECOND + 99900 * MS);
	assert_int_equal(ties.list[0].target, CLOCK_WALL);
}

static void clock_that_is_set_makes_another(void **state)
{
	CLEANUP(clock_pairs_release) struct clock_pairs pairs = {0};
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		clock_pairs_add(&pairs, i * SECOND, WALL + i * SECOND - (i > 40) * 3 * SECOND);
	clock_pairs_finish(&pairs, SOURCE_CLOCK_MONOTONIC, &ties);
	assert_int_equal(ties.nr, 2);
	assert_int_equal(ties.list[0].last_ns, 40 * SECOND);
	assert_int_equal(ties.list[1].offset_ns, WALL - 3 * SECOND);
}

static void coarse_column_is_less_exact_and_not_more_ties(void **state)
{
	CLEANUP(clock_pairs_release) struct clock_pairs pairs = {0};
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};

	(void)state;
	for (uint64_t i = 0; i < 5000; i++)
		clock_pairs_add(&pairs, i * 130 * MS, (WALL + i * 130 * MS) / SECOND * SECOND);
	clock_pairs_finish(&pairs, SOURCE_CLOCK_MONOTONIC_RAW, &ties);
	assert_true(ties.nr <= CLOCK_PAIRS_MAX);
	for (uint64_t i = 0; i < 5000; i++)
		assert_holds(&ties, i * 130 * MS, (WALL + i * 130 * MS) / SECOND * SECOND);
	assert_int_equal(ties.list[0].drift_ppb, TIE_DRIFT_PPB);
}

static void drift_is_followed(void **state)
{
	CLEANUP(clock_pairs_release) struct clock_pairs pairs = {0};
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) /* 50 ppm: 50 ms */
		clock_pairs_add(&pairs, i * SECOND, WALL + i * SECOND + i * SECOND / 20000);
	clock_pairs_finish(&pairs, SOURCE_CLOCK_PERF, &ties);
	for (uint64_t i = 0; i < 1000; i++)
		assert_holds(&ties, i * SECOND, WALL + i * SECOND + i * SECOND / 20000);
	for (size_t i = 0; i < ties.nr; i++)
		assert_true(ties.list[i].error_ns <= CLOCK_PAIRS_BAND_NS);
}

static void times_beyond_all_clocks_are_left_out(void **state)
{
	CLEANUP(clock_pairs_release) struct clock_pairs pairs = {0};
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};

	(void)state;
	clock_pairs_finish(&pairs, SOURCE_CLOCK_MONOTONIC, &ties);
	assert_int_equal(ties.nr, 0);
	clock_pairs_add(&pairs, UINT64_MAX, WALL);
	clock_pairs_add(&pairs, SECOND, UINT64_MAX);
	assert_int_equal(pairs.nr, 0);
	clock_pairs_add(&pairs, 0, INT64_MAX);
	clock_pairs_add(&pairs, INT64_MAX, 0);
	clock_pairs_finish(&pairs, SOURCE_CLOCK_MONOTONIC, &ties);
	assert_int_equal(ties.nr, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_clocks_are_one_tie),
		cmocka_unit_test(clock_that_is_set_makes_another),
		cmocka_unit_test(coarse_column_is_less_exact_and_not_more_ties),
		cmocka_unit_test(drift_is_followed),
		cmocka_unit_test(times_beyond_all_clocks_are_left_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
