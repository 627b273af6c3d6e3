/* test_judge.c - bins, blocks, and what is claimed of changes between captures */
#include "tests/test.h"

#include <math.h>

#include "analysis/calltree.h"
#include "analysis/judge.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_script.h"
#include "model/bins.h"
#include "tests/bench/chance.h"
#include "tests/support/input.h"
#include "tests/support/reading.h"

#define STEP_NS UINT64_C(1000000)

/* A capture with its bins: a sample in each millisecond, of a function that chance draws. */
struct run {
	struct reading reading;
	struct bins bins;
	uint32_t *of_function;
	uint64_t begin_ns, end_ns;
};

static void run_read(struct run *run, const char *text)
{
	static const struct path_filter filter = {.keeps_entries = true};
	struct reader *reader = input_open_string(text);

	*run = (struct run){0};
	tally_init(&run->reading.tally, &run->reading.capture, &(struct tally_options){0});
	bins_init(&run->bins, &run->reading.tally, &(struct moment){0});
	assert_null(importer_perf_script.read(reader, &run->reading.capture, &run->bins.sink));
	reader_close(reader);
	naming_init(&run->reading.naming, &run->reading.capture, &(struct naming_options){0});
	paths_build(&run->reading.paths, &run->reading.tally, &run->reading.naming, 0, &filter);
	run->begin_ns = run->bins.begin_ns;
}

/* For `turn` milliseconds it is one of four, by these parts of 100. */
static void run_draw(struct run *run, uint64_t seed, unsigned ms, unsigned turn,
		     const unsigned *parts)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct chance chance = {.state = seed};
	unsigned function = 0;

	for (unsigned i = 0; i < ms; i++) {
		unsigned drawn = chance_below(&chance, 100);

		if (i % turn == 0)
			for (function = 0; function < 3 && drawn >= parts[function]; function++)
				drawn -= parts[function];
		text_addf(&text,
			  "app 7 1%u.%03u000: 1000000 c: \n\t10 f%u (/opt/app)\n\t20 main "
			  "(/opt/app)\n\n",
			  i / 1000, i % 1000, function);
	}
	run_read(run, text_string(&text));
	run->end_ns = run->begin_ns + ms * STEP_NS;
}

static void run_release(struct run *run)
{
	bins_release(&run->bins);
	reading_release(&run->reading);
	free(run->of_function);
}

/* All of a comparison of runs, the first half of them before. */
struct world {
	struct run runs[8];
	struct calltree_source sources[8];
	struct blocks_source blocks[8];
	struct diff diff;
	struct judge judge;
	size_t nr;
};

static void world_judge(struct world *world, bool is_one_run)
{
	struct naming *naming = &world->runs[0].reading.naming;
	struct diff_divisors divisors = {0};

	for (size_t i = 0; i < world->nr; i++) {
		struct run *run = &world->runs[i];
		bool is_after = i >= world->nr / 2;
		double seconds = (double)(run->end_ns - run->begin_ns) / 1e9;

		if (i)
			run->of_function = naming_adopt(naming, &run->reading.naming);
		(is_after ? divisors.after : divisors.before)[DIFF_PER_SECOND] += seconds;
		world->sources[i] =
			(struct calltree_source){&run->reading.paths, run->of_function, is_after};
		world->blocks[i] = (struct blocks_source){
			.paths = &run->reading.paths,
			.bins = &run->bins,
			.capture = &run->reading.capture,
			.of_function = run->of_function,
			.begin_ns = run->begin_ns,
			.end_ns = run->end_ns,
			.is_after = is_after,
		};
	}
	diff_build(&world->diff, naming, world->sources, world->nr, false, &divisors);
	judge_build(&world->judge, &world->diff, naming, world->blocks, world->nr, is_one_run);
}

static void world_release(struct world *world)
{
	judge_release(&world->judge);
	diff_release(&world->diff);
	for (size_t i = 0; i < world->nr; i++)
		run_release(&world->runs[i]);
}

static const struct judge_row *row_of(const struct world *world, const char *name)
{
	const struct reading *first = &world->runs[0].reading;

	for (size_t i = 0; i < world->diff.nr; i++)
		if (strcmp(names_display(
				   &first->capture.names,
				   first->naming.list[world->diff.functions[i].function].name),
			   name) == 0)
			return &world->judge.rows[i];
	fail_msg("no function %s", name);
	return NULL;
}

static const unsigned even[] = {40, 30, 20}, more[] = {80, 10, 5};

#define MS 1000

static void one_pair_is_a_screen_with_stricter_limits(void **state)
{
	CLEANUP(world_release) struct world world = {.nr = 2};

	(void)state;
	run_draw(&world.runs[0], 1, MS, 1, even);
	run_draw(&world.runs[1], 2, MS, 1, more);
	world_judge(&world, false);
	assert_int_equal(world.judge.basis, JUDGE_SCREEN);
	assert_true(world.judge.alpha == 0.01 && world.judge.factor > 1);
	assert_int_equal(row_of(&world, "f0")->verdict, JUDGE_CHANGED);
	assert_string_equal(judge_verdict_word(world.judge.basis, JUDGE_CHANGED), "screen");
	assert_int_equal(row_of(&world, "main")->verdict, JUDGE_BELOW);
	assert_int_equal(world.judge.check.findings, 0);
}

static void same_again_is_no_finding(void **state)
{
	CLEANUP(world_release) struct world world = {.nr = 2};

	(void)state;
	run_draw(&world.runs[0], 30, MS, 1, even);
	run_draw(&world.runs[1], 40, MS, 1, even);
	world_judge(&world, true);
	assert_int_equal(world.judge.basis, JUDGE_ONE_RUN);
	for (size_t i = 0; i < world.diff.nr; i++)
		assert_int_not_equal(world.judge.rows[i].verdict, JUDGE_CHANGED);
}

static void turns_that_are_long_beside_the_capture_are_not_judged(void **state)
{
	CLEANUP(world_release) struct world world = {.nr = 2};

	(void)state;
	run_draw(&world.runs[0], 5, MS, 150, even);
	run_draw(&world.runs[1], 6, MS, 150, more);
	world_judge(&world, false);
	assert_int_equal(world.judge.basis, JUDGE_TOO_SHORT);
	assert_true(world.judge.needed_s > 1);
	for (size_t i = 0; i < world.diff.nr; i++)
		assert_int_equal(world.judge.rows[i].verdict, JUDGE_UNJUDGED);
}

static void replicates_are_a_block_each(void **state)
{
	CLEANUP(world_release) struct world world = {.nr = 8};
	struct judge_plan plan;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		run_draw(&world.runs[i], 10 + i, MS, 20, i < 4 ? even : more);
	world_judge(&world, false);
	assert_int_equal(world.judge.basis, JUDGE_REPLICATES);
	assert_int_equal(world.judge.before_blocks, 4);
	assert_int_equal(row_of(&world, "f0")->verdict, JUDGE_CHANGED);
	plan = judge_plan(&world.judge, &world.diff,
			  (size_t)(row_of(&world, "f0") - world.judge.rows), 0.1, 1);
	assert_true(plan.captures >= 3 && plan.seconds >= 1);
}

static void tests_weigh_what_ends_in_their_functions(void **state)
{
	static const char *const names[] = {"f0", "f1", "f2", "f3"};
	CLEANUP(world_release) struct world world = {.nr = 8};
	double sum, own = 0;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		run_draw(&world.runs[i], 10 + i, MS, 20, even);
	world_judge(&world, false);
	sum = row_of(&world, "main")->test_weight;
	assert_true(fabs(sum - 0.5) < 1e-9);
	for (size_t i = 0; i < 4; i++) {
		double of_test = row_of(&world, names[i])->test_weight;

		assert_true(of_test > 0.5 && (!i || of_test < own));
		own = of_test;
		sum += of_test;
	}
	assert_int_equal(world.judge.tested, 5);
	assert_true(fabs(sum - 5) < 1e-9);
}

static void without_times_nothing_is_judged(void **state)
{
	CLEANUP(world_release) struct world world = {.nr = 2};
	struct naming *naming = &world.runs[0].reading.naming;

	(void)state;
	run_draw(&world.runs[0], 7, MS, 1, even);
	run_draw(&world.runs[1], 8, MS, 1, more);
	world_judge(&world, false);
	judge_release(&world.judge);
	judge_build(&world.judge, &world.diff, naming, NULL, 0, false);
	assert_int_equal(world.judge.basis, JUDGE_NO_TIMES);
	assert_int_equal(row_of(&world, "f0")->verdict, JUDGE_UNJUDGED);
	assert_true(row_of(&world, "f0")->p_independent < 1e-6);
}

/* ---- bins and blocks */

static void bins_are_doubled_where_rows_are_many(void **state)
{
	CLEANUP(run_release) struct run run;
	struct bins small;
	struct reader *reader;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct capture capture = {0};
	struct tally tally;
	double sum = 0;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		text_addf(&text, "app 7 1%u.%03u000: 5 c: \n\t10 f%u (/opt/app)\n\n", i / 10,
			  i % 10 * 100, i % 2);
	run_read(&run, text_string(&text));
	assert_int_equal(run.bins.nr, 100);
	assert_true(run.bins.length_ns == BINS_LENGTH_NS);
	tally_init(&tally, &capture, &(struct tally_options){0});
	bins_init(&small, &tally, &(struct moment){0});
	small.rows_max = 16;
	reader = input_open_string(text_string(&text));
	assert_null(importer_perf_script.read(reader, &capture, &small.sink));
	reader_close(reader);
	assert_true(small.length_ns > BINS_LENGTH_NS);
	assert_true(small.nr <= small.rows_max);
	for (size_t i = 0; i < small.nr; i++)
		sum += small.rows[i].period;
	assert_true(sum == 500);
	assert_int_equal(bins_cpus(&small), 1);
	bins_release(&small);
	tally_release(&tally);
	capture_release(&capture);
}

static void blocks_add_up_neighbours_and_leave_the_end_out(void **state)
{
	double sums[3];

	(void)state;
	assert_int_equal(blocks_sum((double[]){1, 2, 3, 4, 5, 6, 7}, 7, 3, sums), 2);
	assert_true(sums[0] == 6 && sums[1] == 15);
	assert_int_equal(blocks_sum((double[]){1}, 1, 3, sums), 0);
	assert_int_equal(blocks_sum((double[]){1}, 1, 0, sums), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pair_is_a_screen_with_stricter_limits),
		cmocka_unit_test(same_again_is_no_finding),
		cmocka_unit_test(turns_that_are_long_beside_the_capture_are_not_judged),
		cmocka_unit_test(replicates_are_a_block_each),
		cmocka_unit_test(tests_weigh_what_ends_in_their_functions),
		cmocka_unit_test(without_times_nothing_is_judged),
		cmocka_unit_test(bins_are_doubled_where_rows_are_many),
		cmocka_unit_test(blocks_add_up_neighbours_and_leave_the_end_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
