/* test_worker.c - work is done in processes that may die of it */
#include "tests/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/worker.h"

#define JOBS 40u

static void task(void *context, uint32_t job, struct text *ret)
{
	const uint32_t *deadly = context;

	text_addf(ret, "job %u", job);
	if (*deadly && job % *deadly == 0)
		kill(getpid(), SIGKILL);
	if (*deadly && job == 1)
		_exit(3);
}

static void expect(unsigned processes, uint32_t deadly)
{
	struct worker_result *results = mem_zalloc(JOBS, sizeof(*results));
	char text[20];

	assert_null(worker_run(JOBS, processes, task, &deadly, NULL, results));
	for (uint32_t i = 0; i < JOBS; i++) {
		bool dies = deadly && (i % deadly == 0 || i == 1);

		snprintf(text, sizeof(text), "job %u", i);
		assert_int_equal(results[i].is_done, !dies);
		if (results[i].is_done)
			assert_string_equal(text_string(&results[i].bytes), text);
		else
			assert_int_equal(results[i].signal, i == 1 && deadly != 1 ? 0 : SIGKILL);
	}
	worker_results_free(results, JOBS);
}

static void all_jobs_are_done_once(void **state)
{
	(void)state;
	expect(1, 0);
	expect(3, 0);
	expect(1000, 0);
}

static void a_job_that_kills_its_process_takes_no_other_with_it(void **state)
{
	(void)state;
	expect(1, 7);
	expect(2, 3);
}

static void all_may_die(void **state)
{
	(void)state;
	expect(2, 1);
}

static void fill_megabytes(void *context, uint32_t job, struct text *ret)
{
	(void)context;
	for (int i = 0; i < 300000; i++)
		text_addf(ret, "%08x", job + 1);
}

static void large_results_come_back_and_no_job_is_no_work(void **state)
{
	struct worker_result *results = mem_zalloc(JOBS, sizeof(*results));

	(void)state;
	assert_null(worker_run(0, 1, task, NULL, NULL, results));
	assert_null(worker_run(JOBS, 2, fill_megabytes, NULL, NULL, results));
	for (uint32_t i = 0; i < JOBS; i++) {
		assert_int_equal(results[i].bytes.size, 2400000);
		assert_int_equal(strtoul(results[i].bytes.bytes + 2399992, NULL, 16), i + 1);
	}
	worker_results_free(results, JOBS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_jobs_are_done_once),
		cmocka_unit_test(a_job_that_kills_its_process_takes_no_other_with_it),
		cmocka_unit_test(all_may_die),
		cmocka_unit_test(large_results_come_back_and_no_job_is_no_work),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
