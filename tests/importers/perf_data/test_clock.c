/* test_clock.c - the clock of a recording, and its tie to wall time where the recorder read both */
#include "tests/test.h"

#include "importers/perf_data/clock.h"

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

#define TYPE	    (1 << 0 | 1 << 1 | 1 << 2) /* IP TID TIME */
#define USE_CLOCKID (1 << 25)
#define CLOCK_DATA  29
#define WALL	    UINT64_C(1796007538021038000)
#define CLOCK	    UINT64_C(2663441334021)

struct recording {
	uint64_t flags;
	uint32_t clockid;
	uint64_t wall_ns, clock_ns; /* 0 and 0: without the feature */
	uint32_t data_clockid;
	bool is_big;
};

static void record(const struct recording *recording, struct heard *heard)
{
	struct builder builder = {.is_big = recording->is_big};
	CLEANUP(text_release) struct text feature = TEXT_INIT;

	builder_attr(&builder, (struct builder_attr){.type = 1,
						     .sample_type = TYPE,
						     .flags = recording->flags,
						     .clockid = recording->clockid});
	builder_sample(&builder, 0, &(struct builder_sample){.pid = 7, .tid = 7, .time = CLOCK});
	if (recording->wall_ns || recording->clock_ns) {
		builder_u32(&builder, &feature, 1);
		builder_u32(&builder, &feature, recording->data_clockid);
		builder_u64(&builder, &feature, recording->wall_ns);
		builder_u64(&builder, &feature, recording->clock_ns);
		builder_feature(&builder, CLOCK_DATA, &feature);
	}
	heard_built(heard, &builder);
	builder_release(&builder);
}

static void clock_is_the_one_that_was_asked_for(void **state)
{
	static const struct {
		uint32_t clockid;
		enum source_clock clock;
	} clocks[] = {{0, SOURCE_CLOCK_REALTIME},      {1, SOURCE_CLOCK_MONOTONIC},
		      {4, SOURCE_CLOCK_MONOTONIC_RAW}, {7, SOURCE_CLOCK_BOOTTIME},
		      {11, SOURCE_CLOCK_TAI},	       {2, SOURCE_CLOCK_UNKNOWN}};

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_NR(clocks); i++) {
		CLEANUP(heard_release) struct heard heard;

		record(&(struct recording){.flags = USE_CLOCKID,
					   .clockid = clocks[i / 2].clockid,
					   .is_big = i % 2},
		       &heard);
		assert_int_equal(heard.capture.clock, clocks[i / 2].clock);
		assert_int_equal(heard.capture.ties.nr, 0);
	}
}

static void without_a_choice_it_is_perfs_own(void **state)
{
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	/* whatever stands where the clock's number would be */
	record(&(struct recording){.clockid = 1, .wall_ns = WALL, .clock_ns = CLOCK}, &heard);
	assert_int_equal(heard.capture.clock, SOURCE_CLOCK_PERF);
	assert_int_equal(heard.capture.ties.nr, 0);
}

static void reference_ties_the_clock_to_wall_time(void **state)
{
	(void)state;
	for (int is_raw = 0; is_raw < 2; is_raw++) {
		CLEANUP(heard_release) struct heard heard;
		uint32_t clockid = is_raw ? 4 : 1;
		const struct clock_tie *tie;

		record(&(struct recording){.flags = USE_CLOCKID,
					   .clockid = clockid,
					   .data_clockid = clockid,
					   .wall_ns = WALL,
					   .clock_ns = CLOCK},
		       &heard);
		assert_int_equal(heard.capture.ties.nr, 1);
		tie = &heard.capture.ties.list[0];
		assert_int_equal(tie->how, TIE_CLOCK_DATA);
		assert_int_equal(tie->target, CLOCK_WALL);
		assert_int_equal(tie->first_ns, CLOCK);
		assert_int_equal(tie->last_ns, CLOCK);
		/* wall time is read first, and cut to microseconds */
		assert_int_equal(tie->offset_ns - (int64_t)tie->error_ns, (int64_t)(WALL - CLOCK));
		assert_int_equal(2 * tie->error_ns, 1000 + PERF_CLOCK_DELAY_NS);
		/* nothing corrects the rate of the raw clock */
		assert_int_equal(tie->drift_ppb, is_raw ? TIE_DRIFT_PPB : 0);
	}
}

static void references_of_no_use_are_none(void **state)
{
	static const struct recording recordings[] = {
		/* "perf stat record" leaves zeroes */
		{.flags = USE_CLOCKID, .clockid = 1, .data_clockid = 1, .wall_ns = WALL},
		/* of another clock than that of the samples */
		{.flags = USE_CLOCKID, .clockid = 1, .wall_ns = WALL, .clock_ns = CLOCK},
		/* wall time needs none */
		{.flags = USE_CLOCKID, .wall_ns = WALL, .clock_ns = WALL},
		/* beyond any clock */
		{.flags = USE_CLOCKID,
		 .clockid = 1,
		 .data_clockid = 1,
		 .wall_ns = UINT64_MAX,
		 .clock_ns = 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(recordings); i++) {
		CLEANUP(heard_release) struct heard heard;

		record(&recordings[i], &heard);
		assert_int_equal(heard.capture.ties.nr, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clock_is_the_one_that_was_asked_for),
		cmocka_unit_test(without_a_choice_it_is_perfs_own),
		cmocka_unit_test(reference_ties_the_clock_to_wall_time),
		cmocka_unit_test(references_of_no_use_are_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
