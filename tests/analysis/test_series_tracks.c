/* test_series_tracks.c - counters as tracks, and which of them says what */
#include "tests/test.h"

#include <math.h>

#include "analysis/evidence_series.h"
#include "analysis/series_tracks.h"
#include "base/mem.h"
#include "base/reader.h"
#include "importers/csv.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "tests/support/input.h"

struct counted {
	struct capture capture;
	struct series_tracks tracks;
};

static void counted_release(struct counted *counted)
{
	series_tracks_release(&counted->tracks);
	capture_release(&counted->capture);
}

static void count(struct counted *counted, const char *text)
{
	struct reader *reader = input_open_string(text);

	counted->capture = (struct capture){0};
	series_tracks_init(&counted->tracks, &counted->capture);
	assert_null(importer_csv.read(reader, &counted->capture, &counted->tracks.sink));
	reader_close(reader);
}

static void gauges_stay_and_counters_become_rates(void **state)
{
	CLEANUP(counted_release) struct counted counted;
	const struct track *depth, *done, *age;

	(void)state;
	count(&counted, "mono_ns,depth,completed_total,oldest_age_ms\n"
			"1000000000,3,10,2\n1500000000,4,20,\n2000000000,5,5,7\n");
	depth = &counted.tracks.list[0].track;
	done = &counted.tracks.list[1].track;
	age = &counted.tracks.list[2].track;
	assert_string_equal(depth->name, "queue.depth");
	assert_int_equal(depth->kind, TRACK_GAUGE);
	assert_int_equal(depth->nr, 3);
	assert_true(depth->values[2] == 5);
	assert_int_equal(done->kind, TRACK_RATE);
	assert_int_equal(done->nr, 2);
	assert_true(done->values[0] == 20);
	assert_true(isnan(done->values[1])); /* it began anew */
	assert_true(age->values[0] == 2e6);
	assert_true(isnan(age->values[1]));
}

static void roles_become_evidence(void **state)
{
	CLEANUP(counted_release) struct counted counted;
	CLEANUP(evidence_set_release) struct evidence_set set;
	size_t ignored = 0;

	(void)state;
	count(&counted,
	      "mono_ns,depth,depth_limit,cpu_seconds_total,run_delay_ns_total,p99_ms,p50_ms,"
	      "other_depth,shoe_size\n"
	      "1000000000,3,64,1.0,5,9,1,1,44\n2000000000,4,64,1.5,500000005,9,1,1,44\n");
	evidence_set_init(&set);
	evidence_take_series(&set, &counted.tracks, NULL, &ignored);
	evidence_set_finish(&set);
	assert_true(set.evidence.capacity == 64);
	assert_true(set.evidence.tracks[EVIDENCE_CPU]->values[0] == 0.5);
	assert_true(set.evidence.tracks[EVIDENCE_RUN_DELAY]->values[0] == 5e8);
	assert_true(set.evidence.tracks[EVIDENCE_LATENCY]->values[0] == 9e6);
	assert_true(set.evidence.tracks[EVIDENCE_DEPTH]->values[0] == 3);
	assert_null(set.evidence.tracks[EVIDENCE_RSS]);
	assert_int_equal(ignored, 0);
}

static void second_series_of_a_role_is_counted_and_left(void **state)
{
	CLEANUP(counted_release) struct counted counted, other;
	CLEANUP(evidence_set_release) struct evidence_set set;
	size_t ignored = 0;

	(void)state;
	count(&counted, "mono_ns,depth\n1000000000,3\n2000000000,4\n");
	count(&other, "mono_ns,depth\n1000000000,7\n2000000000,8\n");
	evidence_set_init(&set);
	evidence_take_series(&set, &counted.tracks, NULL, &ignored);
	evidence_take_series(&set, &other.tracks, NULL, &ignored);
	evidence_set_finish(&set);
	assert_true(set.evidence.tracks[EVIDENCE_DEPTH]->values[0] == 3);
	assert_int_equal(ignored, 1);
	assert_int_equal(other.tracks.list[0].track.nr, 2);
}

static void share_of_time_is_time(void **state)
{
	CLEANUP(counted_release) struct counted counted;
	CLEANUP(evidence_set_release) struct evidence_set set;

	(void)state;
	count(&counted, "mono_ns,depth,cpu_wait_percent\n1000000000,3,50\n2000000000,4,25\n");
	evidence_set_init(&set);
	evidence_take_series(&set, &counted.tracks, NULL, NULL);
	evidence_set_finish(&set);
	assert_true(set.evidence.tracks[EVIDENCE_RUN_DELAY]->values[0] == 5e8);
}

static void of_several_queues_one_is_evidence(void **state)
{
	CLEANUP(counted_release) struct counted counted;
	CLEANUP(evidence_set_release) struct evidence_set set;
	size_t ignored = 0;

	(void)state;
	count(&counted,
	      "mono_ns,a_depth,a_capacity,b_depth,b_capacity,completed_total,cpu_seconds_total\n"
	      "1000000000,3,8,5,9,1,1.0\n2000000000,4,8,6,9,2,1.5\n");
	evidence_set_init(&set);
	evidence_take_series(&set, &counted.tracks, "b", &ignored);
	evidence_set_finish(&set);
	assert_true(set.evidence.tracks[EVIDENCE_DEPTH]->values[0] == 5);
	assert_true(set.evidence.capacity == 9);
	assert_true(set.evidence.tracks[EVIDENCE_CPU]->values[0] == 0.5);
	/* whose completions they are nobody says */
	assert_null(set.evidence.tracks[EVIDENCE_COMPLETED]);
	assert_int_equal(ignored, 0);
	assert_int_equal(counted.tracks.list[0].track.nr, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gauges_stay_and_counters_become_rates),
		cmocka_unit_test(roles_become_evidence),
		cmocka_unit_test(second_series_of_a_role_is_counted_and_left),
		cmocka_unit_test(share_of_time_is_time),
		cmocka_unit_test(of_several_queues_one_is_evidence),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
