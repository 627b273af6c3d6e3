/* test_transform.c - modules, recursion, subtrees and chains change frames and no weight */
#include "tests/test.h"

#include "analysis/transform.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/bench/chance.h"
#include "tests/support/reading.h"

static void expect(const char *stacks, const struct transforms *wanted, const char *shown)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_init(&reading, &importer_folded, stacks, NULL, NULL, NULL);
	transform_paths(&reading.paths, wanted);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), shown);
}

/* Of perf script text, whose frames have modules; the roots are comms. */
static void expect_modules(const char *regex, bool are_all, const char *shown)
{
	static const char script[] =
		"x 1 1.000000: 5 c: \n\t10 read+0x1 (/lib/libc.so.6)\n"
		"\t20 write+0x1 (/lib/libc.so.6)\n\t30 x (/opt/x)\n\t40 [unknown] ([unknown])\n"
		"\t50 read+0x2 (/lib/libc.so.6)\n\n"
		"x 1 2.000000: 7 c: \n\n";
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct transforms wanted = {.are_modules = are_all};
	regex_t compiled;

	if (regex) {
		assert_int_equal(regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB), 0);
		wanted.collapsed = &compiled;
		wanted.collapsed_nr = 1;
	}
	reading_init(&reading, &importer_perf_script, script, &by_comm, NULL, NULL);
	transform_paths(&reading.paths, &wanted);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), shown);
	assert_true(reading.paths.without_chain == WEIGHT_ONE);
	if (regex)
		regfree(&compiled);
}

static void nothing_asked_for_changes_nothing(void **state)
{
	(void)state;
	expect("a;b 2\na 1\n", &(struct transforms){0}, "a 1 1\na;b 2 2\n");
}

static void neighbours_of_one_module_become_one_frame_of_its_name(void **state)
{
	(void)state;
	expect_modules("^libc", false, "x 1 7\nx;libc.so.6;[unknown];x;libc.so.6 1 5\n");
	expect_modules("/lib/libc", false, "x 1 7\nx;libc.so.6;[unknown];x;libc.so.6 1 5\n");
	expect_modules("libm", false, "x 1 7\nx;read;[unknown];x;write;read 1 5\n");
}

static void grouped_by_module_every_frame_is_one(void **state)
{
	(void)state;
	expect_modules(NULL, true, "x 1 7\nx;libc.so.6;[no module];x;libc.so.6 1 5\n");
}

static void no_stack_is_no_module(void **state)
{
	(void)state;
	/* what stands in place of an empty stack where there is no root */
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_init(&reading, &importer_perf_script, "x 1 2.000000: 7 c: \n\n", NULL, NULL, NULL);
	transform_paths(&reading.paths, &(struct transforms){.are_modules = true});
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "[no stack] 1 7\n");
}

static const char recursive[] = "m;a;b;a;c;c 5\nm;a;b;a;b;d 3\nm;q;q;q 4\n";

static void direct_recursion_becomes_one_frame(void **state)
{
	(void)state;
	expect(recursive, &(struct transforms){.recursion = TRANSFORM_RECURSION_DIRECT},
	       "m;a;b;a;b;d 3 3\nm;a;b;a;c 5 5\nm;q 4 4\n");
}

static void all_recursion_leaves_no_name_twice(void **state)
{
	(void)state;
	expect(recursive, &(struct transforms){.recursion = TRANSFORM_RECURSION_ALL},
	       "m;a;b;d 3 3\nm;a;c 5 5\nm;q 4 4\n");
}

static void a_root_of_a_functions_name_is_no_recursion(void **state)
{
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};
	static const char script[] = "x 1 1.000000: 5 c: \n\t10 x (/opt/x)\n\t20 x (/opt/x)\n\n";

	(void)state;
	for (int which = TRANSFORM_RECURSION_DIRECT; which <= TRANSFORM_RECURSION_ALL; which++) {
		CLEANUP(reading_release) struct reading reading;
		CLEANUP(text_release) struct text text = TEXT_INIT;

		reading_init(&reading, &importer_perf_script, script, &by_comm, NULL, NULL);
		transform_paths(&reading.paths,
				&(struct transforms){.recursion = (enum transform_recursion)which});
		reading_show(&reading, &text);
		assert_string_equal(text_string(&text), "x;x 1 5\n");
	}
}

static void subtree_keeps_what_is_below_a_path_and_counts_the_rest(void **state)
{
	static const char *const subtrees[] = {"m;a;b", "m;q"};
	static const struct transforms wanted = {.subtrees = subtrees, .subtrees_nr = 2};
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	reading_init(&reading, &importer_folded, "m;a;b 1\nm;a;b;c 2\nm;a;bb 4\nm;q;b 8\nb 16\n",
		     NULL, NULL, NULL);
	transform_paths(&reading.paths, &wanted);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "b 1 1\nb;c 2 2\nq;b 8 8\n");
	assert_true(reading.paths.left_out[PATH_SUBTREE] == weight_of(20));
	assert_true(reading.paths.count == weight_of(11));
}

static void subtree_is_written_as_folded_lines_are(void **state)
{
	static const char *const subtrees[] = {"x;a:b"};
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "x 1 1.000000: 5 c: \n\t10 f (/opt/x)\n\t20 a;b (/opt/x)\n\n", &by_comm, NULL,
		     NULL);
	transform_paths(&reading.paths,
			&(struct transforms){.subtrees = subtrees, .subtrees_nr = 1});
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "a;b;f 1 5\n");
}

static void chains_of_one_child_are_joined(void **state)
{
	(void)state;
	expect("m;a;b;c 1\nm;a;b;d 2\nm;x;y;z 4\nm;x;y 8\nn 16\n",
	       &(struct transforms){.has_chains = true},
	       "m;a … b (2 frames);c 1 1\nm;a … b (2 frames);d 2 2\nm;x … y (2 frames) 8 8\n"
	       "m;x … y (2 frames);z 4 4\nn 16 16\n");
}

static void chains_from_the_leaf_are_those_of_callers(void **state)
{
	(void)state;
	expect("m;a;f 1\nn;b;a;f 2\ng 4\n",
	       &(struct transforms){.has_chains = true, .is_from_leaf = true},
	       "b … n (2 frames);f … a (2 frames) 2 2\ng 4 4\nm;f … a (2 frames) 1 1\n");
}

static void a_root_is_in_no_chain(void **state)
{
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	reading_init(
		&reading, &importer_perf_script,
		"x 1 1.000000: 5 c: \n\t10 f (/opt/x)\n\t20 g (/opt/x)\n\t30 h (/lib/h.so)\n\n",
		&by_comm, NULL, NULL);
	transform_paths(&reading.paths, &(struct transforms){.has_chains = true});
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "x;h … f (3 frames) 1 5\n");
}

static void a_chain_is_of_the_module_and_origin_of_all_its_frames(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	const struct function *list;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "x 1 1.000000: 5 c: \n\t10 f (/opt/x)\n\t20 g (/opt/x)\n\n"
		     "x 1 1.000000: 5 c: \n\t10 f (/lib/h.so)\n\t20 h (/opt/x)\n\n",
		     NULL, NULL, NULL);
	transform_paths(&reading.paths, &(struct transforms){.has_chains = true});
	assert_int_equal(reading.paths.nr, 2);
	list = reading.naming.list;
	assert_int_equal(list[paths_function(&reading.paths, 0, 0)].origin, ORIGIN_APP);
	assert_int_not_equal(list[paths_function(&reading.paths, 0, 0)].module, MODULE_NONE);
	assert_int_equal(list[paths_function(&reading.paths, 1, 0)].origin, ORIGIN_UNKNOWN);
	assert_int_equal(list[paths_function(&reading.paths, 1, 0)].module, MODULE_NONE);
}

/* ---- what holds of every tree */

static void draw_stacks(struct chance *chance, struct text *text)
{
	unsigned lines = 1 + chance_below(chance, 30);

	while (lines--) {
		unsigned depth = 1 + chance_below(chance, 8);

		while (depth--)
			text_addf(text, "%c%s", (char)('a' + chance_below(chance, 4)),
				  depth ? ";" : " ");
		text_addf(text, "%u\n", 1 + chance_below(chance, 100));
	}
}

static void draw_wish(struct chance *chance, struct transforms *ret)
{
	static const char *const subtrees[] = {"a", "b;a"};

	*ret = (struct transforms){
		.are_modules = chance_percent(chance, 10),
		.recursion = (enum transform_recursion)chance_below(chance, 3),
		.has_chains = chance_percent(chance, 50),
		.is_from_leaf = chance_percent(chance, 50),
		.subtrees = subtrees,
		.subtrees_nr = chance_below(chance, 3),
	};
}

/* A node of the joined tree that could still be joined: its only child has all its weight. */
static bool has_chain(const struct paths *paths)
{
	uint32_t *sorted = paths_sorted(paths);
	bool is_any = false;

	for (uint32_t i = 0; i < paths->nr && !is_any; i++)
		for (uint32_t depth = 1; depth < paths_depth(paths, sorted[i]); depth++) {
			weight of_node = 0, of_child = 0;

			for (uint32_t j = 0; j < paths->nr; j++) {
				uint32_t shared = 0;

				while (shared <= depth &&
				       paths_function(paths, sorted[i], shared) ==
					       paths_function(paths, sorted[j], shared))
					shared++;
				of_node +=
					shared >= depth ? paths_weight(paths, sorted[j], true) : 0;
				of_child +=
					shared > depth ? paths_weight(paths, sorted[j], true) : 0;
			}
			is_any |= of_node == of_child;
		}
	free(sorted);
	return is_any;
}

static void no_transform_loses_or_makes_weight(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 300; seed++) {
		CLEANUP(reading_release) struct reading reading;
		CLEANUP(text_release) struct text text = TEXT_INIT;
		struct chance chance = {.state = seed};
		struct transforms wanted;
		weight before, sum = 0;

		draw_stacks(&chance, &text);
		draw_wish(&chance, &wanted);
		reading_init(&reading, &importer_folded, text_string(&text), NULL, NULL, NULL);
		before = reading.paths.count;
		transform_paths(&reading.paths, &wanted);
		for (uint32_t i = 0; i < reading.paths.nr; i++)
			sum += paths_weight(&reading.paths, i, true);
		assert_true(sum == reading.paths.count);
		assert_true(sum + reading.paths.left_out[PATH_SUBTREE] == before);
		assert_true(wanted.subtrees_nr || sum == before);
		if (wanted.has_chains && !wanted.is_from_leaf)
			assert_false(has_chain(&reading.paths));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_asked_for_changes_nothing),
		cmocka_unit_test(neighbours_of_one_module_become_one_frame_of_its_name),
		cmocka_unit_test(grouped_by_module_every_frame_is_one),
		cmocka_unit_test(no_stack_is_no_module),
		cmocka_unit_test(direct_recursion_becomes_one_frame),
		cmocka_unit_test(all_recursion_leaves_no_name_twice),
		cmocka_unit_test(a_root_of_a_functions_name_is_no_recursion),
		cmocka_unit_test(subtree_keeps_what_is_below_a_path_and_counts_the_rest),
		cmocka_unit_test(subtree_is_written_as_folded_lines_are),
		cmocka_unit_test(chains_of_one_child_are_joined),
		cmocka_unit_test(chains_from_the_leaf_are_those_of_callers),
		cmocka_unit_test(a_root_is_in_no_chain),
		cmocka_unit_test(a_chain_is_of_the_module_and_origin_of_all_its_frames),
		cmocka_unit_test(no_transform_loses_or_makes_weight),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("transform", tests, NULL, NULL);
}
