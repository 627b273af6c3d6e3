/* test_calltree_cut.c - a walk that is cut is the walk that would have been asked for */
#include "tests/test.h"

#include "analysis/calltree_cut.h"
#include "analysis/naming.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

static void expect_same(const struct calltree *found, const struct calltree *expected)
{
	assert_int_equal(found->nr, expected->nr);
	assert_int_equal(found->left_out_nr, expected->left_out_nr);
	assert_true(found->total == expected->total);
	for (uint32_t i = 0; i < found->nr; i++) {
		const struct calltree_node *a = &found->nodes[i], *b = &expected->nodes[i];

		assert_int_equal(a->function, b->function);
		assert_int_equal(a->parent, b->parent);
		assert_int_equal(a->depth, b->depth);
		assert_int_equal(a->more, b->more);
		assert_true(a->value == b->value && a->before == b->before);
		assert_true(a->count == b->count);
		if (!a->more)
			assert_true(a->self == b->self && a->self_count == b->self_count);
	}
}

/* Cuts a walk of nodes from `from` on to those from `least` on. */
static void expect_cut(const struct reading *reading, weight from, weight least)
{
	CLEANUP(calltree_release) struct calltree found, expected;
	CLEANUP(calltree_collector_release) struct calltree_collector collector;
	CLEANUP(calltree_cut_release) struct calltree_cut cut;
	struct calltree_options options = {.least = from, .counts_samples = true};

	calltree_collector_init(&collector, &found, &reading->paths);
	calltree_cut_init(&cut, least, &collector.visitor);
	calltree_walk(&reading->paths, &options, &cut.visitor);
	calltree_cut_end(&cut);
	options.least = least;
	calltree_build(&expected, &reading->paths, &options);
	expect_same(&found, &expected);
}

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* Some stacks of up to seven of four names. */
static void add_stacks(struct text *text, unsigned seed)
{
	for (unsigned i = 0; i < 60; i++) {
		unsigned depth = 1 + next_random(&seed) % 7;

		for (unsigned k = 0; k < depth; k++)
			text_addf(text, "%s%c", k ? ";" : "", 'a' + (int)(next_random(&seed) % 4));
		text_addf(text, " %u\n", 1 + next_random(&seed) % 9);
	}
}

static void a_cut_walk_is_that_of_its_least_weight(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed < 40; seed++) {
		CLEANUP(reading_release) struct reading reading;
		CLEANUP(text_release) struct text stacks = TEXT_INIT;

		add_stacks(&stacks, seed);
		reading_init(&reading, &importer_folded, text_string(&stacks), NULL, NULL, NULL);
		for (unsigned least = 0; least < 60; least += 7) {
			expect_cut(&reading, 0, weight_of(least));
			expect_cut(&reading, weight_of(least / 3), weight_of(least));
		}
	}
}

/* The same of two sides. */
static void expect_joint_cut(const struct calltree_source *sources,
			     const struct calltree_options *wanted)
{
	CLEANUP(calltree_release) struct calltree found, expected;
	CLEANUP(calltree_collector_release) struct calltree_collector collector;
	CLEANUP(calltree_cut_release) struct calltree_cut cut;
	const struct naming *naming = sources[0].paths->naming;
	struct calltree_options options = *wanted;

	calltree_build_joint(&expected, naming, sources, 2, &options);
	calltree_collector_init(&collector, &found, sources[0].paths);
	calltree_cut_init(&cut, options.least, &collector.visitor);
	options.least = 0;
	calltree_walk_joint(naming, sources, 2, &options, &cut.visitor);
	calltree_cut_end(&cut);
	expect_same(&found, &expected);
	assert_true(found.is_joint && found.after_total == expected.after_total);
	for (uint32_t i = 0; i < found.nr; i++) {
		const struct calltree_after *a = &found.after[i], *b = &expected.after[i];

		assert_true(a->width == b->width);
		if (found.nodes[i].more)
			continue;
		assert_true(a->self == b->self);
		assert_true(a->width == calltree_width(&options, found.nodes[i].value, a->value));
	}
}

/* Each side has stacks of its own, and others that weigh something else than on the other one. */
static void expect_joint_cuts(unsigned seed)
{
	CLEANUP(reading_release) struct reading before, after;
	CLEANUP(text_release) struct text old = TEXT_INIT, new = TEXT_INIT;
	struct calltree_source sources[2];
	uint32_t *map;

	add_stacks(&old, seed);
	add_stacks(&new, seed + 100);
	text_add(&old, "a;only;before;all 9\n");
	text_add(&new, "a;only;after;all 20\n");
	reading_init(&before, &importer_folded, text_string(&old), NULL, NULL, NULL);
	reading_init(&after, &importer_folded, text_string(&new), NULL, NULL, NULL);
	map = naming_adopt(&before.naming, &after.naming);
	sources[0] = (struct calltree_source){&before.paths, NULL, false};
	sources[1] = (struct calltree_source){&after.paths, map, true};
	for (unsigned least = 0; least < 60; least += 7)
		expect_joint_cut(sources, &(struct calltree_options){
						  .least = weight_of(least),
						  .counts_samples = true,
						  .widths = (enum calltree_widths)(seed % 3),
						  .after_scale = 0.37,
					  });
	free(map);
}

static void a_cut_walk_of_two_sides_is_that_of_its_least_width(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed < 40; seed++)
		expect_joint_cuts(seed);
}

static void nothing_is_cut_of_nothing(void **state)
{
	CLEANUP(reading_release) struct reading reading;

	(void)state;
	reading_init(&reading, &importer_folded, "# nothing\n", NULL, NULL, NULL);
	expect_cut(&reading, 0, weight_of(3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_walk_is_that_of_its_least_weight),
		cmocka_unit_test(a_cut_walk_of_two_sides_is_that_of_its_least_width),
		cmocka_unit_test(nothing_is_cut_of_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
