/* test_moves.c - changes inside a caller whose own cost did not change */
#include "tests/test.h"

#include <math.h>

#include "analysis/calltree.h"
#include "analysis/diff.h"
#include "analysis/judge.h"
#include "analysis/moves.h"
#include "base/mem.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

/* Two sides of folded stacks, as if each was of 100 units of work. */
struct world {
	struct reading readings[2];
	struct calltree_source sources[2];
	uint32_t *map;
	struct diff diff;
	struct judge judge;
	struct moves moves;
};

static size_t row_of(const struct world *world, const char *name)
{
	const struct reading *first = &world->readings[0];

	for (size_t i = 0; i < world->diff.nr; i++)
		if (strcmp(names_display(
				   &first->capture.names,
				   first->naming.list[world->diff.functions[i].function].name),
			   name) == 0)
			return i;
	fail_msg("no function %s", name);
	return 0;
}

/* What changed is known by ten percent of it, what did not by a tenth of a unit. */
static void judge_all(struct world *world)
{
	struct diff *diff = &world->diff;

	world->judge = (struct judge){.rows = mem_zalloc(diff->nr, sizeof(*world->judge.rows))};
	for (size_t i = 0; i < diff->nr; i++) {
		const struct diff_function *function = &diff->functions[i];
		struct judge_row *row = &world->judge.rows[i];
		struct ratio_test *test = &row->test[diff->leading];
		double spread;

		test->difference = diff_after(diff, diff->leading, function->after_total) -
				   diff_before(diff, diff->leading, function->before_total);
		spread = fmax(0.1 * fabs(test->difference), 0.001);
		test->low = test->difference - spread;
		test->high = test->difference + spread;
		row->is_tested = true;
		row->verdict = test->difference != 0 ? JUDGE_CHANGED : JUDGE_BELOW;
	}
}

static void find(struct world *world)
{
	moves_find(&world->moves, &world->diff, &world->judge, &world->readings[0].naming,
		   world->sources, 2, false);
}

static void world_init(struct world *world, const char *before, const char *after, bool has_work)
{
	struct diff_divisors divisors = {0};

	*world = (struct world){0};
	reading_init(&world->readings[0], &importer_folded, before, NULL, NULL, NULL);
	reading_init(&world->readings[1], &importer_folded, after, NULL, NULL, NULL);
	world->map = naming_adopt(&world->readings[0].naming, &world->readings[1].naming);
	world->sources[0] = (struct calltree_source){&world->readings[0].paths, NULL, false};
	world->sources[1] = (struct calltree_source){&world->readings[1].paths, world->map, true};
	if (has_work)
		divisors.before[DIFF_PER_WORK] = divisors.after[DIFF_PER_WORK] = 100;
	diff_build(&world->diff, &world->readings[0].naming, world->sources, 2, false, &divisors);
	judge_all(world);
	find(world);
}

static void world_release(struct world *world)
{
	moves_release(&world->moves);
	free(world->judge.rows);
	diff_release(&world->diff);
	for (size_t i = 0; i < 2; i++)
		reading_release(&world->readings[i]);
	free(world->map);
}

static void what_grew_in_an_unchanged_caller_moved(void **state)
{
	CLEANUP(world_release) struct world world;
	const struct move *move;

	(void)state;
	world_init(&world, "main;mix;slow 40\nmain;mix;fast 20\nmain;parse 40\n",
		   "main;mix;slow 10\nmain;mix;fast 50\nmain;parse 40\n", true);
	move = moves_of(&world.moves, row_of(&world, "fast"));
	assert_non_null(move);
	assert_int_equal(move->caller, row_of(&world, "mix"));
	assert_int_equal(move->others_nr, 1);
	assert_int_equal(move->others[0], row_of(&world, "slow"));
	assert_non_null(moves_of(&world.moves, row_of(&world, "slow")));
	assert_int_equal(world.moves.nr, 2);
}

static void what_made_its_caller_grow_did_not_move(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world, "main;mix;slow 40\nmain;mix;fast 20\nmain;parse 40\n",
		   "main;mix;slow 35\nmain;mix;fast 50\nmain;parse 40\n", true);
	assert_null(moves_of(&world.moves, row_of(&world, "fast")));
}

static void a_caller_of_a_part_of_it_is_no_place(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world, "a;mix;fast 20\na;mix;slow 20\nb;other;fast 20\n",
		   "a;mix;fast 30\na;mix;slow 10\nb;other;fast 30\n", true);
	assert_null(moves_of(&world.moves, row_of(&world, "fast")));
	assert_non_null(moves_of(&world.moves, row_of(&world, "slow")));
}

static void a_caller_of_all_is_no_place_in_shares(void **state)
{
	CLEANUP(world_release) struct world world, by_work;
	static const char *const before = "main;slow 40\nmain;fast 60\n";
	static const char *const after = "main;slow 10\nmain;fast 90\n";

	(void)state;
	world_init(&world, before, after, false);
	assert_int_equal(world.diff.leading, DIFF_SHARE);
	assert_int_equal(world.moves.nr, 0);
	world_init(&by_work, before, after, true);
	assert_int_equal(by_work.moves.nr, 2);
}

static void a_caller_that_is_not_known_well_is_no_place(void **state)
{
	CLEANUP(world_release) struct world world;
	struct ratio_test *test;

	(void)state;
	world_init(&world, "main;mix;slow 40\nmain;mix;fast 20\nmain;parse 40\n",
		   "main;mix;slow 10\nmain;mix;fast 50\nmain;parse 40\n", true);
	test = &world.judge.rows[row_of(&world, "mix")].test[DIFF_PER_WORK];
	test->high = 0.2;
	test->low = -0.2;
	world.judge.rows[row_of(&world, "main")] = world.judge.rows[row_of(&world, "mix")];
	moves_release(&world.moves);
	find(&world);
	assert_int_equal(world.moves.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_grew_in_an_unchanged_caller_moved),
		cmocka_unit_test(what_made_its_caller_grow_did_not_move),
		cmocka_unit_test(a_caller_of_a_part_of_it_is_no_place),
		cmocka_unit_test(a_caller_of_all_is_no_place_in_shares),
		cmocka_unit_test(a_caller_that_is_not_known_well_is_no_place),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
