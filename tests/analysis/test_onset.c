/* test_onset.c - when a series left its baseline */
#include "tests/test.h"

#include <math.h>

#include "analysis/onset.h"
#include "analysis/track.h"
#include "base/mem.h"

#define TICK  UINT64_C(1000000)
#define START (1000 * TICK)

/* 120 points of small noise, to which `at` adds. */
static void track_of(struct track *track, enum track_kind kind, double (*at)(size_t))
{
	track_init(track, "queue.depth", kind);
	for (size_t i = 0; i < 120; i++) {
		uint64_t end = START + i * TICK;

		track_add(track, kind == TRACK_RATE ? end - TICK : end, end,
			  10 + (double)(i * 7 % 3) + at(i));
	}
}

static double nothing(size_t i)
{
	(void)i;
	return 0;
}

static double step(size_t i)
{
	return i >= 40 ? 50 : 0;
}

static double ramp_and_back(size_t i)
{
	return i < 40 || i >= 80 ? 0 : (double)(i - 40) * 1.5;
}

static double fall(size_t i)
{
	return i >= 70 && i < 100 ? -9 : 0;
}

static double two_points(size_t i)
{
	return i == 60 || i == 61 ? 80 : 0;
}

static void quiet_series_has_no_onset(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, nothing);
	onset_find(&track, 1, &onset);
	assert_false(onset.is_found);
}

static void gauge_left_between_its_last_quiet_point_and_the_first_that_departs(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, step);
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_int_equal(onset.first, 40);
	assert_int_equal(onset.last, 120);
	assert_int_equal(onset.direction, 1);
	assert_false(onset.is_ramp);
	/* a hundredth of a tick: a row's values are not read in one instant */
	assert_int_equal(onset.milestone.after_ns, START + 39 * TICK - TICK / 100);
	assert_int_equal(onset.milestone.until_ns, START + 40 * TICK + TICK / 100);
	assert_string_equal(onset.milestone.role, "queue.depth");
}

static void rate_is_widened_by_its_window(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_RATE, step);
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_int_equal(onset.milestone.after_ns, START + 38 * TICK - TICK / 100);
	assert_int_equal(onset.milestone.until_ns, START + 40 * TICK + TICK / 100);
}

static void ramp_is_dated_by_its_knee_and_its_return_is_seen(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, ramp_and_back);
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_true(onset.is_ramp);
	assert_in_range(onset.knee, 39, 41);
	assert_true(onset.milestone.after_ns <= START + 40 * TICK);
	assert_true(onset.milestone.until_ns >= START + 40 * TICK);
	assert_in_range(onset.last, 78, 81);
}

static void fall_is_an_onset_too(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, fall);
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_int_equal(onset.first, 70);
	assert_int_equal(onset.direction, -1);
}

static void what_is_not_sustained_is_no_onset(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, two_points);
	onset_find(&track, 1, &onset);
	assert_false(onset.is_found);
}

static void departure_below_the_floor_does_not_matter(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, step);
	track.floor = 60;
	onset_find(&track, 1, &onset);
	assert_true(onset.change.is_changed);
	assert_false(onset.is_found);
}

static void gaps_neither_depart_nor_stay(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_of(&track, TRACK_GAUGE, step);
	for (size_t i = 5; i < 120; i += 10)
		track.values[i] = NAN;
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_int_equal(onset.first, 40);
}

static void coarse_series_of_few_points_has_an_onset(void **state)
{
	CLEANUP(track_release) struct track track;
	struct onset onset;

	(void)state;
	track_init(&track, "queue.depth", TRACK_GAUGE);
	for (uint64_t i = 1; i <= 12; i++)
		track_add(&track, i * 15000 * TICK, i * 15000 * TICK, i > 7 ? 400 : 0);
	onset_find(&track, 1, &onset);
	assert_true(onset.is_found);
	assert_int_equal(onset.first, 7);
	assert_true(onset.milestone.until_ns - onset.milestone.after_ns >= 15000 * TICK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_series_has_no_onset),
		cmocka_unit_test(
			gauge_left_between_its_last_quiet_point_and_the_first_that_departs),
		cmocka_unit_test(rate_is_widened_by_its_window),
		cmocka_unit_test(ramp_is_dated_by_its_knee_and_its_return_is_seen),
		cmocka_unit_test(fall_is_an_onset_too),
		cmocka_unit_test(what_is_not_sustained_is_no_onset),
		cmocka_unit_test(departure_below_the_floor_does_not_matter),
		cmocka_unit_test(gaps_neither_depart_nor_stay),
		cmocka_unit_test(coarse_series_of_few_points_has_an_onset),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
