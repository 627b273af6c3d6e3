/* test_crossing.c - when a limit was reached */
#include "tests/test.h"

#include <math.h>

#include "analysis/crossing.h"
#include "analysis/track.h"
#include "base/mem.h"

#define TICK UINT64_C(100000)

/* Point i ends at (i + 1) ticks. */
static void track_of(struct track *track, enum track_kind kind, const double *values, size_t nr)
{
	track_init(track, "t", kind);
	for (uint64_t i = 0; i < nr; i++)
		track_add(track, (i + (kind != TRACK_RATE)) * TICK, (i + 1) * TICK, values[i]);
}

#define TRACK_OF(track, kind, ...)                           \
	track_of(track, kind, (const double[]){__VA_ARGS__}, \
		 sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void saturation_is_sustained_use_of_nearly_all_there_is(void **state)
{
	CLEANUP(track_release) struct track used;
	struct milestone milestone;
	size_t index;

	(void)state;
	TRACK_OF(&used, TRACK_RATE, 0.3, 1, 0.3, 0.3, 0.97, 0.99, 0.9, 1, 1, 0.98);
	assert_true(crossing_saturation(&used, 1, &milestone, &index));
	assert_int_equal(index, 4);
	assert_int_equal(milestone.what, MILESTONE_SATURATION);
	assert_int_equal(milestone.after_ns, 3 * TICK - TICK / 100);
	assert_false(crossing_saturation(&used, 2, &milestone, &index));
}

static void capacity_is_reached_a_little_below_it(void **state)
{
	CLEANUP(track_release) struct track depth;
	struct milestone milestone;

	(void)state;
	TRACK_OF(&depth, TRACK_GAUGE, 0, 200, NAN, 480, 490, 512);
	assert_true(crossing_capacity(&depth, 512, &milestone, NULL));
	assert_int_equal(milestone.until_ns, 5 * TICK + TICK / 100);
	assert_false(crossing_capacity(&depth, 5120, &milestone, NULL));
}

static void first_rejection_is_exact_to_the_tick(void **state)
{
	CLEANUP(track_release) struct track rejected;
	struct milestone milestone;

	(void)state;
	TRACK_OF(&rejected, TRACK_RATE, 0, 0, 0, 130, 300);
	assert_true(crossing_rejection(&rejected, &milestone, NULL));
	assert_int_equal(milestone.after_ns, 3 * TICK - TICK / 100);
	assert_int_equal(milestone.until_ns, 4 * TICK + TICK / 100);
}

static void rejections_from_the_beginning_have_no_first(void **state)
{
	CLEANUP(track_release) struct track rejected;
	struct milestone milestone;

	(void)state;
	TRACK_OF(&rejected, TRACK_RATE, 5, 0, 130);
	assert_false(crossing_rejection(&rejected, &milestone, NULL));
}

static void completions_lag_behind_what_came_in(void **state)
{
	CLEANUP(track_release) struct track completed, admitted;
	struct milestone milestone;
	size_t index;

	(void)state;
	TRACK_OF(&completed, TRACK_RATE, 100, 99, 100, 80, 80, 81, 80, 80, 80);
	TRACK_OF(&admitted, TRACK_RATE, 100, 100, 100, 100, 100, 100, 100, 100, 80);
	assert_true(crossing_admission(&completed, &admitted, &milestone, &index));
	assert_int_equal(index, 3);
	assert_false(crossing_admission(&admitted, &completed, &milestone, &index));
	admitted.nr--;
	assert_false(crossing_admission(&completed, &admitted, &milestone, &index));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saturation_is_sustained_use_of_nearly_all_there_is),
		cmocka_unit_test(capacity_is_reached_a_little_below_it),
		cmocka_unit_test(first_rejection_is_exact_to_the_tick),
		cmocka_unit_test(rejections_from_the_beginning_have_no_first),
		cmocka_unit_test(completions_lag_behind_what_came_in),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
