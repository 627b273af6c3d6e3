/* test_processes.c - which processes are over, and that their maps are given back */
#include "tests/test.h"

#include "importers/perf_data/processes.h"

#include "base/mem.h"

#define SECOND UINT64_C(1000000000)

/* The ids of the processes that are over at this time. */
static unsigned over(struct perf_processes *processes, uint64_t time_ns, int32_t *ret_last)
{
	unsigned nr = 0;

	while (perf_processes_over(processes, time_ns, ret_last))
		nr++;
	return nr;
}

static void process_is_over_some_time_after_its_last_thread(void **state)
{
	CLEANUP(perf_processes_release) struct perf_processes processes = {0};
	int32_t pid = 0;

	(void)state;
	perf_processes_fork(&processes, 8, 7);
	perf_processes_fork(&processes, 8, 8);
	perf_processes_exit(&processes, 8, 10);
	assert_int_equal(over(&processes, 10 * SECOND, &pid), 0);
	perf_processes_exit(&processes, 8, 20);
	assert_int_equal(over(&processes, 20, &pid), 0);
	assert_int_equal(over(&processes, SECOND + 19, &pid), 0);
	assert_int_equal(over(&processes, SECOND + 20, &pid), 1);
	assert_int_equal(pid, 8);
	assert_int_equal(over(&processes, 9 * SECOND, &pid), 0);
}

static void process_whose_birth_was_not_seen_is_never_over(void **state)
{
	CLEANUP(perf_processes_release) struct perf_processes processes = {0};
	int32_t pid;

	(void)state;
	perf_processes_exit(&processes, 7, 10); /* how many threads has it? */
	perf_processes_fork(&processes, 7, 7);
	perf_processes_exit(&processes, 7, 20);
	assert_int_equal(over(&processes, 9 * SECOND, &pid), 0);
}

static void exec_leaves_one_thread(void **state)
{
	CLEANUP(perf_processes_release) struct perf_processes processes = {0};
	int32_t pid;

	(void)state;
	perf_processes_exec(&processes, 7);
	perf_processes_fork(&processes, 7, 7);
	perf_processes_exec(&processes, 7);
	perf_processes_exit(&processes, 7, 20);
	assert_int_equal(over(&processes, 9 * SECOND, &pid), 1);
}

static void id_that_is_used_again_is_not_over(void **state)
{
	CLEANUP(perf_processes_release) struct perf_processes processes = {0};
	int32_t pid;

	(void)state;
	perf_processes_fork(&processes, 8, 7);
	perf_processes_exit(&processes, 8, 10);
	perf_processes_fork(&processes, 8, 7);
	assert_int_equal(over(&processes, 9 * SECOND, &pid), 0);
	perf_processes_exit(&processes, 8, 9 * SECOND);
	assert_int_equal(over(&processes, 11 * SECOND, &pid), 1);
}

static void list_of_the_ended_does_not_grow_with_all_of_them(void **state)
{
	CLEANUP(perf_processes_release) struct perf_processes processes = {0};
	int32_t pid = 0;

	(void)state;
	for (int32_t i = 1; i < 100000; i++) {
		uint64_t time = (uint64_t)i * SECOND / 10;

		perf_processes_fork(&processes, i, 0);
		perf_processes_exit(&processes, i, time);
		over(&processes, time, &pid);
	}
	assert_int_equal(pid, 99999 - 10);
	assert_true(processes.ended_alloc < 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_is_over_some_time_after_its_last_thread),
		cmocka_unit_test(process_whose_birth_was_not_seen_is_never_over),
		cmocka_unit_test(exec_leaves_one_thread),
		cmocka_unit_test(id_that_is_used_again_is_not_over),
		cmocka_unit_test(list_of_the_ended_does_not_grow_with_all_of_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
