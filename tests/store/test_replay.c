/* test_replay.c - what was said to the store is said again: the same ids, in the same order */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/replay.h"
#include "tests/support/stored.h"

static const char text[] = "relay  10/11 [000]  5.000000:  100 cycles: \n"
			   "\t  10 f+0x0 (/opt/relay)\n\t  20 main+0x0 (/opt/relay)\n\n"
			   "relay  10/12 [001]  6.000000:  7 cycles: \n"
			   "\t  14 f+0x4 (/opt/relay)\n\t  20 main+0x0 (/opt/relay)\n\n"
			   "idle  0/0 [001]  7.000000:  18446744073709551615 faults: \n\n"
			   "relay  10/11 [000]  8.000000:  18446744073709551615 cycles: \n"
			   "\t  30 g+0x0 (/lib/libc.so.6)\n\t  20 main+0x0 (/opt/relay)\n\n"
			   "relay  10/11 [000]  9.000000:  3 cycles: \n"
			   "\t  30 [unknown] (/lib/libc.so.6)\n\n";

static const struct replay_options samples = {.needs_samples = true};
static const struct replay_options whole = {0};

struct both {
	struct stored stored;
	struct capture capture, model;
	struct listener said, heard;
	struct replay_count count;
};

static void both_init(struct both *both, const char *of, const struct replay_options *options)
{
	stored_init(&both->stored);
	stored_hear(of, &both->capture, &both->said);
	stored_add(&both->stored, "run", &both->capture, &both->said);
	stored_replay(&both->stored, 0, options, &both->model, &both->heard, &both->count);
}

static void both_release(struct both *both)
{
	stored_release(&both->stored);
	listener_release(&both->said);
	listener_release(&both->heard);
	capture_release(&both->capture);
	capture_release(&both->model);
}

static void expect_same_words(const struct both *both)
{
	CLEANUP(text_release) struct text said = TEXT_INIT, heard = TEXT_INIT;

	listener_show(&both->said, &both->capture, &said);
	listener_show(&both->heard, &both->model, &heard);
	assert_string_equal(text_string(&heard), text_string(&said));
}

static void what_goes_in_comes_out_with_the_same_ids(void **state)
{
	struct both both;

	(void)state;
	both_init(&both, text, &samples);
	assert_int_equal(both.heard.nr, 5);
	assert_int_equal(both.heard.nr, both.said.nr);
	assert_memory_equal(both.heard.list, both.said.list, 5 * sizeof(struct sample));
	expect_same_words(&both);
	assert_int_equal(both.model.stacks.nr, both.capture.stacks.nr);
	assert_int_equal(both.model.locations.nr, both.capture.locations.nr);
	assert_int_equal(both.model.tasks.nr, both.capture.tasks.nr);
	assert_int_equal(both.model.modules.nr, both.capture.modules.nr);
	assert_true(both.model.start_ns == UINT64_C(5000000000));
	assert_true(both.model.end_ns == UINT64_C(9000000000));
	assert_true(both.model.has_times && both.model.has_first_event && both.model.is_counted);
	assert_true(both.model.events.list[0].samples == weight_of(4));
	assert_true(both.count.left_out == 0);
	both_release(&both);
}

static void losses_come_out_with_their_seconds(void **state)
{
	static const char lossy[] = "relay  10/11 [000]  5.000000:  100 cycles: \n"
				    "\t  10 f+0x0 (/opt/relay)\n\n"
				    "relay 10/11 [000] 5.100000: PERF_RECORD_LOST lost 12\n"
				    "relay 10/11 [000] 7.100000: PERF_RECORD_LOST lost 30\n"
				    "relay 10/11 [000] 7.100000: PERF_RECORD_LOST_SAMPLES lost 7\n";
	static const struct replay_options *const roads[] = {&samples, &whole};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(roads); i++) {
		struct both both;

		both_init(&both, lossy, roads[i]);
		assert_int_equal(both.capture.losses.nr, 3);
		assert_int_equal(both.model.losses.nr, 3);
		assert_memory_equal(both.model.losses.list, both.capture.losses.list,
				    3 * sizeof(struct loss));
		assert_int_equal(both.model.losses.list[1].second, 7);
		assert_int_equal(both.model.losses.list[1].count, 30);
		both_release(&both);
	}
}

static void events_keep_name_unit_and_periods(void **state)
{
	struct both both;

	(void)state;
	both_init(&both, text, &whole);
	assert_int_equal(both.model.events.nr, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct event *event = &both.model.events.list[i];
		const struct event *expected = &both.capture.events.list[i];

		assert_string_equal(names_display(&both.model.names, event->name),
				    names_display(&both.capture.names, expected->name));
		assert_int_equal(event->unit, expected->unit);
		assert_int_equal(event->has_periods, expected->has_periods);
		assert_true(event->samples == expected->samples);
	}
	both_release(&both);
}

static void path_weights_add_up_to_the_samples(void **state)
{
	weight said = 0, heard = 0, count = 0;
	struct both both;

	(void)state;
	both_init(&both, text, &whole);
	for (size_t i = 0; i < both.said.nr; i++)
		said += both.said.list[i].period;
	for (size_t i = 0; i < both.heard.nr; i++) {
		heard += both.heard.list[i].period;
		count += both.heard.list[i].count;
		assert_int_equal(both.heard.list[i].flags, 0);
		assert_int_equal(both.heard.list[i].cpu, CPU_NONE);
	}
	assert_true(heard == said);
	assert_true(heard == weight_of(UINT64_MAX) * 2 + weight_of(110));
	assert_true(count == weight_of(5));
	both_release(&both);
}

static void samples_of_one_path_and_task_are_one_weight(void **state)
{
	static const char two[] = "x  1 5.000000:  2 cycles: \n\t 10 f+0x0 (/a)\n\n"
				  "x  1 6.000000:  3 cycles: \n\t 14 f+0x4 (/a)\n\n"
				  "x  2 7.000000:  4 cycles: \n\t 14 f+0x4 (/a)\n\n";
	struct both both;

	(void)state;
	both_init(&both, two, &whole);
	assert_int_equal(both.heard.nr, 2);
	assert_true(both.heard.list[0].count == weight_of(2));
	assert_true(both.heard.list[0].period == weight_of(5));
	assert_true(both.heard.list[1].period == weight_of(4));
	both_release(&both);
}

static void unsorted_samples_come_in_the_order_of_time(void **state)
{
	static const char unsorted[] = "x  1 7.000000:  1 cycles: \n\n"
				       "x  1 5.000000:  2 cycles: \n\n"
				       "x  1 5.000000:  3 cycles: \n\n"
				       "x  1 6.000000:  4 cycles: \n\n";
	static const unsigned expected[] = {2, 3, 4, 1};
	struct both both;

	(void)state;
	both_init(&both, unsorted, &samples);
	assert_int_equal(both.heard.nr, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(both.heard.list[i].period == weight_of(expected[i]));
	/* what "+1" counts from is the first sample of the file */
	assert_true(both.model.start_ns == UINT64_C(7000000000));
	assert_true(both.model.end_ns == UINT64_C(7000000000));
	both_release(&both);
}

static void captures_without_times_tasks_and_cpus_come_out(void **state)
{
	struct both both;

	(void)state;
	both_init(&both, "main;f 3\nmain;caf\xe9 0.25\nmain;f;größe 18446744073709551615\n",
		  &samples);
	assert_int_equal(both.heard.nr, 3);
	assert_memory_equal(both.heard.list, both.said.list, 3 * sizeof(struct sample));
	expect_same_words(&both);
	assert_false(both.model.has_times);
	assert_int_equal(both.heard.list[0].task, TASK_NONE);
	assert_true(both.heard.list[1].count == WEIGHT_ONE / 4);
	both_release(&both);
}

static void samples_without_a_chain_have_no_leaf(void **state)
{
	struct both both;

	(void)state;
	both_init(&both, "x  1 7.000000:  1 cycles: \n\n", &samples);
	assert_int_equal(both.heard.list[0].leaf, LOCATION_NONE);
	assert_int_equal(stacks_depth(&both.model.stacks, both.heard.list[0].callers), 0);
	both_release(&both);
	both_init(&both, "x  1 7.000000:  1 cycles: \n\n", &whole);
	assert_int_equal(both.heard.list[0].leaf, LOCATION_NONE);
	both_release(&both);
}

/* ---- ranges */

static void expect_range(struct both *both, uint64_t from_ns, uint64_t to_ns, size_t first,
			 size_t nr, unsigned left_out)
{
	const struct replay_options range = {
		.needs_samples = true, .has_range = true, .from_ns = from_ns, .to_ns = to_ns};

	listener_release(&both->heard);
	capture_release(&both->model);
	stored_replay(&both->stored, 0, &range, &both->model, &both->heard, &both->count);
	assert_int_equal(both->heard.nr, nr);
	assert_true(both->count.left_out == weight_of(left_out));
	for (size_t i = 0; i < nr; i++)
		assert_true(both->heard.list[i].time_ns == both->said.list[first + i].time_ns);
}

static void ranges_are_found_by_bisection(void **state)
{
	const uint64_t s = UINT64_C(1000000000);
	struct both both;

	(void)state;
	both_init(&both, text, &samples);
	expect_range(&both, 0, UINT64_MAX, 0, 5, 0);
	expect_range(&both, 5 * s, 6 * s, 0, 1, 4);
	expect_range(&both, 5 * s + 1, 6 * s + 1, 1, 1, 4);
	expect_range(&both, 6 * s, 9 * s, 1, 3, 2);
	expect_range(&both, 9 * s, UINT64_MAX, 4, 1, 4);
	expect_range(&both, 9 * s + 1, UINT64_MAX, 0, 0, 5);
	expect_range(&both, 0, 5 * s, 0, 0, 5);
	expect_range(&both, 8 * s, 6 * s, 0, 0, 5);
	both_release(&both);
}

static void a_small_range_reads_only_what_it_needs(void **state)
{
	const struct replay_options range = {.needs_samples = true,
					     .has_range = true,
					     .from_ns = UINT64_C(9000000000),
					     .to_ns = UINT64_MAX};
	struct replay_options all_names = range;
	struct both both;

	(void)state;
	both_init(&both, text, &range);
	assert_int_equal(both.heard.nr, 1);
	assert_int_equal(both.model.locations.nr, 1);
	assert_int_equal(both.model.stacks.nr, 1);
	all_names.needs_all_names = true;
	listener_release(&both.heard);
	capture_release(&both.model);
	stored_replay(&both.stored, 0, &all_names, &both.model, &both.heard, &both.count);
	assert_int_equal(both.model.locations.nr, both.capture.locations.nr);
	assert_int_equal(both.model.stacks.nr, both.capture.stacks.nr);
	both_release(&both);
}

static void samples_without_times_are_in_no_range(void **state)
{
	static const char mixed[] = "x  1 5.000000:  1 cycles: \n\n"
				    "x  1 cycles: \n\n"
				    "x  1 6.000000:  3 cycles: \n\n";
	struct both both;

	(void)state;
	both_init(&both, mixed, &samples);
	assert_int_equal(both.heard.nr, 3);
	assert_int_equal(both.heard.list[0].flags, 0); /* it comes first */
	assert_true(both.heard.list[1].time_ns == UINT64_C(5000000000));
	both.said.list[1] = both.said.list[2]; /* what a range can say */
	expect_range(&both, 0, UINT64_MAX, 0, 2, 1);
	both_release(&both);
}

static void expect_range_of_folded(struct both *both)
{
	const struct replay_options range = {
		.needs_samples = true, .has_range = true, .from_ns = 0, .to_ns = UINT64_MAX};

	listener_release(&both->heard);
	capture_release(&both->model);
	stored_replay(&both->stored, 0, &range, &both->model, &both->heard, &both->count);
	assert_int_equal(both->heard.nr, 0);
	assert_true(both->count.left_out == weight_of(7) + WEIGHT_ONE / 4);
}

static void what_a_range_leaves_out_is_counted_as_it_weighs(void **state)
{
	struct both both;

	(void)state;
	both_init(&both, "main;f 3\nmain;g 4.25\n", &samples);
	expect_range_of_folded(&both);
	both_release(&both);
}

/* ---- several captures */

static void two_captures_do_not_mix(void **state)
{
	struct listener first, second;
	struct capture one, two;
	struct replay_count count;
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "first", text);
	stored_add_text(&stored, "second", "main;other 3\n");
	stored_add_text(&stored, "third", text);
	stored_replay(&stored, 0, &samples, &one, &first, &count);
	stored_replay(&stored, 1, &samples, &two, &second, &count);
	assert_int_equal(first.nr, 5);
	assert_int_equal(second.nr, 1);
	assert_int_equal(two.locations.nr, 2);
	listener_release(&second);
	capture_release(&two);
	stored_replay(&stored, 2, &samples, &two, &second, &count);
	assert_int_equal(second.nr, 5);
	assert_memory_equal(first.list, second.list, 5 * sizeof(struct sample));
	assert_int_equal(two.locations.nr, one.locations.nr);
	listener_release(&first);
	listener_release(&second);
	capture_release(&one);
	capture_release(&two);
	stored_release(&stored);
}

static void notes_and_facts_come_out(void **state)
{
	struct both both;

	(void)state;
	both_init(&both,
		  "# hostname : relay-7\n#\nx  1 7.000000:  1 cycles: \n\nlorem ipsum, dolor\n\n",
		  &samples);
	assert_string_equal(facts_find(&both.model.facts, "hostname"), "relay-7");
	assert_string_equal(facts_find(&both.model.facts, "build"), "42");
	assert_string_equal(facts_find(&both.model.facts, "load"), "a=b");
	assert_int_equal(both.capture.notes.list[NOTE_UNRECOGNISED_LINE].count, 1);
	assert_memory_equal(&both.model.notes, &both.capture.notes, sizeof(both.model.notes));
	both_release(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_in_comes_out_with_the_same_ids),
		cmocka_unit_test(losses_come_out_with_their_seconds),
		cmocka_unit_test(events_keep_name_unit_and_periods),
		cmocka_unit_test(path_weights_add_up_to_the_samples),
		cmocka_unit_test(samples_of_one_path_and_task_are_one_weight),
		cmocka_unit_test(unsorted_samples_come_in_the_order_of_time),
		cmocka_unit_test(captures_without_times_tasks_and_cpus_come_out),
		cmocka_unit_test(samples_without_a_chain_have_no_leaf),
		cmocka_unit_test(ranges_are_found_by_bisection),
		cmocka_unit_test(a_small_range_reads_only_what_it_needs),
		cmocka_unit_test(samples_without_times_are_in_no_range),
		cmocka_unit_test(what_a_range_leaves_out_is_counted_as_it_weighs),
		cmocka_unit_test(two_captures_do_not_mix),
		cmocka_unit_test(notes_and_facts_come_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
