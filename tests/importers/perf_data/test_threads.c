/* test_threads.c - who runs, and under which name at the moment */
#include "tests/test.h"

#include "importers/perf_data/threads.h"

#include <stdio.h>

#include "base/mem.h"
#include "model/capture.h"

struct world {
	struct capture capture;
	struct perf_threads threads;
};

static void release(struct world *world)
{
	perf_threads_release(&world->threads);
	capture_release(&world->capture);
}

static void rename_to(struct world *world, int32_t pid, int32_t tid, const char *comm)
{
	perf_threads_rename(perf_threads_get(&world->threads, pid, tid),
			    names_add_string(&world->capture.names, comm));
}

/* "pid/tid comm" of a sample that comes now. */
static void expect_now(struct world *world, int32_t pid, int32_t tid, const char *expected)
{
	uint32_t id = perf_threads_task(&world->threads, &world->capture, pid, tid);
	const struct task *task = &world->capture.tasks.list[id];
	char shown[64];

	snprintf(shown, sizeof(shown), "%d/%d %s", task->pid, task->tid,
		 names_get(&world->capture.names, task->comm)->bytes);
	assert_string_equal(shown, expected);
}

static void thread_has_the_name_it_has_at_the_time(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	expect_now(&world, 7, 8, "7/8 :8");
	rename_to(&world, 7, 8, "before");
	expect_now(&world, 7, 8, "7/8 before");
	rename_to(&world, 7, 8, "after");
	expect_now(&world, 7, 8, "7/8 after");
	assert_int_equal(world.capture.tasks.nr, 3);
	expect_now(&world, 7, 8, "7/8 after");
	assert_int_equal(world.capture.tasks.nr, 3);
}

static void only_the_thread_that_is_named_gets_the_name(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	rename_to(&world, 7, 7, "main");
	rename_to(&world, 7, 8, "worker");
	expect_now(&world, 7, 7, "7/7 main");
	expect_now(&world, 7, 8, "7/8 worker");
}

static void new_thread_has_the_name_of_the_one_that_made_it(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	rename_to(&world, 7, 7, "main");
	rename_to(&world, 7, 8, "worker");
	perf_threads_fork(&world.threads, 7, 9, 7, 8);
	perf_threads_fork(&world.threads, 20, 20, 7, 7);
	expect_now(&world, 7, 9, "7/9 worker");
	expect_now(&world, 20, 20, "20/20 main");
	rename_to(&world, 7, 8, "renamed");
	expect_now(&world, 7, 9, "7/9 worker");
}

static void thread_id_that_is_used_again_is_somebody_else(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	rename_to(&world, 7, 9, "old");
	expect_now(&world, 7, 9, "7/9 old");
	rename_to(&world, 8, 8, "parent");
	perf_threads_fork(&world.threads, 8, 9, 8, 8);
	expect_now(&world, 8, 9, "8/9 parent");
}

static void child_of_somebody_unknown_has_no_name(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	perf_threads_fork(&world.threads, 8, 9, 5, 5);
	expect_now(&world, 8, 9, "8/9 :9");
}

static void idle_task_is_the_swapper(void **state)
{
	CLEANUP(release) struct world world = {0};

	(void)state;
	expect_now(&world, 0, 0, "0/0 swapper");
	expect_now(&world, -1, -1, "-1/-1 :-1");
	expect_now(&world, 1, INT32_MIN, "1/-2147483648 :-2147483648");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_has_the_name_it_has_at_the_time),
		cmocka_unit_test(only_the_thread_that_is_named_gets_the_name),
		cmocka_unit_test(new_thread_has_the_name_of_the_one_that_made_it),
		cmocka_unit_test(thread_id_that_is_used_again_is_somebody_else),
		cmocka_unit_test(child_of_somebody_unknown_has_no_name),
		cmocka_unit_test(idle_task_is_the_swapper),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
