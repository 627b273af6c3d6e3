/* test_losses.c - what a recording lost: LOST, LOST_SAMPLES and stopped events kept apart */
#include "tests/test.h"

#include "importers/perf_data/losses.h"

#include <inttypes.h>

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	LOST = 2,
	THROTTLE = 5,
	UNTHROTTLE = 6,
	LOST_SAMPLES = 13,
	OF_BPF = 1 << 15,
};

#define TYPE   (1 << 0 | 1 << 1 | 1 << 2 | 1 << 6) /* IP TID TIME ID */
#define ID_ALL (1 << 18)
#define SECOND UINT64_C(1000000000)

/* Two events, cycles with the ids 11 and 12 (one a CPU) and faults with 21. */
static void two_events(struct builder *builder)
{
	builder_attr(builder, (struct builder_attr){.type = 0,
						    .sample_type = TYPE,
						    .flags = ID_ALL,
						    .ids = {11, 12},
						    .ids_nr = 2});
	builder_attr(builder, (struct builder_attr){.type = 1,
						    .config = 2,
						    .sample_type = TYPE,
						    .flags = ID_ALL,
						    .ids = {21},
						    .ids_nr = 1});
}

/* The attr is told by the trailer's id. */
static void lost_samples_of(struct builder *builder, unsigned attr, uint16_t misc, uint64_t lost)
{
	builder_begin(builder, LOST_SAMPLES, misc);
	builder_u64(builder, &builder->data, lost);
	builder_trailer(builder, attr, 0, 0, 0);
	builder_end(builder);
}

static void throttle(struct builder *builder, uint32_t type, uint64_t time, uint64_t id,
		     uint64_t stream_id)
{
	builder_begin(builder, type, 0);
	builder_u64(builder, &builder->data, time);
	builder_u64(builder, &builder->data, id);
	builder_u64(builder, &builder->data, stream_id);
	builder_trailer(builder, 0, 0, 0, time);
	builder_end(builder);
}

/* Lines "kind event second count ns". */
static void expect_losses(const struct builder *builder, const char *expected)
{
	CLEANUP(heard_release) struct heard heard;
	CLEANUP(text_release) struct text lines = TEXT_INIT;
	const struct capture *capture = &heard.capture;

	heard_built(&heard, builder);
	for (uint32_t i = 0; i < capture->losses.nr; i++) {
		const struct loss *loss = &capture->losses.list[i];

		text_addf(&lines, "%s %s ", loss_word(loss->kind),
			  loss->event == EVENT_NONE
				  ? "-"
				  : names_display(&capture->names,
						  capture->events.list[loss->event].name));
		if (loss->second == LOSS_NO_SECOND)
			text_add_char(&lines, '-');
		else
			text_addf(&lines, "%" PRIu64, loss->second);
		text_addf(&lines, " %" PRIu64 " %" PRIu64 "\n", loss->count, loss->ns);
	}
	assert_string_equal(text_string(&lines), expected);
}

static void losses_have_their_second_or_their_event(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	two_events(&builder);
	builder_lost(&builder, 3, 5 * SECOND);
	builder_lost(&builder, 4, 5 * SECOND + 1);
	builder_lost(&builder, 1, 6 * SECOND);
	lost_samples_of(&builder, 0, 0, 6);
	lost_samples_of(&builder, 1, 0, 2);
	expect_losses(&builder, "samples cycles - 6 0\n"
				"samples page-faults - 2 0\n"
				"events - 5 7 0\n"
				"events - 6 1 0\n");
}

static void what_a_filter_left_out_is_not_lost(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	two_events(&builder);
	lost_samples_of(&builder, 0, OF_BPF, 6);
	expect_losses(&builder, "filtered cycles - 6 0\n");
	heard_built(&heard, &builder);
	assert_int_equal(heard.capture.lost_samples, 0);
}

static void stopped_events_are_told_by_cpu_and_second(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	two_events(&builder);
	throttle(&builder, THROTTLE, 5 * SECOND + 10, 11, 11);
	throttle(&builder, THROTTLE, 5 * SECOND + 20, 12, 12);
	throttle(&builder, UNTHROTTLE, 5 * SECOND + 30, 11, 11);
	throttle(&builder, UNTHROTTLE, 6 * SECOND + 5, 12, 12);
	expect_losses(&builder, "throttled cycles 5 2 1000000000\n"
				"throttled cycles 6 0 5\n");
}

static void stop_without_an_end_has_no_length(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	two_events(&builder);
	throttle(&builder, UNTHROTTLE, 4 * SECOND, 21, 21); /* stopped before the recording */
	throttle(&builder, THROTTLE, 5 * SECOND, 21, 21);
	throttle(&builder, THROTTLE, 6 * SECOND, 11, 11);
	throttle(&builder, UNTHROTTLE, 6 * SECOND + 7, 11, 11);
	expect_losses(&builder, "throttled page-faults 5 1 0\n"
				"throttled cycles 6 1 7\n"
				"still-throttled page-faults 5 1 0\n");
}

static void unknown_ids_are_of_no_event(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	two_events(&builder);
	throttle(&builder, THROTTLE, 5 * SECOND, 99, 0);
	throttle(&builder, UNTHROTTLE, 5 * SECOND + 3, 99, 0);
	expect_losses(&builder, "throttled - 5 1 3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(losses_have_their_second_or_their_event),
		cmocka_unit_test(what_a_filter_left_out_is_not_lost),
		cmocka_unit_test(stopped_events_are_told_by_cpu_and_second),
		cmocka_unit_test(stop_without_an_end_has_no_length),
		cmocka_unit_test(unknown_ids_are_of_no_event),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
