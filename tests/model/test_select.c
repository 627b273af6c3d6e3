/* test_select.c - the asked-for samples pass, the others are counted by reason */
#include "tests/test.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/select.h"
#include "tests/support/listener.h"

/* Three events, three tasks, twelve samples a second apart from second 100 on. */
struct world {
	struct capture capture;
	struct listener listener;
	struct select select;
	struct selection wanted;
	uint32_t events[3], tasks[3];
};

#define SAMPLES_NR 12
#define SECOND	   UINT64_C(1000000000)

static void world_init(struct world *world)
{
	static const char *const events[] = {"cycles:u", "faults", "cycles:k"};
	static const char *const comms[] = {"web", "db", "web"};
	struct capture *capture = &world->capture;

	*world = (struct world){0};
	listener_init(&world->listener);
	for (int i = 0; i < 3; i++) {
		world->events[i] = events_add(&capture->events, &capture->names,
					      names_add_string(&capture->names, events[i]));
		world->tasks[i] =
			tasks_add(&capture->tasks,
				  &(struct task){10 + i, 20 + i,
						 names_add_string(&capture->names, comms[i])});
	}
	stacks_add(&capture->stacks, (uint32_t[]){0}, 0);
}

static void world_release(struct world *world)
{
	select_release(&world->select);
	listener_release(&world->listener);
	capture_release(&world->capture);
}

static void say(struct world *world, const struct sample *sample)
{
	assert_null(sink_sample(&world->select.sink, sample));
}

static void say_all(struct world *world)
{
	select_init(&world->select, &world->capture, &world->wanted, &world->listener.sink);
	for (uint32_t i = 0; i < SAMPLES_NR; i++)
		say(world, &(struct sample){
				   .time_ns = (100 + i) * SECOND,
				   .flags = SAMPLE_HAS_TIME,
				   .task = world->tasks[i % 3],
				   .event = world->events[i / 6],
				   .cpu = (int32_t)(i % 4),
				   .leaf = LOCATION_NONE,
				   .count = WEIGHT_ONE,
				   .period = weight_of(10),
			   });
}

/* What passed, and what was left out for this reason; nothing for another one. */
static void expect(struct world *world, uint64_t passed, enum select_reason reason, uint64_t out)
{
	assert_true(world->select.count.passed == weight_of(passed));
	assert_int_equal(world->listener.nr, passed);
	for (int i = 0; i < SELECT_REASON_NR; i++)
		assert_true(world->select.count.left_out[i] ==
			    weight_of((enum select_reason)i == reason ? out : 0));
}

static void first_samples_event_passes_where_none_is_named(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	say_all(&world);
	expect(&world, 6, SELECT_EVENT, 6);
	assert_int_equal(world.capture.first_event, world.events[0]);
}

static void all_events_pass_where_that_is_asked_for(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.all_events = true;
	say_all(&world);
	expect(&world, 12, SELECT_EVENT, 0);
}

static void named_event_passes(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.event = "faults";
	say_all(&world);
	expect(&world, 6, SELECT_EVENT, 6);
	assert_int_equal(world.listener.list[0].event, world.events[1]);
}

static void event_named_without_modifiers_passes(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.event = "cycles";
	say_all(&world);
	expect(&world, 6, SELECT_EVENT, 6);
}

static void samples_of_each_event_are_counted_selected_or_not(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	say_all(&world);
	assert_true(world.capture.events.list[0].samples == weight_of(6));
	assert_true(world.capture.events.list[1].samples == weight_of(6));
	assert_true(world.capture.events.list[2].samples == 0);
}

static void ranges_hold_their_begin_and_not_their_end(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.all_events = true;
	world.wanted.from = (struct moment){.ns = 103 * SECOND, .is_set = true};
	world.wanted.to = (struct moment){.ns = 107 * SECOND, .is_set = true};
	say_all(&world);
	expect(&world, 4, SELECT_TIME, 8);
	assert_true(world.listener.list[0].time_ns == 103 * SECOND);
	assert_true(world.listener.list[3].time_ns == 106 * SECOND);
}

static void ranges_are_exact_to_the_nanosecond(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.all_events = true;
	world.wanted.from = (struct moment){.ns = 103 * SECOND + 1, .is_set = true};
	world.wanted.to = (struct moment){.ns = 104 * SECOND + 1, .is_set = true};
	say_all(&world);
	expect(&world, 1, SELECT_TIME, 11);
}

static void relative_moments_count_from_the_first_sample(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.event = "faults"; /* its samples begin at 106; the capture does at 100 */
	world.wanted.from = (struct moment){.ns = 7 * SECOND, .is_set = true, .is_relative = true};
	say_all(&world);
	assert_true(world.select.count.passed == weight_of(5));
	assert_true(world.listener.list[0].time_ns == 107 * SECOND);
}

static void moment_beyond_all_time_does_not_overflow(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.all_events = true;
	world.wanted.to = (struct moment){.ns = UINT64_MAX, .is_set = true, .is_relative = true};
	say_all(&world);
	expect(&world, 12, SELECT_TIME, 0);
}

static void sample_without_time_is_in_no_range(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.all_events = true;
	world.wanted.from = (struct moment){.ns = 0, .is_set = true};
	select_init(&world.select, &world.capture, &world.wanted, &world.listener.sink);
	say(&world,
	    &(struct sample){.task = world.tasks[0], .leaf = LOCATION_NONE, .count = WEIGHT_ONE});
	expect(&world, 0, SELECT_TIME, 1);
}

static void comm_pid_tid_and_cpu_are_alternatives_each(void **state)
{
	static const char *const comms[] = {"db", "nobody"};
	static const int64_t pids[] = {10, 12}, tids[] = {21}, cpus[] = {0, 3};
	static const struct {
		struct selection wanted;
		uint64_t passed;
		enum select_reason reason;
	} cases[] = {
		{{.comms = comms, .comms_nr = 2}, 4, SELECT_COMM},
		{{.pids = pids, .pids_nr = 2}, 8, SELECT_PID},
		{{.tids = tids, .tids_nr = 1}, 4, SELECT_TID},
		{{.cpus = cpus, .cpus_nr = 2}, 6, SELECT_CPU},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(world_release) struct world world;

		world_init(&world);
		world.wanted = cases[i].wanted;
		world.wanted.all_events = true;
		say_all(&world);
		expect(&world, cases[i].passed, cases[i].reason, SAMPLES_NR - cases[i].passed);
	}
}

static uint32_t alike_as_it_is(const struct sink *sink, uint32_t task)
{
	(void)sink;
	return task;
}

/* Only of tasks that are known to pass, and where nothing but event and task is asked for. */
static void tasks_are_alike_where_samples_need_no_look(void **state)
{
	static const char *const comms[] = {"db"};
	static const int64_t cpus[] = {0, 1, 2, 3};

	(void)state;
	for (int i = 0; i < 4; i++) {
		CLEANUP(world_release) struct world world;

		world_init(&world);
		world.listener.sink.alike = i == 3 ? NULL : alike_as_it_is;
		world.wanted.all_events = true;
		world.wanted.comms = comms;
		world.wanted.comms_nr = 1;
		world.wanted.cpus = cpus;
		world.wanted.cpus_nr = i == 1 ? ARRAY_NR(cpus) : 0;
		world.wanted.to = (struct moment){.is_set = i == 2, .ns = UINT64_MAX};
		say_all(&world);
		assert_int_equal(sink_alike(&world.select.sink, world.tasks[1]),
				 i ? SINK_ALIKE_NONE : world.tasks[1]);
		assert_int_equal(sink_alike(&world.select.sink, world.tasks[0]), SINK_ALIKE_NONE);
		assert_int_equal(sink_alike(&world.select.sink, TASK_NONE), SINK_ALIKE_NONE);
	}
}

static void every_sample_passes_or_has_one_reason(void **state)
{
	static const char *const comms[] = {"web"};
	static const int64_t cpus[] = {0, 1}, tids[] = {20};
	CLEANUP(world_release) struct world world;
	weight sum;

	(void)state;
	world_init(&world);
	world.wanted = (struct selection){.comms = comms,
					  .comms_nr = 1,
					  .cpus = cpus,
					  .cpus_nr = 2,
					  .tids = tids,
					  .tids_nr = 1,
					  .to = {.ns = 104 * SECOND, .is_set = true}};
	say_all(&world);
	sum = world.select.count.passed;
	for (int i = 0; i < SELECT_REASON_NR; i++)
		sum += world.select.count.left_out[i];
	assert_true(sum == weight_of(SAMPLES_NR));
}

static void sample_without_a_task_is_of_no_comm_and_no_tid(void **state)
{
	static const int64_t tids[] = {20};
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted = (struct selection){.tids = tids, .tids_nr = 1, .all_events = true};
	select_init(&world.select, &world.capture, &world.wanted, &world.listener.sink);
	say(&world,
	    &(struct sample){.task = TASK_NONE, .leaf = LOCATION_NONE, .count = weight_of(3)});
	expect(&world, 0, SELECT_TID, 3);
}

static void error_of_the_next_sink_is_handed_up(void **state)
{
	CLEANUP(world_release) struct world world;
	struct sample sample = {.leaf = LOCATION_NONE, .count = WEIGHT_ONE};
	struct error *err;

	(void)state;
	world_init(&world);
	world.listener.fail_after = 1;
	select_init(&world.select, &world.capture, &world.wanted, &world.listener.sink);
	say(&world, &sample);
	err = sink_sample(&world.select.sink, &sample);
	assert_non_null(err);
	assert_string_equal(error_text(err), "the listener has had enough");
	error_free(err);
}

static uint32_t always_nine(const struct sink *sink)
{
	(void)sink;
	return 9;
}

static void what_was_left_out_is_not_known(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	world.wanted.event = "faults";
	world.listener.sink.known = always_nine;
	select_init(&world.select, &world.capture, &world.wanted, &world.listener.sink);
	say(&world, &(struct sample){.task = world.tasks[0], .event = world.events[1]});
	assert_int_equal(sink_known(&world.select.sink), 9);
	say(&world, &(struct sample){.task = world.tasks[0], .event = world.events[0]});
	assert_int_equal(sink_known(&world.select.sink), SAMPLE_NOT_KNOWN);
	world.listener.sink.known = NULL;
	say(&world, &(struct sample){.task = world.tasks[0], .event = world.events[1]});
	assert_int_equal(sink_known(&world.select.sink), SAMPLE_NOT_KNOWN);
}

static void moments_are_absolute_or_relative(void **state)
{
	struct moment moment = {0};

	(void)state;
	assert_true(select_parse_moment("701.25", 6, &moment));
	assert_true(moment.is_set && !moment.is_relative);
	assert_true(moment.ns == UINT64_C(701250000000));
	assert_true(select_parse_moment("+250ms", 6, &moment));
	assert_true(moment.is_relative);
	assert_true(moment.ns == 250000000);
	assert_false(select_parse_moment("", 0, &moment));
	assert_false(select_parse_moment("+", 1, &moment));
	assert_false(select_parse_moment("++1", 3, &moment));
	assert_false(select_parse_moment("-1", 2, &moment));
	assert_false(select_parse_moment("noon", 4, &moment));
	assert_true(moment.ns == 250000000);
}

static void reasons_are_the_options_that_made_them(void **state)
{
	(void)state;
	assert_string_equal(select_reason_word(SELECT_EVENT), "--event");
	assert_string_equal(select_reason_word(SELECT_TIME), "--from/--to");
	assert_string_equal(select_reason_word(SELECT_CPU), "--cpu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_samples_event_passes_where_none_is_named),
		cmocka_unit_test(all_events_pass_where_that_is_asked_for),
		cmocka_unit_test(named_event_passes),
		cmocka_unit_test(event_named_without_modifiers_passes),
		cmocka_unit_test(samples_of_each_event_are_counted_selected_or_not),
		cmocka_unit_test(ranges_hold_their_begin_and_not_their_end),
		cmocka_unit_test(ranges_are_exact_to_the_nanosecond),
		cmocka_unit_test(relative_moments_count_from_the_first_sample),
		cmocka_unit_test(moment_beyond_all_time_does_not_overflow),
		cmocka_unit_test(sample_without_time_is_in_no_range),
		cmocka_unit_test(comm_pid_tid_and_cpu_are_alternatives_each),
		cmocka_unit_test(tasks_are_alike_where_samples_need_no_look),
		cmocka_unit_test(every_sample_passes_or_has_one_reason),
		cmocka_unit_test(sample_without_a_task_is_of_no_comm_and_no_tid),
		cmocka_unit_test(error_of_the_next_sink_is_handed_up),
		cmocka_unit_test(what_was_left_out_is_not_known),
		cmocka_unit_test(moments_are_absolute_or_relative),
		cmocka_unit_test(reasons_are_the_options_that_made_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
