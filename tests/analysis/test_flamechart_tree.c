/* test_flamechart_tree.c - the stacks of samples in order of time as one tree */
#include "tests/test.h"

#include "analysis/flamechart.h"
#include "analysis/flamechart_tree.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_script.h"
#include "model/recorder.h"
#include "tests/bench/chance.h"
#include "tests/support/input.h"
#include "tests/support/reading.h"

struct made {
	struct reading reading;
	struct recorder recorder;
	struct flamechart chart;
	struct flamechart_tree tree;
};

static void make(struct made *made, const char *script)
{
	static const struct naming_options no_naming_options;
	static const struct tally_options no_tally_options;
	static const struct path_filter filter = {.keeps_entries = true};
	static const struct flamechart_options options = {.has_duration = true,
							  .keeps_moments = true};
	struct reading *reading = &made->reading;
	struct reader *reader = input_open_string(script);

	*made = (struct made){0};
	tally_init(&reading->tally, &reading->capture, &no_tally_options);
	recorder_init(&made->recorder, &reading->tally);
	assert_null(importer_perf_script.read(reader, &reading->capture, &made->recorder.sink));
	reader_close(reader);
	naming_init(&reading->naming, &reading->capture, &no_naming_options);
	paths_build(&reading->paths, &reading->tally, &reading->naming, 0, &filter);
	flamechart_build(&made->chart, &made->recorder, &reading->paths, &options);
	flamechart_tree_build(&made->tree, &made->chart, &reading->paths);
}

static void made_release(struct made *made)
{
	flamechart_tree_release(&made->tree);
	flamechart_release(&made->chart);
	recorder_release(&made->recorder);
	reading_release(&made->reading);
}

static const char *name_of(const struct made *made, uint32_t function)
{
	const struct naming *naming = &made->reading.naming;

	return function == FUNCTION_NONE
		       ? "all"
		       : names_get(&made->reading.capture.names, naming->list[function].name)
				 ->bytes;
}

#define AT(tid, ms, frames) "x 1/" tid " 1." ms "000: 1000000 cpu-clock: \n" frames "\n"
#define A		    "\t10 a (/x)\n"
#define B		    "\t20 b (/x)\n"
#define C		    "\t30 c (/x)\n"

static void a_stack_of_names_is_one_way_from_the_root(void **state)
{
	CLEANUP(made_release) struct made made;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	make(&made, AT("7", "001", C A) AT("8", "001", B A) AT("7", "002", A)
			    AT("7", "003", "\t99 b (/other)\n" A) AT("8", "009", C));
	for (uint32_t i = 0; i < made.tree.nr; i++) {
		const struct flamechart_node *node = &made.tree.nodes[i];

		text_addf(&text, "%*s%s %d ..%d\n", (int)node->depth, "",
			  name_of(&made, node->function), (int)node->samples, (int)node->end);
	}
	assert_string_equal(text_string(&text),
			    "all 5 ..5\n a 4 ..4\n  b 2 ..3\n  c 1 ..4\n c 1 ..5\n");
}

static void draw_script(struct chance *chance, struct text *text)
{
	unsigned nr = 1 + chance_below(chance, 80);

	for (unsigned i = 0; i < nr; i++) {
		unsigned depth = 1 + chance_below(chance, 6);

		text_addf(text, "x %u 1.%06u: 1000000 cpu-clock: \n", 1 + chance_below(chance, 3),
			  i * 700);
		while (depth--)
			text_addf(text, "\t10 %c (/x)\n", (char)('a' + chance_below(chance, 3)));
		text_add_char(text, '\n');
	}
}

static void check_node(const struct made *made, uint32_t i)
{
	const struct flamechart_node *node = &made->tree.nodes[i];
	const struct flamechart_node *parent = &made->tree.nodes[node->parent];

	assert_true(node->parent < i && i < parent->end && node->end <= parent->end);
	assert_int_equal(node->depth, parent->depth + 1);
	assert_true(node->samples && node->samples <= parent->samples);
}

/* Each moment's node has the names of its path on the way to it. */
static void check_moment(const struct made *made, const struct flamechart_moment *moment)
{
	const struct paths *paths = &made->reading.paths;
	uint32_t at = made->tree.of_path[moment->path];

	assert_true(moment->begin_ns <= moment->end_ns);
	assert_int_equal(made->tree.nodes[at].depth, paths_depth(paths, moment->path));
	for (; at; at = made->tree.nodes[at].parent) {
		const struct flamechart_node *node = &made->tree.nodes[at];

		assert_string_equal(
			name_of(made, node->function),
			name_of(made, paths_function(paths, moment->path, node->depth - 1)));
	}
}

static void every_sample_is_in_the_tree_once(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		CLEANUP(made_release) struct made made;
		CLEANUP(text_release) struct text script = TEXT_INIT;
		struct chance chance = {.state = seed};
		uint64_t samples = 0;

		draw_script(&chance, &script);
		make(&made, text_string(&script));
		for (uint32_t i = 1; i < made.tree.nr; i++)
			check_node(&made, i);
		for (size_t i = 0; i < made.chart.lanes_nr; i++) {
			const struct flamechart_lane *lane = &made.chart.lanes[i];

			samples += lane->samples;
			for (size_t k = lane->first; k < lane->first + lane->samples; k++)
				check_moment(&made, &made.chart.moments[k]);
		}
		assert_true(made.tree.nodes[0].samples == samples);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_of_names_is_one_way_from_the_root),
		cmocka_unit_test(every_sample_is_in_the_tree_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("flamechart_tree", tests, NULL, NULL);
}
