/* test_tasks.c - a thread and the name that it had, in one id */
#include "tests/test.h"

#include "base/mem.h"
#include "model/names.h"
#include "model/tasks.h"

static void same_thread_of_the_same_name_has_the_same_id(void **state)
{
	CLEANUP(tasks_release) struct tasks tasks = {0};

	(void)state;
	assert_int_equal(tasks_add(&tasks, &(struct task){1, 2, 3}), 0);
	assert_int_equal(tasks_add(&tasks, &(struct task){1, 2, 3}), 0);
	assert_int_equal(tasks.nr, 1);
}

static void thread_that_is_renamed_or_moved_has_another_id(void **state)
{
	CLEANUP(tasks_release) struct tasks tasks = {0};

	(void)state;
	tasks_add(&tasks, &(struct task){1, 2, 3});
	assert_int_equal(tasks_add(&tasks, &(struct task){1, 2, 4}), 1);
	assert_int_equal(tasks_add(&tasks, &(struct task){1, 5, 3}), 2);
	assert_int_equal(tasks_add(&tasks, &(struct task){5, 2, 3}), 3);
}

static void ids_that_are_missing_or_minus_one_are_told_apart(void **state)
{
	CLEANUP(tasks_release) struct tasks tasks = {0};

	(void)state;
	tasks_add(&tasks, &(struct task){TASK_ID_NONE, TASK_ID_NONE, NAME_NONE});
	assert_int_equal(tasks_add(&tasks, &(struct task){-1, -1, NAME_NONE}), 1);
	assert_int_equal(tasks_add(&tasks, &(struct task){0, 0, NAME_NONE}), 2);
	assert_int_equal(tasks.list[1].tid, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_thread_of_the_same_name_has_the_same_id),
		cmocka_unit_test(thread_that_is_renamed_or_moved_has_another_id),
		cmocka_unit_test(ids_that_are_missing_or_minus_one_are_told_apart),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
