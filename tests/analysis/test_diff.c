/* test_diff.c - two sides of captures joined, by function and by path */
#include "tests/test.h"

#include <math.h>

#include "analysis/calltree.h"
#include "analysis/diff.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

/* Folded stacks of both sides, the first `before_nr` of the before side. */
struct world {
	struct reading readings[4];
	struct calltree_source sources[4];
	uint32_t *maps[4];
	size_t nr;
};

static void world_init(struct world *world, const char *const *stacks, size_t nr, size_t before_nr)
{
	*world = (struct world){.nr = nr};
	for (size_t i = 0; i < nr; i++)
		reading_init(&world->readings[i], &importer_folded, stacks[i], NULL, NULL, NULL);
	for (size_t i = 0; i < nr; i++) {
		if (i)
			world->maps[i] = naming_adopt(&world->readings[0].naming,
						      &world->readings[i].naming);
		world->sources[i] = (struct calltree_source){&world->readings[i].paths,
							     world->maps[i], i >= before_nr};
	}
}

static void world_release(struct world *world)
{
	for (size_t i = 0; i < world->nr; i++) {
		reading_release(&world->readings[i]);
		free(world->maps[i]);
	}
}

static const char *name_of(const struct world *world, uint32_t function)
{
	const struct reading *first = &world->readings[0];

	return function == FUNCTION_NONE
		       ? "all"
		       : names_display(&first->capture.names, first->naming.list[function].name);
}

static void add_pair(struct text *text, weight before, weight after)
{
	text_add_char(text, ' ');
	weight_add(text, before);
	text_add_char(text, '>');
	weight_add(text, after);
}

static void show_tree(const struct world *world, const struct calltree_options *options,
		      struct text *text)
{
	struct calltree tree;

	calltree_build_joint(&tree, &world->readings[0].naming, world->sources, world->nr, options);
	for (uint32_t i = 0; i < tree.nr; i++) {
		const struct calltree_node *node = &tree.nodes[i];

		text_addf(text, "%*s", (int)node->depth, "");
		if (node->more)
			text_addf(text, "+ %u", node->more);
		else
			text_add(text, name_of(world, node->function));
		add_pair(text, node->value, tree.after[i].value);
		add_pair(text, node->self, tree.after[i].self);
		text_add_char(text, '\n');
	}
	calltree_release(&tree);
}

static void expect_tree(const char *const *stacks, size_t nr, size_t before_nr,
			const struct calltree_options *options, const char *wanted)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(world_release) struct world world;

	world_init(&world, stacks, nr, before_nr);
	show_tree(&world, options, &text);
	assert_string_equal(text_string(&text), wanted);
}

#define TREE(before, after, wanted, ...)                        \
	expect_tree((const char *const[]){before, after}, 2, 1, \
		    &(struct calltree_options){.after_scale = 1, __VA_ARGS__}, wanted)

static void paths_of_both_sides_are_joined_by_name(void **state)
{
	(void)state;
	TREE("app;old;slow 40\napp;keep 60\n", "app;keep 60\napp;new;fast 5\n",
	     "all 100>65 0>0\n"
	     " app 100>65 0>0\n"
	     "  keep 60>60 60>60\n"
	     "  new 0>5 0>0\n"
	     "   fast 0>5 0>5\n"
	     "  old 40>0 0>0\n"
	     "   slow 40>0 40>0\n");
}

static void side_without_samples_makes_all_of_the_other_new(void **state)
{
	(void)state;
	TREE("# nothing\n", "a;b 2\n", "all 0>2 0>0\n a 0>2 0>0\n  b 0>2 0>2\n");
	TREE("a;b 2\n", "# nothing\n", "all 2>0 0>0\n a 2>0 0>0\n  b 2>0 2>0\n");
}

/* The last path of one side and the first of the other are neighbours, and are kept apart. */
static void neighbours_of_other_sides_are_not_mixed(void **state)
{
	(void)state;
	TREE("a;b;c 1\n", "a;b;c 2\na;b 3\n",
	     "all 1>5 0>0\n a 1>5 0>0\n  b 1>5 0>3\n   c 1>2 1>2\n");
}

static void decimal_weights_are_kept(void **state)
{
	(void)state;
	TREE("a 0.5\n", "a 0.25\nb 0.000000001\n",
	     "all 0.5>0.250000001 0>0\n a 0.5>0.25 0.5>0.25\n b 0>0.000000001 0>0.000000001\n");
}

static void widths_say_what_is_shown(void **state)
{
	static const char before[] = "a;x 10\na;y 1\n", after[] = "a;x 1\na;y 10\n";

	(void)state;
	TREE(before, after, "all 11>11 0>0\n a 11>11 0>0\n  x 10>1 10>1\n  y 1>10 1>10\n",
	     .least = weight_of(5));
	TREE(before, after, "all 11>11 0>0\n a 11>11 0>0\n  y 1>10 1>10\n  + 1 10>1 0>0\n",
	     .least = weight_of(5), .widths = CALLTREE_WIDTHS_AFTER);
	TREE(before, after, "all 11>11 0>0\n a 11>11 0>0\n  x 10>1 10>1\n  + 1 1>10 0>0\n",
	     .least = weight_of(5), .widths = CALLTREE_WIDTHS_BEFORE);
}

static void reversed_tree_is_joined_too(void **state)
{
	(void)state;
	TREE("a;m 3\nb;m 4\n", "a;m 5\n", "all 7>5 0>0\n m 7>5 0>0\n  a 3>5 3>5\n  b 4>0 4>0\n",
	     .is_reversed = true);
}

static void several_captures_of_a_side_are_added_up(void **state)
{
	(void)state;
	expect_tree((const char *const[]){"a 1\n", "b 2\na 4\n", "b 8\n", "c 16\n"}, 4, 2,
		    &(struct calltree_options){.after_scale = 1},
		    "all 7>24 0>0\n a 5>0 5>0\n b 2>8 2>8\n c 0>16 0>16\n");
}

/* ---- functions */

static void functions_are_joined_and_the_largest_change_is_first(void **state)
{
	static const char *const stacks[] = {"m;a;a 3\nm;b 7\n", "m;a 9\nm;b 7\nm;c 4\n"};
	CLEANUP(world_release) struct world world;
	CLEANUP(diff_release) struct diff diff;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	world_init(&world, stacks, 2, 1);
	diff_build(&diff, &world.readings[0].naming, world.sources, 2, true,
		   &(struct diff_divisors){0});
	for (size_t i = 0; i < diff.nr; i++) {
		const struct diff_function *function = &diff.functions[i];

		text_addf(&text, "%s", name_of(&world, function->function));
		add_pair(&text, function->before_total, function->after_total);
		add_pair(&text, function->before_self, function->after_self);
		text_addf(&text, " %.1f\n",
			  diff_points(&diff, diff.leading, function->before_total,
				      function->after_total));
	}
	assert_int_equal(diff.leading, DIFF_SHARE);
	assert_string_equal(text_string(&text), "b 7>7 7>7 -35.0\n"
						"c 0>4 0>4 20.0\n"
						"a 3>9 3>9 15.0\n"
						"m 10>20 0>0 0.0\n");
}

static void readings_divide_by_what_they_say(void **state)
{
	static const char *const stacks[] = {"f 10\ng 30\n", "f 100\ng 300\n"};
	CLEANUP(world_release) struct world world;
	CLEANUP(diff_release) struct diff diff;
	struct diff_divisors divisors = {.before = {[DIFF_PER_SECOND] = 2},
					 .after = {[DIFF_PER_SECOND] = 10}};

	(void)state;
	world_init(&world, stacks, 2, 1);
	diff_build(&diff, &world.readings[0].naming, world.sources, 2, true, &divisors);
	assert_int_equal(diff.leading, DIFF_PER_SECOND);
	assert_false(diff_has_reading(&diff.divisors, DIFF_PER_WORK));
	assert_true(fabs(diff_before(&diff, DIFF_PER_SECOND, weight_of(10)) - 5) < 1e-12);
	/* 5 a second became 10, of 20: a quarter of the whole; its share is what it was */
	assert_true(fabs(diff_points(&diff, DIFF_PER_SECOND, weight_of(10), weight_of(100)) - 25) <
		    1e-9);
	assert_true(diff_points(&diff, DIFF_SHARE, weight_of(10), weight_of(100)) == 0);
	assert_true(diff_after(&diff, DIFF_PER_WORK, weight_of(10)) == 0);
}

static void states_go_by_the_weights(void **state)
{
	(void)state;
	assert_int_equal(diff_state(0, 0), DIFF_SAME);
	assert_int_equal(diff_state(0, 1), DIFF_NEW);
	assert_int_equal(diff_state(1, 0), DIFF_REMOVED);
	assert_int_equal(diff_state(1, 2), DIFF_GROWN);
	assert_int_equal(diff_state(2, 1), DIFF_SHRUNK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_of_both_sides_are_joined_by_name),
		cmocka_unit_test(side_without_samples_makes_all_of_the_other_new),
		cmocka_unit_test(neighbours_of_other_sides_are_not_mixed),
		cmocka_unit_test(decimal_weights_are_kept),
		cmocka_unit_test(widths_say_what_is_shown),
		cmocka_unit_test(reversed_tree_is_joined_too),
		cmocka_unit_test(several_captures_of_a_side_are_added_up),
		cmocka_unit_test(functions_are_joined_and_the_largest_change_is_first),
		cmocka_unit_test(readings_divide_by_what_they_say),
		cmocka_unit_test(states_go_by_the_weights),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
