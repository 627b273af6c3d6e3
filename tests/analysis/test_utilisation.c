/* test_utilisation.c - CPU over time, from samples */
#include "tests/test.h"

#include <math.h>

#include "analysis/frame_marks.h"
#include "analysis/naming.h"
#include "analysis/track.h"
#include "analysis/utilisation.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "model/capture.h"
#include "tests/support/input.h"

struct used {
	struct capture capture;
	struct utilisation utilisation;
};

static void used_release(struct used *used)
{
	utilisation_release(&used->utilisation);
	capture_release(&used->capture);
}

static void use(struct used *used, const char *text)
{
	struct reader *reader = input_open_string(text);

	used->capture = (struct capture){0};
	utilisation_init(&used->utilisation, &used->capture);
	assert_null(importer_perf_script.read(reader, &used->capture, &used->utilisation.sink));
	reader_close(reader);
}

/* Samples of a thread every 10 ms from 10.0 s on, nr of them. */
static void add_samples(struct text *text, const char *comm, int tid, int cpu, int first, int nr,
			const char *frame)
{
	for (int i = first; i < first + nr; i++)
		text_addf(text,
			  "%s 7/%d [%03d] %d.%02d0000: 10000000 cpu-clock: \n\t10 %s (/opt/x)\n"
			  "\t20 main (/opt/x)\n\n",
			  comm, tid, cpu, 10 + i / 100, i % 100, frame);
}

static double value_at(const struct track *track, uint64_t end_ns)
{
	for (size_t i = 0; i < track->nr; i++) {
		if (track->end_ns[i] == end_ns)
			return track->values[i];
	}
	return -1;
}

static void track_of(struct used *used, struct utilisation_of of, struct track *ret)
{
	track_init(ret, "cpu.util", TRACK_RATE);
	utilisation_track(&used->utilisation, &of, 0, ret);
}

#define S UINT64_C(1000000000)

static void bin_is_as_wide_as_the_rate_allows(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(track_release) struct track track;

	(void)state;
	add_samples(&text, "worker", 8, 0, 0, 100, "serve");
	add_samples(&text, "worker", 8, 0, 150, 25, "serve");
	use(&used, text_string(&text));
	assert_true(utilisation_finish(&used.utilisation));
	assert_false(used.utilisation.is_estimated);
	assert_true(used.utilisation.sample_ns == 1e7);
	assert_int_equal(used.utilisation.bin_ns, 500000000); /* 40 * 10 ms, rounded up */
	track_of(&used, (struct utilisation_of){.by = UTILISATION_ALL}, &track);
	assert_int_equal(track.nr, 4);
	assert_true(fabs(value_at(&track, 10 * S + S / 2) - 1) < 1e-9);
	assert_true(value_at(&track, 11 * S + S / 2) == 0);
	assert_true(fabs(value_at(&track, 12 * S) - 0.5) < 1e-9);
}

static void process_thread_cpu_and_frames_have_tracks_of_their_own(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(track_release) struct track thread, cpu, process, frame;
	CLEANUP(naming_release) struct naming naming;
	CLEANUP(frame_marks_release) struct frame_marks marks;
	static const struct naming_options plain;
	regex_t regex;

	(void)state;
	add_samples(&text, "worker", 8, 0, 0, 50, "serve");
	add_samples(&text, "other", 9, 1, 0, 50, "again");
	use(&used, text_string(&text));
	assert_true(utilisation_finish(&used.utilisation));
	track_of(&used, (struct utilisation_of){.by = UTILISATION_THREAD, .key = 8}, &thread);
	track_of(&used, (struct utilisation_of){.by = UTILISATION_CPU, .key = 1}, &cpu);
	track_of(&used, (struct utilisation_of){.by = UTILISATION_PROCESS, .key = 7}, &process);
	assert_true(fabs(thread.values[0] - 1) < 1e-9);
	assert_true(fabs(cpu.values[0] - 1) < 1e-9);
	assert_true(fabs(process.values[0] - 2) < 1e-9);
	naming_init(&naming, &used.capture, &plain);
	assert_int_equal(regcomp(&regex, "^aga", REG_EXTENDED | REG_NOSUB), 0);
	frame_marks_init(&marks, &naming, &regex);
	regfree(&regex);
	assert_int_equal(marks.functions_nr, 1);
	track_of(&used, (struct utilisation_of){.by = UTILISATION_ALL, .marks = &marks}, &frame);
	assert_true(fabs(frame.values[0] - 1) < 1e-9);
}

static void threads_called_alike_are_a_stage(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct utilisation_group *stages, *threads;
	size_t nr;
	uint32_t *of_task;

	(void)state;
	add_samples(&text, "worker-1", 8, 0, 0, 50, "serve");
	add_samples(&text, "worker-2", 9, 1, 0, 50, "serve");
	add_samples(&text, "producer", 10, 1, 0, 60, "put");
	add_samples(&text, "4711", 11, 1, 0, 1, "put");
	use(&used, text_string(&text));
	assert_true(utilisation_finish(&used.utilisation));
	stages = utilisation_stages(&used.utilisation, &nr, &of_task);
	assert_int_equal(nr, 3);
	assert_int_equal(stages[0].threads, 2);
	assert_true(stages[0].used_ns == 1e9);
	assert_string_equal(names_display(&used.capture.names, stages[1].comm), "producer");
	assert_string_equal(names_display(&used.capture.names, stages[2].comm), "4711");
	assert_int_equal(of_task[0], 0);
	assert_int_equal(of_task[1], 0);
	free(stages);
	free(of_task);
	threads = utilisation_groups(&used.utilisation, UTILISATION_THREAD, &nr);
	assert_int_equal(nr, 4);
	assert_int_equal(threads[0].key, 10);
	assert_int_equal(threads[1].key, 8); /* as much as 9: by key */
	free(threads);
}

static void time_that_was_lost_is_not_known(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(track_release) struct track track;
	struct loss few = {.kind = LOSS_EVENTS, .event = EVENT_NONE, .second = 10, .count = 5};
	struct loss many = {.kind = LOSS_EVENTS, .event = EVENT_NONE, .second = 11, .count = 50};

	(void)state;
	add_samples(&text, "worker", 8, 0, 0, 250, "serve");
	use(&used, text_string(&text));
	losses_add(&used.capture.losses, &few);
	losses_add(&used.capture.losses, &many);
	losses_add_throttled(&used.capture.losses, 0, 12 * S + S / 5, 12 * S + S / 2);
	assert_true(utilisation_finish(&used.utilisation));
	track_of(&used, (struct utilisation_of){.by = UTILISATION_ALL}, &track);
	assert_false(isnan(value_at(&track, 11 * S)));
	assert_true(isnan(value_at(&track, 11 * S + S / 2)));
	assert_true(isnan(value_at(&track, 12 * S)));
	assert_true(isnan(value_at(&track, 12 * S + S / 2)));
	assert_true(utilisation_is_lost(&used.utilisation, 11 * S, 11 * S + 1));
	assert_false(utilisation_is_lost(&used.utilisation, 13 * S, 14 * S));
}

static void idle_tasks_and_other_events_are_left_out(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	add_samples(&text, "swapper", 0, 0, 0, 10, "idle");
	text_add(&text, "a 7/8 [000] 10.500000: 1 page-faults: \n\t10 f (/x)\n\n");
	add_samples(&text, "a", 8, 0, 60, 10, "f");
	use(&used, text_string(&text));
	assert_int_equal(used.utilisation.idle, 10);
	assert_true(utilisation_finish(&used.utilisation));
	assert_int_equal(used.utilisation.nr, 10);
}

static void event_that_counts_no_time_is_estimated(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(track_release) struct track track;

	(void)state;
	for (int i = 0; i < 100; i++)
		text_addf(&text, "a 7/8 [000] 10.%02d0000: 123456 cycles: \n\t10 f (/x)\n\n", i);
	use(&used, text_string(&text));
	assert_true(utilisation_finish(&used.utilisation));
	assert_true(used.utilisation.is_estimated);
	assert_true(used.utilisation.sample_ns == 1e7);
	track_of(&used, (struct utilisation_of){.by = UTILISATION_ALL}, &track);
	assert_true(fabs(track.values[0] - 1) < 1e-9);
}

/* Samples of 10 ms: one thread works for 200 ms and then not for 300, the other for 10 ms out
 * of 30. */
static void thread_that_works_on_is_told_from_one_that_waits_within_items(void **state)
{
	CLEANUP(used_release) struct used used;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(track_release) struct track stopped, waiting;

	(void)state;
	for (int i = 0; i < 300; i++) {
		if (i % 50 < 20)
			add_samples(&text, "a", 8, 0, i, 1, "f");
		if (i % 3 == 0)
			add_samples(&text, "b", 9, 1, i, 1, "f");
	}
	use(&used, text_string(&text));
	assert_true(utilisation_finish(&used.utilisation));
	track_init(&stopped, "cpu.run_on", TRACK_RATE);
	track_init(&waiting, "cpu.run_on", TRACK_RATE);
	utilisation_run_on(&used.utilisation,
			   &(struct utilisation_of){.by = UTILISATION_THREAD, .key = 8}, &stopped);
	utilisation_run_on(&used.utilisation,
			   &(struct utilisation_of){.by = UTILISATION_THREAD, .key = 9}, &waiting);
	assert_int_equal(stopped.nr, 6);
	assert_true(stopped.values[3] == 0.95);
	assert_true(waiting.values[3] == 0);
}

static void no_sample_is_no_utilisation(void **state)
{
	CLEANUP(used_release) struct used used;

	(void)state;
	use(&used, "");
	assert_false(utilisation_finish(&used.utilisation));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bin_is_as_wide_as_the_rate_allows),
		cmocka_unit_test(process_thread_cpu_and_frames_have_tracks_of_their_own),
		cmocka_unit_test(threads_called_alike_are_a_stage),
		cmocka_unit_test(time_that_was_lost_is_not_known),
		cmocka_unit_test(idle_tasks_and_other_events_are_left_out),
		cmocka_unit_test(event_that_counts_no_time_is_estimated),
		cmocka_unit_test(thread_that_works_on_is_told_from_one_that_waits_within_items),
		cmocka_unit_test(no_sample_is_no_utilisation),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
