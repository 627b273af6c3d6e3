/* test_track.c - one quantity over time */
#include "tests/test.h"

#include <math.h>

#include "analysis/track.h"
#include "base/mem.h"

static void rates_of_a_counter_are_per_second_and_a_restart_is_unknown(void **state)
{
	static const uint64_t times[] = {1000000000, 1500000000, 2000000000, 2500000000};
	static const double values[] = {10, 20, 5, 6};
	CLEANUP(track_release) struct track track;

	(void)state;
	track_init(&track, "queue.completed", TRACK_RATE);
	track_add_rates(&track, times, values, ARRAY_NR(times), 1);
	assert_int_equal(track.nr, 3);
	assert_true(track.values[0] == 20);
	assert_true(isnan(track.values[1]));
	assert_true(track.values[2] == 2);
	assert_int_equal(track.begin_ns[2], 2000000000);
	assert_int_equal(track.end_ns[2], 2500000000);
}

static void points_that_are_not_known_are_in_no_mean(void **state)
{
	CLEANUP(track_release) struct track track;

	(void)state;
	track_init(&track, "queue.depth", TRACK_GAUGE);
	track_add(&track, 1, 1, 100);
	track_add(&track, 2, 2, 1);
	track_add(&track, 3, 3, NAN);
	track_add(&track, 4, 4, 9);
	track_add(&track, 5, 5, 2);
	assert_true(track_mean(&track, 1, 5) == 4);
	assert_true(track_median(&track, 1, 5) == 2);
	assert_true(isnan(track_mean(&track, 2, 3)));
	assert_true(isnan(track_median(&track, 5, 9)));
}

static void tick_is_the_usual_distance(void **state)
{
	CLEANUP(track_release) struct track track;

	(void)state;
	track_init(&track, "rss", TRACK_GAUGE);
	assert_int_equal(track_tick_ns(&track), 0);
	for (uint64_t i = 0; i < 9; i++)
		track_add(&track, 100 * i + (i > 5) * 1000, 100 * i + (i > 5) * 1000, 0);
	assert_int_equal(track_tick_ns(&track), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_of_a_counter_are_per_second_and_a_restart_is_unknown),
		cmocka_unit_test(points_that_are_not_known_are_in_no_mean),
		cmocka_unit_test(tick_is_the_usual_distance),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
