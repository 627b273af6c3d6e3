/* test_losses.c - losses add up by kind, event and second, and in bounded memory */
#include "tests/test.h"

#include "model/losses.h"

#include "base/mem.h"
#include "model/events.h"

#define SECOND UINT64_C(1000000000)

static void losses_of_the_same_second_are_one_row(void **state)
{
	CLEANUP(losses_release) struct losses losses = {0};

	(void)state;
	losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, 5, 2, 0});
	losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, 5, 3, 0});
	losses_add(&losses, &(struct loss){LOSS_SAMPLES, 0, 5, 4, 0});
	losses_add(&losses, &(struct loss){LOSS_SAMPLES, 1, 5, 1, 0});
	assert_int_equal(losses.nr, 3);
	assert_int_equal(losses.list[0].count, 5);
	assert_int_equal(losses_sum(&losses, LOSS_SAMPLES, 0).count, 4);
	assert_int_equal(losses_sum(&losses, LOSS_SAMPLES, EVENT_NONE).count, 5);
	assert_int_equal(losses_sum(&losses, LOSS_EVENTS, EVENT_NONE).count, 5);
}

static void stop_is_told_in_each_of_its_seconds(void **state)
{
	CLEANUP(losses_release) struct losses losses = {0};

	(void)state;
	losses_add_throttled(&losses, 0, 7 * SECOND + SECOND / 2, 9 * SECOND + 1);
	assert_int_equal(losses.nr, 3);
	assert_int_equal(losses.list[0].second, 7);
	assert_int_equal(losses.list[0].ns, SECOND / 2);
	assert_int_equal(losses.list[1].ns, SECOND);
	assert_int_equal(losses.list[2].ns, 1);
	assert_int_equal(losses_sum(&losses, LOSS_THROTTLED, 0).ns, 3 * SECOND / 2 + 1);
	losses_add_throttled(&losses, 0, 9, 9); /* no time at all */
	assert_int_equal(losses.nr, 3);
}

static void stop_without_an_end_in_sight_costs_no_time(void **state)
{
	CLEANUP(losses_release) struct losses losses = {0};

	(void)state;
	losses_add_throttled(&losses, 0, 1, UINT64_MAX);
	assert_int_equal(losses.nr, 1);
	assert_true(losses.list[0].second == LOSS_NO_SECOND);
}

static void seconds_beyond_the_limit_are_added_up(void **state)
{
	CLEANUP(losses_release) struct losses losses = {0};

	(void)state;
	for (uint64_t i = 0; i < LOSSES_MAX + 100; i++)
		losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, i, 1, 0});
	assert_int_equal(losses.nr, LOSSES_MAX + 1);
	assert_int_equal(losses.list[LOSSES_MAX].count, 100);
	assert_true(losses.list[LOSSES_MAX].second == LOSS_NO_SECOND);
}

static void sums_end_at_the_largest_number(void **state)
{
	CLEANUP(losses_release) struct losses losses = {0};

	(void)state;
	losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, 1, UINT64_MAX, 0});
	losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, 1, 7, 0});
	losses_add(&losses, &(struct loss){LOSS_EVENTS, EVENT_NONE, 2, 7, 0});
	assert_true(losses_sum(&losses, LOSS_EVENTS, EVENT_NONE).count == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(losses_of_the_same_second_are_one_row),
		cmocka_unit_test(stop_is_told_in_each_of_its_seconds),
		cmocka_unit_test(stop_without_an_end_in_sight_costs_no_time),
		cmocka_unit_test(seconds_beyond_the_limit_are_added_up),
		cmocka_unit_test(sums_end_at_the_largest_number),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
