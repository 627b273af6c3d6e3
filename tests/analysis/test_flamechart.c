/* test_flamechart.c - samples become runs of functions, in lanes and in order of time */
#include "tests/test.h"

#include "analysis/flamechart.h"
#include "analysis/transform.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_script.h"
#include "model/recorder.h"
#include "tests/bench/chance.h"
#include "tests/support/input.h"
#include "tests/support/reading.h"

/* What a chart is made of, and the chart. */
struct made {
	struct reading reading;
	struct recorder recorder;
	struct flamechart chart;
};

static void make(struct made *made, const char *script, const struct transforms *transforms,
		 const struct flamechart_options *options)
{
	static const struct naming_options no_naming_options;
	static const struct tally_options no_tally_options;
	static const struct path_filter filter = {.keeps_entries = true};
	struct reading *reading = &made->reading;
	struct reader *reader = input_open_string(script);

	*made = (struct made){0};
	tally_init(&reading->tally, &reading->capture, &no_tally_options);
	recorder_init(&made->recorder, &reading->tally);
	assert_null(importer_perf_script.read(reader, &reading->capture, &made->recorder.sink));
	reader_close(reader);
	naming_init(&reading->naming, &reading->capture, &no_naming_options);
	paths_build(&reading->paths, &reading->tally, &reading->naming, 0, &filter);
	if (transforms)
		transform_paths(&reading->paths, transforms);
	flamechart_build(&made->chart, &made->recorder, &reading->paths, options);
}

static void made_release(struct made *made)
{
	flamechart_release(&made->chart);
	recorder_release(&made->recorder);
	reading_release(&made->reading);
}

/* "tid samples:" and a line for each run: indented name, begin..end in ms, samples, xRUNS. */
static void dump(const struct made *made, struct text *text)
{
	const struct flamechart *chart = &made->chart;
	const struct capture *capture = &made->reading.capture;

	for (size_t i = 0; i < chart->lanes_nr; i++) {
		const struct flamechart_lane *lane = &chart->lanes[i];

		text_addf(text, "%d %d:\n", capture->tasks.list[lane->task].tid,
			  (int)lane->samples);
		for (uint32_t j = lane->begin; j < lane->begin + lane->nr; j++) {
			const struct flamechart_run *run = &chart->runs[j];

			text_addf(text, "%*s", (int)run->depth + 1, "");
			text_add(text,
				 run->function == FUNCTION_NONE
					 ? "*"
					 : names_get(&capture->names,
						     made->reading.naming.list[run->function].name)
						   ->bytes);
			text_addf(text, " %g..%g %d", (double)(run->begin_ns / 1000) / 1000,
				  (double)(run->end_ns / 1000) / 1000, (int)run->samples);
			if (run->runs)
				text_addf(text, " x%d", (int)run->runs);
			text_add_char(text, '\n');
		}
	}
}

static void expect(const char *script, const struct transforms *transforms,
		   const struct flamechart_options *options, const char *dumped)
{
	CLEANUP(made_release) struct made made;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	make(&made, script, transforms, options);
	dump(&made, &text);
	assert_string_equal(text_string(&text), dumped);
}

static const struct flamechart_options by_time = {.has_duration = true};
static const struct flamechart_options by_gaps;

#define AT(tid, ms, frames) "x 1/" tid " 1." ms "000: 1000000 cpu-clock: \n" frames "\n"
#define A		    "\t10 a (/x)\n"
#define B		    "\t20 b (/x)\n"
#define C		    "\t30 c (/x)\n"

static void neighbouring_samples_in_a_function_are_one_run(void **state)
{
	(void)state;
	expect(AT("7", "001", B A) AT("7", "002", B A) AT("7", "003", C A), NULL, &by_time,
	       "7 3:\n a 1000..1003 3\n  b 1000..1002 2\n  c 1002..1003 1\n");
}

static void what_no_sample_stands_for_is_empty(void **state)
{
	(void)state;
	expect(AT("7", "001", A) AT("7", "009", A), NULL, &by_time,
	       "7 2:\n a 1000..1001 1\n a 1008..1009 1\n");
}

static void a_gap_of_half_a_sample_more_is_bridged(void **state)
{
	(void)state;
	expect("x 7 1.001000: 1000000 cpu-clock: \n" A "\n"
	       "x 7 1.002500: 1000000 cpu-clock: \n" A "\n"
	       "x 7 1.004100: 1000000 cpu-clock: \n" A "\n",
	       NULL, &by_time, "7 3:\n a 1000..1002.5 2\n a 1003.1..1004.1 1\n");
}

static void a_lane_is_a_thread_in_the_order_of_ids(void **state)
{
	(void)state;
	expect(AT("9", "001", A) AT("7", "001", B) AT("9", "002", A), NULL, &by_time,
	       "7 1:\n b 1000..1001 1\n9 2:\n a 1000..1002 2\n");
}

static void a_renamed_thread_is_one_lane(void **state)
{
	(void)state;
	expect(AT("7", "001", A) "y 1/7 1.002000: 1000000 cpu-clock: \n" A "\n", NULL, &by_time,
	       "7 2:\n a 1000..1002 2\n");
}

static void without_durations_the_median_gap_is_what_a_sample_stands_for(void **state)
{
	CLEANUP(made_release) struct made made;

	(void)state;
	make(&made, AT("7", "010", A) AT("7", "012", A) AT("7", "014", A) AT("7", "030", A), NULL,
	     &by_gaps);
	assert_true(made.chart.interval_ns == 2000000);
	assert_true(made.chart.begin_ns == UINT64_C(1008000000));
	assert_int_equal(made.chart.runs_nr, 2);
}

static void short_runs_are_merged_with_their_count_and_nothing_upon_them(void **state)
{
	/* 20 % of 10 ms: runs of less than 2 ms */
	static const struct flamechart_options coarse = {.has_duration = true, .least_share = 0.2};

	(void)state;
	expect(AT("7", "001", B A) AT("7", "002", C) AT("7", "003", B A) AT("7", "004", B A)
		       AT("7", "005", B A) AT("7", "010", B),
	       NULL, &coarse,
	       "7 6:\n * 1000..1002 2 x2\n a 1002..1005 3\n  b 1002..1005 3\n"
	       " b 1009..1010 1 x1\n");
}

static void merged_runs_of_one_function_keep_its_name(void **state)
{
	static const struct flamechart_options coarse = {.has_duration = true, .least_share = 0.3};

	(void)state;
	expect(AT("7", "001", A) AT("7", "003", A) AT("7", "010", A), NULL, &coarse,
	       "7 3:\n a 1000..1003 2 x2\n a 1009..1010 1 x1\n");
}

static void samples_out_of_order_are_put_in_order(void **state)
{
	(void)state;
	expect(AT("7", "002", A) AT("7", "001", B), NULL, &by_time,
	       "7 2:\n b 1000..1001 1\n a 1001..1002 1\n");
}

static void transforms_change_runs_and_leave_samples_out(void **state)
{
	static const char *const subtrees[] = {"a"};

	(void)state;
	expect(AT("7", "001", B A) AT("7", "002", B) AT("7", "003", C A A A),
	       &(struct transforms){.subtrees = subtrees,
				    .subtrees_nr = 1,
				    .recursion = TRANSFORM_RECURSION_DIRECT},
	       &by_time,
	       "7 2:\n a 1000..1001 1\n  b 1000..1001 1\n a 1002..1003 1\n  c 1002..1003 1\n");
}

static void of_too_many_threads_those_with_most_samples_are_kept(void **state)
{
	CLEANUP(made_release) struct made made;
	CLEANUP(text_release) struct text script = TEXT_INIT;

	(void)state;
	for (int i = 0; i < FLAMECHART_LANES_MAX + 5; i++)
		for (int j = 0; j < (i < 3 ? 1 : 2); j++)
			text_addf(&script, "x %d 1.%06d: 1000 cpu-clock: \n" A "\n", i + 1,
				  i * 10 + j);
	make(&made, text_string(&script), NULL, &by_time);
	assert_int_equal(made.chart.lanes_nr, FLAMECHART_LANES_MAX);
	assert_int_equal(made.chart.lanes_left_out, 5);
	assert_int_equal(made.chart.samples_left_out, 3 + 2 * 2);
	assert_int_equal(made.reading.capture.tasks.list[made.chart.lanes[0].task].tid, 4);
}

static void samples_of_no_time_take_some(void **state)
{
	static const char *const scripts[] = {
		"x 7 0.000000: 0 cpu-clock: \n" A "\n",
		"x 7 5.000000: 0 cpu-clock: \n" A "\n",
		"x 7 9000000000.000000: 0 cpu-clock: \n" A "\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(scripts); i++) {
		CLEANUP(made_release) struct made made;

		make(&made, scripts[i], NULL, &by_time);
		assert_true(made.chart.begin_ns < made.chart.end_ns);
		assert_int_equal(made.chart.lanes_nr, 1);
	}
}

static void nothing_makes_no_lanes(void **state)
{
	static const char *const subtrees[] = {"none"};

	(void)state;
	expect(AT("7", "001", A), &(struct transforms){.subtrees = subtrees, .subtrees_nr = 1},
	       &by_time, "");
}

/* ---- what holds of every chart */

static void draw_script(struct chance *chance, struct text *text)
{
	unsigned nr = 1 + chance_below(chance, 60), now = 1000;

	for (unsigned i = 0; i < nr; i++) {
		unsigned depth = 1 + chance_below(chance, 5);

		now += chance_below(chance, 4000);
		text_addf(text, "x %u 1.%06u: 1000000 cpu-clock: \n", 1 + chance_below(chance, 3),
			  now);
		while (depth--)
			text_addf(text, "\t10 %c (/x)\n", (char)('a' + chance_below(chance, 3)));
		text_add_char(text, '\n');
	}
}

/* Runs of a depth come one after the other, inside the run that they stand upon. */
static void check_lane(const struct flamechart *chart, const struct flamechart_lane *lane)
{
	uint64_t ends[8] = {0}, samples = 0;
	const struct flamechart_run *open[8] = {NULL};

	for (uint32_t i = lane->begin; i < lane->begin + lane->nr; i++) {
		const struct flamechart_run *run = &chart->runs[i];

		assert_true(run->depth < lane->depth && run->begin_ns <= run->end_ns);
		assert_true(run->begin_ns >= ends[run->depth]);
		assert_true(run->begin_ns >= chart->begin_ns && run->end_ns <= chart->end_ns);
		ends[run->depth] = run->end_ns;
		open[run->depth] = run;
		if (!run->depth) {
			samples += run->samples;
			continue;
		}
		assert_non_null(open[run->depth - 1]);
		assert_int_equal(open[run->depth - 1]->runs, 0);
		assert_true(run->begin_ns >= open[run->depth - 1]->begin_ns &&
			    run->end_ns <= open[run->depth - 1]->end_ns);
		assert_true(run->samples <= open[run->depth - 1]->samples);
	}
	assert_true(samples == lane->samples);
}

static void runs_nest_and_hold_every_sample(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 300; seed++) {
		CLEANUP(made_release) struct made made;
		CLEANUP(text_release) struct text script = TEXT_INIT;
		struct chance chance = {.state = seed};
		struct flamechart_options options = {.has_duration = seed % 2,
						     .least_share = (seed % 5) * 0.01};
		uint64_t samples = 0;

		draw_script(&chance, &script);
		make(&made, text_string(&script), NULL, &options);
		for (size_t i = 0; i < made.chart.lanes_nr; i++) {
			check_lane(&made.chart, &made.chart.lanes[i]);
			samples += made.chart.lanes[i].samples;
		}
		assert_true(weight_of(samples) == made.reading.paths.count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbouring_samples_in_a_function_are_one_run),
		cmocka_unit_test(what_no_sample_stands_for_is_empty),
		cmocka_unit_test(a_gap_of_half_a_sample_more_is_bridged),
		cmocka_unit_test(a_lane_is_a_thread_in_the_order_of_ids),
		cmocka_unit_test(a_renamed_thread_is_one_lane),
		cmocka_unit_test(without_durations_the_median_gap_is_what_a_sample_stands_for),
		cmocka_unit_test(short_runs_are_merged_with_their_count_and_nothing_upon_them),
		cmocka_unit_test(merged_runs_of_one_function_keep_its_name),
		cmocka_unit_test(samples_out_of_order_are_put_in_order),
		cmocka_unit_test(transforms_change_runs_and_leave_samples_out),
		cmocka_unit_test(of_too_many_threads_those_with_most_samples_are_kept),
		cmocka_unit_test(samples_of_no_time_take_some),
		cmocka_unit_test(nothing_makes_no_lanes),
		cmocka_unit_test(runs_nest_and_hold_every_sample),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("flamechart", tests, NULL, NULL);
}
