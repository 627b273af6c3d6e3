/* test_readings.c - what simulated incidents, whose cause is known, are read as */
#include "tests/test.h"

#include <math.h>

#include "analysis/readings.h"
#include "base/mem.h"
#include "tests/analysis/queue_model.h"

/* Kinds that nothing says, as a mask. */
#define WITHOUT(kind) (1u << EVIDENCE_##kind)

struct result {
	struct incident incident;
	struct readings readings;
};

static void result_release(struct result *result)
{
	readings_release(&result->readings);
}

static void read_model(const struct queue_model *model, unsigned without, struct result *ret)
{
	CLEANUP(evidence_set_release) struct evidence_set set;

	queue_model_run(model, &set);
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		if (without & (1u << kind))
			track_release(&set.tracks[kind]);
	}
	evidence_set_finish(&set);
	incident_find(&set.evidence, 1, &ret->incident);
	readings_make(&set.evidence, &ret->incident, &ret->readings);
}

static const struct reading *reading_of(const struct result *result, enum reading_kind kind)
{
	for (int i = 0; i < READING_NR; i++) {
		if (result->readings.list[i].kind == kind)
			return &result->readings.list[i];
	}
	return NULL;
}

static struct queue_model cpu_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.cpu = 0.003;
	return model;
}

static struct queue_model load_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.rate = 2500;
	model.faulty.cpu *= 1.09;
	return model;
}

static struct queue_model lock_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.lock = 0.006;
	model.run_on = 0.1;
	return model;
}

static struct queue_model block_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.wait = 0.006;
	model.run_on = 0.1;
	return model;
}

static struct queue_model quota_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.delay = 0.004;
	model.run_on = 0.9;
	model.late = 0.05;
	return model;
}

static void expect_first(struct queue_model model, unsigned without, enum reading_kind kind,
			 enum reading_verdict verdict)
{
	CLEANUP(result_release) struct result result;
	const struct reading *first = &result.readings.list[0];

	read_model(&model, without, &result);
	assert_string_equal(reading_word(first->kind), reading_word(kind));
	assert_string_equal(reading_verdict_word(first->verdict), reading_verdict_word(verdict));
	assert_int_equal(first->decided_by != NULL, verdict == READING_UNDECIDED);
	assert_true(verdict == READING_UNDECIDED || first->for_nr > 0);
}

#define NO_SERVICE (WITHOUT(BUSY) | WITHOUT(LOCK_WAIT) | WITHOUT(RUN_DELAY))

static void each_fault_is_read_as_what_it_is(void **state)
{
	(void)state;
	expect_first(queue_model_usual(), 0, READING_NONE, READING_SUPPORTED);
	expect_first(cpu_fault(), 0, READING_WORKING, READING_SUPPORTED);
	expect_first(load_fault(), 0, READING_OVERLOAD, READING_SUPPORTED);
	expect_first(lock_fault(), 0, READING_WAITING, READING_SUPPORTED);
	expect_first(block_fault(), 0, READING_WAITING, READING_SUPPORTED);
	expect_first(quota_fault(), 0, READING_RUN_QUEUE, READING_SUPPORTED);
}

static void other_readings_are_contradicted(void **state)
{
	CLEANUP(result_release) struct result result;
	struct queue_model model = lock_fault();

	(void)state;
	read_model(&model, 0, &result);
	assert_int_equal(reading_of(&result, READING_WORKING)->verdict, READING_CONTRADICTED);
	assert_int_equal(reading_of(&result, READING_OVERLOAD)->verdict, READING_CONTRADICTED);
	assert_int_equal(reading_of(&result, READING_RUN_QUEUE)->verdict, READING_CONTRADICTED);
	assert_int_equal(reading_of(&result, READING_LOST_WAKE)->verdict, READING_CONTRADICTED);
	assert_int_equal(reading_of(&result, READING_NONE)->verdict, READING_CONTRADICTED);
	assert_true(reading_of(&result, READING_WORKING)->against_nr > 0);
}

static void without_service_counters_the_queue_tells_how_long_items_took(void **state)
{
	(void)state;
	expect_first(cpu_fault(), NO_SERVICE, READING_WORKING, READING_SUPPORTED);
	expect_first(load_fault(), NO_SERVICE, READING_OVERLOAD, READING_SUPPORTED);
	expect_first(lock_fault(), NO_SERVICE, READING_WAITING, READING_SUPPORTED);
	expect_first(block_fault(), NO_SERVICE, READING_WAITING, READING_SUPPORTED);
}

static void what_one_counter_lacks_the_others_say(void **state)
{
	(void)state;
	expect_first(cpu_fault(), NO_SERVICE | WITHOUT(COMPLETED), READING_WORKING,
		     READING_SUPPORTED);
	expect_first(load_fault(), NO_SERVICE | WITHOUT(OFFERED), READING_OVERLOAD,
		     READING_SUPPORTED);
	expect_first(load_fault(), WITHOUT(OFFERED) | WITHOUT(ADMITTED), READING_OVERLOAD,
		     READING_SUPPORTED);
	expect_first(lock_fault(), WITHOUT(DEPTH), READING_WAITING, READING_SUPPORTED);
	expect_first(lock_fault(), WITHOUT(DEPTH) | WITHOUT(AGE), READING_WAITING,
		     READING_SUPPORTED);
}

static void full_queue_without_a_count_of_rejections_is_looked_at_before(void **state)
{
	struct queue_model model = lock_fault();

	(void)state;
	model.capacity = 400;
	expect_first(model, WITHOUT(OFFERED) | WITHOUT(REJECTED), READING_WAITING,
		     READING_SUPPORTED);
}

static void wait_without_a_measure_of_delay_is_open_where_the_worker_works_on(void **state)
{
	CLEANUP(result_release) struct result result;
	struct queue_model model = quota_fault();

	(void)state;
	read_model(&model, NO_SERVICE, &result);
	assert_int_equal(result.readings.list[0].verdict, READING_UNDECIDED);
	assert_non_null(strstr(result.readings.list[0].decided_by, "sched_switch"));
	assert_int_equal(reading_of(&result, READING_RUN_QUEUE)->verdict, READING_UNDECIDED);
	assert_int_equal(reading_of(&result, READING_WORKING)->verdict, READING_CONTRADICTED);
}

static void wait_that_neither_counters_nor_samples_explain_is_open(void **state)
{
	(void)state;
	expect_first(block_fault(), NO_SERVICE | WITHOUT(RUN_ON), READING_WAITING,
		     READING_UNDECIDED);
	expect_first(block_fault(), WITHOUT(RUN_ON), READING_WAITING, READING_SUPPORTED);
}

static void without_cpu_neither_working_nor_waiting_is_claimed(void **state)
{
	CLEANUP(result_release) struct result result;
	struct queue_model model = cpu_fault();

	(void)state;
	read_model(&model, NO_SERVICE | WITHOUT(CPU), &result);
	assert_int_equal(reading_of(&result, READING_WORKING)->verdict, READING_UNDECIDED);
	assert_int_equal(reading_of(&result, READING_WAITING)->verdict, READING_UNDECIDED);
	assert_non_null(strstr(reading_of(&result, READING_WORKING)->decided_by, "CPU samples"));
}

static void two_faults_at_once_are_both_supported_with_their_shares(void **state)
{
	CLEANUP(result_release) struct result result;
	struct queue_model model = cpu_fault();
	const struct reading *working, *waiting;

	(void)state;
	model.faulty.lock = 0.004;
	read_model(&model, 0, &result);
	working = reading_of(&result, READING_WORKING);
	waiting = reading_of(&result, READING_WAITING);
	assert_int_equal(working->verdict, READING_SUPPORTED);
	assert_int_equal(waiting->verdict, READING_SUPPORTED);
	assert_true(fabs(working->share.least + waiting->share.least - 1) < 0.01);
	assert_true(fabs(working->share.least - 0.00235 / 0.00635) < 0.05);
	assert_ptr_equal(&result.readings.list[0], waiting);
}

static void coarse_counters_say_what_they_can(void **state)
{
	struct queue_model model = cpu_fault();

	(void)state;
	model.tick = 15;
	model.total = 240;
	model.at = 130;
	model.length = 80;
	model.capacity = 100000;
	expect_first(model, WITHOUT(RUN_DELAY), READING_WORKING, READING_SUPPORTED);
	model.faulty = lock_fault().faulty;
	expect_first(model, WITHOUT(RUN_DELAY), READING_WAITING, READING_SUPPORTED);
	model.faulty = block_fault().faulty;
	expect_first(model, NO_SERVICE, READING_WAITING, READING_UNDECIDED);
	model.run_on = 0.1;
	expect_first(model, NO_SERVICE, READING_WAITING, READING_SUPPORTED);
	model.faulty = load_fault().faulty;
	expect_first(model, NO_SERVICE, READING_OVERLOAD, READING_SUPPORTED);
}

static void lull_is_no_incident(void **state)
{
	struct queue_model model = queue_model_usual();

	(void)state;
	model.faulty.rate = 100;
	expect_first(model, 0, READING_NONE, READING_SUPPORTED);
	expect_first(model, WITHOUT(DEPTH) | WITHOUT(AGE), READING_NONE, READING_SUPPORTED);
}

static void slower_service_that_no_queue_shows_is_read_where_it_costs_cpu(void **state)
{
	struct queue_model model = queue_model_usual();

	(void)state;
	model.faulty.wait = 0.0005;
	expect_first(model, 0, READING_NONE, READING_SUPPORTED);
	model.faulty = queue_model_usual().faulty;
	model.faulty.cpu *= 2;
	expect_first(model, 0, READING_WORKING, READING_SUPPORTED);
}

static void stall_is_a_lost_wake_only_with_tasks_that_wait(void **state)
{
	CLEANUP(result_release) struct result result;
	struct queue_model model = queue_model_usual();

	(void)state;
	model.faulty.wait = 4;
	read_model(&model, WITHOUT(LOCK_WAIT) | WITHOUT(RUN_DELAY), &result);
	assert_int_equal(reading_of(&result, READING_LOST_WAKE)->verdict, READING_UNDECIDED);
	assert_non_null(strstr(reading_of(&result, READING_LOST_WAKE)->decided_by, "wakes"));
}

/* ---- memory: gauges beside a quiet queue */

static void memory_track(struct evidence_set *set, enum evidence_kind kind, double per_second)
{
	const struct track *depth = &set->tracks[EVIDENCE_DEPTH];
	struct track track;

	track_init(&track, evidence_word(kind), TRACK_GAUGE);
	for (size_t i = 0; i < depth->nr; i++) {
		double seconds = (double)(depth->end_ns[i] - depth->end_ns[0]) / 1e9;

		track_add(&track, depth->end_ns[i], depth->end_ns[i],
			  1e8 + (double)(i * 7 % 5) * 1e4 +
				  (seconds > 4 ? per_second * (seconds - 4) : 0));
	}
	evidence_set_add(set, kind, &track);
}

static void expect_growth(double rss, double heap, enum reading_kind kind)
{
	CLEANUP(evidence_set_release) struct evidence_set set;
	CLEANUP(result_release) struct result result;
	struct queue_model model = queue_model_usual();

	queue_model_run(&model, &set);
	memory_track(&set, EVIDENCE_RSS, rss);
	memory_track(&set, EVIDENCE_HEAP, heap);
	evidence_set_finish(&set);
	incident_find(&set.evidence, 1, &result.incident);
	readings_make(&set.evidence, &result.incident, &result.readings);
	assert_string_equal(reading_word(result.readings.list[0].kind), reading_word(kind));
	assert_int_equal(result.readings.list[0].verdict, READING_SUPPORTED);
}

static void memory_is_told_from_retaining_by_the_live_heap(void **state)
{
	(void)state;
	expect_growth(0, 0, READING_NONE);
	expect_growth(2e7, 0, READING_MEMORY);
	expect_growth(2e7, 2e7, READING_RETAINING);
}

static void nothing_to_judge_by_is_undecided(void **state)
{
	CLEANUP(result_release) struct result result;
	struct evidence evidence = {.capacity = NAN, .workers = NAN};

	(void)state;
	incident_find(&evidence, 1, &result.incident);
	readings_make(&evidence, &result.incident, &result.readings);
	for (int i = 0; i < READING_NR; i++) {
		assert_int_equal(result.readings.list[i].verdict, READING_UNDECIDED);
		assert_non_null(result.readings.list[i].decided_by);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_read_as_what_it_is),
		cmocka_unit_test(other_readings_are_contradicted),
		cmocka_unit_test(without_service_counters_the_queue_tells_how_long_items_took),
		cmocka_unit_test(what_one_counter_lacks_the_others_say),
		cmocka_unit_test(full_queue_without_a_count_of_rejections_is_looked_at_before),
		cmocka_unit_test(wait_without_a_measure_of_delay_is_open_where_the_worker_works_on),
		cmocka_unit_test(wait_that_neither_counters_nor_samples_explain_is_open),
		cmocka_unit_test(without_cpu_neither_working_nor_waiting_is_claimed),
		cmocka_unit_test(two_faults_at_once_are_both_supported_with_their_shares),
		cmocka_unit_test(coarse_counters_say_what_they_can),
		cmocka_unit_test(lull_is_no_incident),
		cmocka_unit_test(slower_service_that_no_queue_shows_is_read_where_it_costs_cpu),
		cmocka_unit_test(stall_is_a_lost_wake_only_with_tasks_that_wait),
		cmocka_unit_test(memory_is_told_from_retaining_by_the_live_heap),
		cmocka_unit_test(nothing_to_judge_by_is_undecided),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
