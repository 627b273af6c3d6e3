/* test_calltree.c - paths folded into a tree of calls */
#include "tests/test.h"

#include "analysis/calltree.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

/* Indented lines of "name value self at before", "+ n" for what is not shown. */
static void show(const struct calltree *tree, const struct reading *reading, struct text *text)
{
	for (uint32_t i = 0; i < tree->nr; i++) {
		const struct calltree_node *node = &tree->nodes[i];

		text_addf(text, "%*s", (int)node->depth, "");
		if (node->more)
			text_addf(text, "+ %u ", node->more);
		else if (node->function == FUNCTION_NONE)
			text_add(text, "all ");
		else
			text_addf(text, "%s ",
				  names_display(&reading->capture.names,
						reading->naming.list[node->function].name));
		weight_add(text, node->value);
		text_add_char(text, ' ');
		weight_add(text, node->self);
		text_add(text, " at ");
		weight_add(text, node->before);
		text_add_char(text, '\n');
	}
}

static void expect(const char *stacks, const struct calltree_options *options, const char *shown)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(calltree_release) struct calltree tree;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_init(&reading, &importer_folded, stacks, NULL, NULL, NULL);
	calltree_build(&tree, &reading.paths, options);
	show(&tree, &reading, &text);
	assert_string_equal(text_string(&text), shown);
}

static const char stacks[] = "main;write;copy 6\nmain;read;copy 1\nmain;write 8\nidle 16\n";

static void tree_has_a_node_per_path_siblings_by_name(void **state)
{
	(void)state;
	expect(stacks, &(struct calltree_options){0},
	       "all 31 0 at 0\n"
	       " idle 16 16 at 0\n"
	       " main 15 0 at 16\n"
	       "  read 1 0 at 0\n"
	       "   copy 1 1 at 0\n"
	       "  write 14 8 at 1\n"
	       "   copy 6 6 at 0\n");
}

/* Neighbours with much in common are taken together; without, each alone. */
static void order_of_the_paths_does_not_matter(void **state)
{
	static const char shown[] = "all 21 0 at 0\n"
				    " a 15 5 at 0\n"
				    "  b 10 6 at 0\n"
				    "   c 4 0 at 0\n"
				    "    d 4 4 at 0\n"
				    " b 6 6 at 15\n";

	(void)state;
	expect("a 5\na;b 1\na;b 2\na;b 3\na;b;c;d 4\nb 6\n", &(struct calltree_options){0}, shown);
	expect("b 6\na;b;c;d 4\na;b 3\na 5\na;b 2\na;b 1\n", &(struct calltree_options){0}, shown);
	expect("a;b 1\nb 1\na 5\nb 5\na;b 5\na;b;c;d 4\n", &(struct calltree_options){0}, shown);
}

static void siblings_stand_by_weight_where_asked_for(void **state)
{
	(void)state;
	expect("m;c 1\nm;a 2\nm;b 2\nz 9\nm 1\n",
	       &(struct calltree_options){.is_heaviest_first = true},
	       "all 15 0 at 0\n"
	       " z 9 9 at 0\n"
	       " m 6 1 at 9\n"
	       "  a 2 2 at 0\n"
	       "  b 2 2 at 2\n"
	       "  c 1 1 at 4\n");
}

static void reversed_tree_begins_at_the_leaves(void **state)
{
	(void)state;
	expect(stacks, &(struct calltree_options){.is_reversed = true},
	       "all 31 0 at 0\n"
	       " copy 7 0 at 0\n"
	       "  read 1 0 at 0\n"
	       "   main 1 1 at 0\n"
	       "  write 6 0 at 1\n"
	       "   main 6 6 at 0\n"
	       " idle 16 16 at 7\n"
	       " write 8 0 at 23\n"
	       "  main 8 8 at 0\n");
}

static void what_is_too_narrow_is_in_more_with_its_weight(void **state)
{
	(void)state;
	expect(stacks, &(struct calltree_options){.least = weight_of(7)},
	       "all 31 0 at 0\n"
	       " idle 16 16 at 0\n"
	       " main 15 0 at 16\n"
	       "  write 14 8 at 0\n"
	       "   + 1 6 0 at 0\n"
	       "  + 1 1 0 at 14\n");
}

static void just_as_wide_as_the_limit_is_shown(void **state)
{
	(void)state;
	expect("a 5\nb 4\n", &(struct calltree_options){.least = weight_of(5)},
	       "all 9 0 at 0\n a 5 5 at 0\n + 1 4 0 at 5\n");
}

static void what_is_too_deep_is_in_more(void **state)
{
	(void)state;
	expect(stacks, &(struct calltree_options){.deepest = 1},
	       "all 31 0 at 0\n idle 16 16 at 0\n main 15 0 at 16\n  + 2 15 0 at 0\n");
}

static void tree_of_nothing_is_its_root(void **state)
{
	(void)state;
	expect("# nothing\n", &(struct calltree_options){0}, "all 0 0 at 0\n");
}

static void recursion_is_a_node_each(void **state)
{
	(void)state;
	expect("a;a;a 1\na;a 2\na 4\n", &(struct calltree_options){0},
	       "all 7 0 at 0\n a 7 4 at 0\n  a 3 2 at 0\n   a 1 1 at 0\n");
}

static void deep_stack_needs_no_recursion(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(calltree_release) struct calltree tree;

	(void)state;
	for (int i = 0; i < 300000; i++)
		text_add(&input, i % 2 ? "a;" : "b;");
	text_add(&input, "leaf 3\n");
	reading_init(&reading, &importer_folded, input.bytes, NULL, NULL, NULL);
	calltree_build(&tree, &reading.paths, &(struct calltree_options){0});
	assert_int_equal(tree.nr, 300002);
	assert_int_equal(tree.deepest, 300001);
	assert_true(tree.nodes[300001].self == weight_of(3));
}

static void wide_tree_is_ordered_by_name(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(calltree_release) struct calltree tree;

	(void)state;
	for (unsigned i = 0; i < 50000; i++)
		text_addf(&input, "main;f%05u 1\n", i * 7919 % 50000);
	reading_init(&reading, &importer_folded, input.bytes, NULL, NULL, NULL);
	calltree_build(&tree, &reading.paths, &(struct calltree_options){0});
	assert_int_equal(tree.nr, 50002);
	for (uint32_t i = 3; i < tree.nr; i++) {
		const struct function *list = reading.naming.list;

		assert_true(names_compare(&reading.capture.names,
					  list[tree.nodes[i - 1].function].name,
					  list[tree.nodes[i].function].name) < 0);
		assert_true(tree.nodes[i].before == weight_of(i - 2));
	}
}

static void name_of_two_origins_is_one_node_of_the_heavier(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(calltree_release) struct calltree tree;
	const struct function *function;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 memcpy (/opt/relay)\n\n"
		     "a 1 1.000000: 6 c: \n\t10 memcpy ([kernel.kallsyms])\n\n",
		     NULL, NULL, NULL);
	calltree_build(&tree, &reading.paths, &(struct calltree_options){0});
	assert_int_equal(tree.nr, 2);
	assert_true(tree.nodes[1].value == weight_of(11));
	assert_true(tree.nodes[1].count == weight_of(2));
	function = &reading.naming.list[tree.nodes[1].function];
	assert_int_equal(function->origin, ORIGIN_KERNEL);
}

static void samples_are_counted_where_asked_for(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(calltree_release) struct calltree tree;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 f\n\na 1 1.000000: 6 c: \n\t10 f\n\n", NULL, NULL,
		     NULL);
	calltree_build(&tree, &reading.paths, &(struct calltree_options){.counts_samples = true});
	assert_true(tree.total == weight_of(2));
	assert_true(tree.nodes[1].self == weight_of(2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_has_a_node_per_path_siblings_by_name),
		cmocka_unit_test(order_of_the_paths_does_not_matter),
		cmocka_unit_test(siblings_stand_by_weight_where_asked_for),
		cmocka_unit_test(reversed_tree_begins_at_the_leaves),
		cmocka_unit_test(what_is_too_narrow_is_in_more_with_its_weight),
		cmocka_unit_test(just_as_wide_as_the_limit_is_shown),
		cmocka_unit_test(what_is_too_deep_is_in_more),
		cmocka_unit_test(tree_of_nothing_is_its_root),
		cmocka_unit_test(recursion_is_a_node_each),
		cmocka_unit_test(deep_stack_needs_no_recursion),
		cmocka_unit_test(wide_tree_is_ordered_by_name),
		cmocka_unit_test(name_of_two_origins_is_one_node_of_the_heavier),
		cmocka_unit_test(samples_are_counted_where_asked_for),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
