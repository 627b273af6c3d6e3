/* test_crew.c - each job is done once, whoever does it, and the caller waits for all */
#include "tests/test.h"

#include <stdatomic.h>

#include "base/mem.h"
#include "unwind/crew.h"

#define JOBS_MAX 1000

struct world {
	unsigned threads;
	unsigned done[JOBS_MAX]; /* by each job, of its own */
	atomic_uint all, strangers;
};

static void do_job(void *context, unsigned thread, size_t job)
{
	struct world *world = context;

	world->done[job]++;
	atomic_fetch_add(&world->all, 1);
	if (thread >= world->threads)
		atomic_fetch_add(&world->strangers, 1);
}

static void expect_each_once(unsigned threads, size_t nr)
{
	struct world world = {.threads = threads};
	struct crew *crew = crew_new(threads);

	for (unsigned call = 1; call <= 50; call++) {
		crew_run(crew, do_job, &world, nr);
		assert_int_equal(atomic_load(&world.all), call * nr);
		for (size_t i = 0; i < JOBS_MAX; i++)
			assert_int_equal(world.done[i], i < nr ? call : 0);
	}
	assert_int_equal(atomic_load(&world.strangers), 0);
	crew_free(crew);
}

static void each_job_is_done_once(void **state)
{
	static const size_t numbers[] = {0, 1, 7, 8, 9, 63, JOBS_MAX};

	(void)state;
	for (unsigned threads = 1; threads <= 5; threads++)
		for (size_t i = 0; i < ARRAY_NR(numbers); i++)
			expect_each_once(threads, numbers[i]);
}

static void a_crew_that_never_worked_goes_home(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 8; threads++)
		crew_free(crew_new(threads));
	crew_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_is_done_once),
		cmocka_unit_test(a_crew_that_never_worked_goes_home),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
