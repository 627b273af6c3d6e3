/* test_summary.c - what is in a capture, counted while it is read */
#include "tests/test.h"

#include "analysis/summary.h"
#include "base/mem.h"
#include "base/reader.h"
#include "importers/perf_script.h"
#include "model/capture.h"
#include "tests/support/input.h"

struct counted {
	struct capture capture;
	struct summary summary;
};

static void counted_release(struct counted *counted)
{
	summary_release(&counted->summary);
	capture_release(&counted->capture);
}

static void count(struct counted *counted, const char *text)
{
	struct reader *reader = input_open_string(text);

	counted->capture = (struct capture){0};
	summary_init(&counted->summary, &counted->capture);
	assert_null(importer_perf_script.read(reader, &counted->capture, &counted->summary.sink));
	reader_close(reader);
}

static void samples_are_counted_by_what_they_have(void **state)
{
	CLEANUP(counted_release) struct counted counted;

	(void)state;
	count(&counted, "a 1 1.000000: 5 c: \n\t10 f\n\t20 main\n\n"
			"a 1 2.000000: 5 c: \n\t10 [unknown] (/opt/x)\n\n"
			"a 1 3.000000: 5 c: \n\n");
	assert_true(counted.summary.samples == weight_of(3));
	assert_true(counted.summary.callchains == weight_of(1));
	assert_true(counted.summary.without_chain == weight_of(1));
	assert_true(summary_unnamed(&counted.summary) == weight_of(1));
}

static void modules_count_their_leaves_and_those_that_have_a_name(void **state)
{
	CLEANUP(counted_release) struct counted counted;
	struct summary_module *modules;
	uint32_t place = 0;

	(void)state;
	count(&counted, "a 1 1.000000: 5 c: \n\t10 f (/opt/x)\n\t20 main (/bin/a)\n\n"
			"a 1 2.000000: 5 c: \n\t10 [unknown] (/opt/x)\n\n"
			"a 1 3.000000: 5 c: \n\t10 [unknown] (/opt/x)\n\n");
	modules = summary_modules(&counted.summary);
	assert_int_equal(counted.capture.modules.nr, 2);
	assert_true(modules[0].samples == weight_of(3) && modules[0].named == weight_of(1));
	assert_true(modules[1].samples == 0 && modules[1].named == 0);
	free(modules);

	/* what is named later counts, too */
	while (locations_get(&counted.capture.locations, place)->name != NAME_NONE)
		place++;
	frames_add(&counted.capture.frames, place, &(struct frame){.function = 0});
	modules = summary_modules(&counted.summary);
	assert_true(modules[0].named == weight_of(3));
	assert_true(summary_unnamed(&counted.summary) == 0);
	free(modules);
}

static void first_last_and_backward_times_are_kept(void **state)
{
	CLEANUP(counted_release) struct counted counted;

	(void)state;
	count(&counted, "a 1 5.000000: 5 c: \n\na 1 2.000000: 5 c: \n\na 1 3.000000: 5 c: \n\n"
			"a 1 9.000000: 5 c: \n\na 1 8.000000: 5 c: \n\n");
	assert_true(counted.summary.has_times);
	assert_true(counted.summary.first_ns == UINT64_C(2000000000));
	assert_true(counted.summary.last_ns == UINT64_C(9000000000));
	assert_int_equal(counted.summary.backwards, 2);
}

static void samples_and_periods_are_added_up_per_event(void **state)
{
	CLEANUP(counted_release) struct counted counted;

	(void)state;
	count(&counted, "a 1 1.000000: 5 c: \n\na 1 1.000000: 7 d: \n\na 1 1.000000: 9 c: \n\n");
	assert_int_equal(counted.summary.events_nr, 2);
	assert_true(counted.summary.events[0].period == weight_of(14));
	assert_true(counted.summary.events[1].period == weight_of(7));
	assert_true(counted.summary.events[0].samples == weight_of(2));
	assert_true(counted.summary.events[1].samples == WEIGHT_ONE);
}

static void text_without_times_has_none(void **state)
{
	CLEANUP(counted_release) struct counted counted;

	(void)state;
	count(&counted, "a \n\t10 f\n\n");
	assert_false(counted.summary.has_times);
	assert_true(counted.summary.samples == WEIGHT_ONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_counted_by_what_they_have),
		cmocka_unit_test(modules_count_their_leaves_and_those_that_have_a_name),
		cmocka_unit_test(first_last_and_backward_times_are_kept),
		cmocka_unit_test(samples_and_periods_are_added_up_per_event),
		cmocka_unit_test(text_without_times_has_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
