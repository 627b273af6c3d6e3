/* test_perf_script_clock.c - the header of a text tells its clock, and a moment of wall time */
#include "tests/test.h"

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "tests/support/listener.h"

#define EVENT                                                                                    \
	"# event : name = cpu-clock, , id = { 1 }, type = 1, sample_type = IP|TID|TIME|PERIOD, " \
	"inherit = 1"
#define SAMPLE "\nrelay 1/1 2817.054712: 100 cpu-clock: \n\t20 main+0x0 (/x)\n\n"
#define REFERENCE \
	"\n# reference time: 2026-11-30 03:01:31.567381 = 1796007691.567381 (TOD) = 2816.987675888 "

static void hear(const char *text, struct capture *capture)
{
	struct listener listener;

	listener_init(&listener);
	listener_hear(&listener, &importer_perf_script, text, strlen(text), capture);
	listener_release(&listener);
}

static void clock_is_that_of_the_first_event_with_times(void **state)
{
	static const struct {
		const char *text;
		enum source_clock clock;
	} texts[] = {
		{SAMPLE, SOURCE_CLOCK_UNKNOWN},
		{EVENT SAMPLE, SOURCE_CLOCK_PERF},
		{EVENT ", use_clockid = 1, clockid = 1" SAMPLE, SOURCE_CLOCK_MONOTONIC},
		{EVENT ", use_clockid = 1, clockid = 4" SAMPLE, SOURCE_CLOCK_MONOTONIC_RAW},
		/* what is 0 is not printed */
		{EVENT ", use_clockid = 1" SAMPLE, SOURCE_CLOCK_REALTIME},
		{EVENT ", use_clockid = 1, clockid = 99999999999" SAMPLE, SOURCE_CLOCK_UNKNOWN},
		{"# event : name = dummy, sample_type = IP|TID\n" EVENT
		 ", use_clockid = 1, clockid = 7" SAMPLE,
		 SOURCE_CLOCK_BOOTTIME},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++) {
		CLEANUP(capture_release) struct capture capture = {0};

		hear(texts[i].text, &capture);
		assert_int_equal(capture.clock, texts[i].clock);
		assert_int_equal(capture.ties.nr, 0);
	}
}

static void reference_time_is_a_tie(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	const struct clock_tie *tie;

	(void)state;
	hear(EVENT ", use_clockid = 1, clockid = 1" REFERENCE "(monotonic)" SAMPLE, &capture);
	assert_int_equal(capture.ties.nr, 1);
	tie = &capture.ties.list[0];
	assert_int_equal(tie->how, TIE_CLOCK_DATA);
	assert_int_equal(tie->first_ns, UINT64_C(2816987675888));
	assert_int_equal(tie->offset_ns - (int64_t)tie->error_ns,
			 INT64_C(1796007691567381000) - INT64_C(2816987675888));
	assert_int_equal(tie->drift_ppb, 0);
}

static void reference_that_is_none_is_left_alone(void **state)
{
	static const char *const texts[] = {
		EVENT REFERENCE "(perf)" SAMPLE,
		EVENT ", use_clockid = 1" REFERENCE "(realtime)" SAMPLE,
		EVENT ", use_clockid = 1, clockid = 1\n# reference time: tomorrow" SAMPLE,
		EVENT ", use_clockid = 1, clockid = 1\n# reference time: x = 12.5 (TOD) = " SAMPLE,
		EVENT ", use_clockid = 1, clockid = 1\n# reference time: x = 12.5 (TOD)" SAMPLE,
		EVENT ", use_clockid = 1, clockid = 1\n# reference time: x = 1.5 = 2.5 (m)" SAMPLE,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++) {
		CLEANUP(capture_release) struct capture capture = {0};

		hear(texts[i], &capture);
		assert_int_equal(capture.ties.nr, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clock_is_that_of_the_first_event_with_times),
		cmocka_unit_test(reference_time_is_a_tie),
		cmocka_unit_test(reference_that_is_none_is_left_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
