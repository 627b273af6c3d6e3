/* test_activity.c - which process was busy when, however long it took */
#include "tests/test.h"

#include "analysis/activity.h"
#include "base/mem.h"
#include "model/capture.h"

#define SECOND UINT64_C(1000000000)

struct world {
	struct capture capture;
	struct activity activity;
};

static void world_init(struct world *world)
{
	*world = (struct world){0};
	events_add(&world->capture.events, &world->capture.names, NAME_NONE);
	activity_init(&world->activity, &world->capture, NULL);
}

static void world_release(struct world *world)
{
	activity_release(&world->activity);
	capture_release(&world->capture);
}

static void say(struct world *world, int32_t pid, int32_t tid, uint64_t time_ns, uint64_t period)
{
	struct sample sample = {
		.time_ns = time_ns,
		.flags = SAMPLE_HAS_TIME,
		.count = WEIGHT_ONE,
		.period = weight_of(period),
		.task = tasks_add(&world->capture.tasks, &(struct task){pid, tid, NAME_NONE}),
	};

	assert_null(sink_sample(&world->activity.sink, &sample));
}

static void threads_of_a_process_are_one(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	say(&world, 7, 8, SECOND, 1);
	say(&world, 7, 7, SECOND, 2);
	say(&world, 9, 9, SECOND, 5);
	say(&world, 0, 0, SECOND, 9);
	activity_sort(&world.activity);
	assert_int_equal(world.activity.nr, 3);
	assert_int_equal(world.activity.list[0]->pid, 9);
	assert_int_equal(world.activity.list[1]->pid, 7);
	assert_int_equal(world.capture.tasks.list[world.activity.list[1]->task].tid, 7);
	assert_true(world.activity.list[1]->weight == weight_of(3));
	assert_true(world.activity.list[2]->is_idle);
}

/* Busy for the first half of 1000 s, a sample a second: slots were doubled ten times. */
static void parts_are_right_however_long_it_takes(void **state)
{
	CLEANUP(world_release) struct world world;
	double parts[10], sum = 0;

	(void)state;
	world_init(&world);
	for (uint64_t i = 0; i < 500; i++)
		say(&world, 7, 7, (10 + i) * SECOND, SECOND);
	say(&world, 7, 7, 1010 * SECOND, 1);
	activity_parts(&world.activity, world.activity.list[0], parts, ARRAY_NR(parts));
	for (size_t i = 0; i < ARRAY_NR(parts); i++)
		sum += parts[i];
	assert_true(parts[0] > 0.95 && parts[0] < 1.05);
	assert_true(parts[3] > 0.95 && parts[3] < 1.05);
	assert_true(parts[7] < 0.001);
	assert_true(sum > 4.99 && sum < 5.01);
}

static void time_before_the_first_sample_is_its_time(void **state)
{
	CLEANUP(world_release) struct world world;
	double parts[2];

	(void)state;
	world_init(&world);
	say(&world, 7, 7, 10 * SECOND, 4);
	say(&world, 7, 7, 9 * SECOND, 4);
	say(&world, 7, 7, 12 * SECOND, 4);
	activity_parts(&world.activity, world.activity.list[0], parts, 2);
	assert_true(parts[0] > 7.9e-9 && parts[0] < 8.1e-9);
	assert_true(parts[1] > 3.9e-9 && parts[1] < 4.1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_a_process_are_one),
		cmocka_unit_test(parts_are_right_however_long_it_takes),
		cmocka_unit_test(time_before_the_first_sample_is_its_time),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
