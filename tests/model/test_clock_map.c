/* test_clock_map.c - times go from clock to clock with their errors, or it is said what is missing
 */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "model/clock_map.h"

#define SECOND INT64_C(1000000000)
#define WALL   (INT64_C(1796007700) * SECOND)

enum {
	PERF,
	COUNTERS,
	PROMETHEUS,
	OTHER
};

static const struct clock_source sources[] = {
	[PERF] = {"perf", SOURCE_CLOCK_PERF},
	[COUNTERS] = {"counters", SOURCE_CLOCK_MONOTONIC},
	[PROMETHEUS] = {"prometheus", SOURCE_CLOCK_REALTIME},
	[OTHER] = {"other", SOURCE_CLOCK_MONOTONIC},
};

struct world {
	struct clock_ties ties;
	struct clock_map map;
};

static void world_init(struct world *world)
{
	*world = (struct world){0};
	world->map = (struct clock_map){sources, ARRAY_NR(sources), &world->ties, "x.tephra"};
}

static void world_release(struct world *world)
{
	clock_ties_release(&world->ties);
}

static void tie(struct world *world, uint32_t source, uint32_t target, enum tie_how how,
		int64_t at_ns, int64_t target_ns, uint64_t error_ns)
{
	struct clock_tie tie;

	assert_true(clock_tie_of((uint64_t)at_ns, (uint64_t)target_ns, error_ns, &tie));
	tie.source = source;
	tie.target = target;
	tie.how = how;
	assert_true(clock_ties_add(&world->ties, &tie));
}

static void assert_time(const struct world *world, uint32_t source, int64_t time_ns,
			uint32_t target, int64_t want_ns, int64_t want_error_ns)
{
	struct clock_time time;
	struct error *err = clock_map_time(&world->map, source, (uint64_t)time_ns, target, &time);

	assert_null(err);
	assert_int_equal(time.time_ns, want_ns);
	assert_int_equal(time.error_ns, want_error_ns);
}

static void assert_fails(const struct world *world, uint32_t source, int64_t time_ns,
			 uint32_t target, const char *text, const char *hint)
{
	struct clock_time time;
	struct error *err = clock_map_time(&world->map, source, (uint64_t)time_ns, target, &time);

	assert_non_null(err);
	assert_non_null(strstr(error_text(err), text));
	if (hint) {
		assert_non_null(error_hint_text(err));
		assert_non_null(strstr(error_hint_text(err), hint));
	}
	error_free(err);
}

static void times_on_their_own_clock_are_exact(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	assert_time(&world, PERF, 12345, PERF, 12345, 0);
	assert_time(&world, PROMETHEUS, WALL, CLOCK_WALL, WALL, 0);
	assert_time(&world, CLOCK_WALL, WALL, PROMETHEUS, WALL, 0);
}

static void error_grows_with_the_distance_from_what_was_seen(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 500);
	assert_time(&world, PERF, 1000 * SECOND, CLOCK_WALL, WALL, 500);
	assert_time(&world, PERF, 1010 * SECOND, CLOCK_WALL, WALL + 10 * SECOND, 500 + 1000000);
	assert_time(&world, PERF, 990 * SECOND, CLOCK_WALL, WALL - 10 * SECOND, 500 + 1000000);
	/* nothing is added between the first and the last that was seen */
	world.ties.list[0].last_ns = 1010 * SECOND;
	assert_time(&world, PERF, 1010 * SECOND, CLOCK_WALL, WALL + 10 * SECOND, 500);
}

static void way_back_ends_where_it_began(void **state)
{
	CLEANUP(world_release) struct world world;
	struct clock_time there, back;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 500);
	for (int64_t at = 100 * SECOND; at < 3000 * SECOND; at += 77 * SECOND) {
		assert_null(clock_map_time(&world.map, PERF, (uint64_t)at, CLOCK_WALL, &there));
		assert_null(clock_map_time(&world.map, CLOCK_WALL, there.time_ns, PERF, &back));
		assert_true(back.time_ns + back.error_ns >= (uint64_t)at);
		assert_true(back.time_ns - back.error_ns <= (uint64_t)at);
		assert_true(back.error_ns < there.error_ns + there.error_ns / 1000 + 2);
	}
}

static void errors_along_the_way_add_up(void **state)
{
	CLEANUP(world_release) struct world world;
	struct clock_time time;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 500);
	tie(&world, COUNTERS, CLOCK_WALL, TIE_COLUMNS, 1001 * SECOND, WALL, 200);
	world.ties.list[0].drift_ppb = world.ties.list[1].drift_ppb = 0;
	assert_time(&world, PERF, 1000 * SECOND, COUNTERS, 1001 * SECOND, 700);
	assert_time(&world, COUNTERS, 1001 * SECOND, PERF, 1000 * SECOND, 700);
	assert_null(clock_map_time(&world.map, PERF, 1000 * SECOND, COUNTERS, &time));
	assert_int_equal(time.hows, 1 << TIE_KERNEL_LOG | 1 << TIE_COLUMNS);
}

static void most_exact_way_is_taken(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 5000000);
	tie(&world, COUNTERS, CLOCK_WALL, TIE_COLUMNS, 1001 * SECOND, WALL, 200);
	tie(&world, PERF, COUNTERS, TIE_GIVEN, 1000 * SECOND, 1001 * SECOND, 300);
	assert_time(&world, PERF, 1000 * SECOND, COUNTERS, 1001 * SECOND, 300);
	/* and the way to wall time is the longer one, too */
	world.ties.list[1].drift_ppb = 0;
	assert_time(&world, PERF, 1000 * SECOND, CLOCK_WALL, WALL, 500);
}

static void ties_of_different_kinds_say_it_together(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 1000);
	tie(&world, PERF, CLOCK_WALL, TIE_FIT, 1000 * SECOND, WALL + 1500, 1000);
	assert_time(&world, PERF, 1000 * SECOND, CLOCK_WALL, WALL + 750, 250);
}

static void ties_that_contradict_each_other_are_named(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 1000);
	tie(&world, PERF, CLOCK_WALL, TIE_GIVEN, 1000 * SECOND, WALL + 2 * SECOND, 1000);
	assert_fails(&world, PERF, 1000 * SECOND, CLOCK_WALL, "2.000 s apart",
		     "tephra align x.tephra --capture 'perf' --forget=given");
	assert_false(clock_map_is_tied(&world.map, PERF, CLOCK_WALL));
}

static void nearest_of_one_kind_counts_where_a_clock_was_set(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, COUNTERS, CLOCK_WALL, TIE_COLUMNS, 1000 * SECOND, WALL, 100);
	tie(&world, COUNTERS, CLOCK_WALL, TIE_COLUMNS, 1100 * SECOND, WALL + 103 * SECOND, 100);
	assert_time(&world, COUNTERS, 1000 * SECOND, CLOCK_WALL, WALL, 100);
	assert_time(&world, COUNTERS, 1100 * SECOND, CLOCK_WALL, WALL + 103 * SECOND, 100);
}

static void missing_tie_says_what_would_help(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	assert_fails(&world, PERF, SECOND, PROMETHEUS,
		     "nothing ties the clock of 'perf' (perf's own clock) to the clock of "
		     "'prometheus' (wall time)",
		     "tephra align x.tephra --capture='perf' --kmsg=");
	assert_fails(&world, PROMETHEUS, WALL, PERF, "nothing ties the clock of 'prometheus'",
		     "--capture='perf' --kmsg=");
	/* one name is not one clock: it may be of another boot */
	assert_fails(&world, COUNTERS, SECOND, OTHER, "CLOCK_MONOTONIC",
		     "--same-clock --to='other'");
	assert_false(clock_map_is_tied(&world.map, COUNTERS, OTHER));
	tie(&world, COUNTERS, OTHER, TIE_SAME, 0, 0, 0);
	assert_true(clock_map_is_tied(&world.map, OTHER, COUNTERS));
}

static void time_before_the_clock_began_is_refused(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world);
	tie(&world, PERF, CLOCK_WALL, TIE_KERNEL_LOG, 1000 * SECOND, WALL, 1000);
	assert_fails(&world, CLOCK_WALL, WALL - 2000 * SECOND, PERF,
		     "before the clock of 'perf' began", NULL);
}

static void words_go_both_ways(void **state)
{
	(void)state;
	for (int how = 0; how < TIE_HOW_NR; how++)
		assert_int_equal(tie_how_of_word(tie_how_word(how)), how);
	assert_int_equal(tie_how_of_word("guessed"), TIE_HOW_NR);
}

static void ties_beyond_the_limit_are_not_kept(void **state)
{
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};
	struct clock_tie tie = {0};

	(void)state;
	assert_false(clock_tie_of(UINT64_MAX, 0, 0, &tie));
	assert_true(clock_tie_of(1, 2, 0, &tie));
	for (int i = 0; i < CLOCK_TIES_MAX; i++)
		assert_true(clock_ties_add(&ties, &tie));
	assert_false(clock_ties_add(&ties, &tie));
	tie.source = 1;
	assert_true(clock_ties_add(&ties, &tie));
}

/* Is a time of the first that of the second, exactly? */
static void assert_one_clock(const struct clock_source overlapping[], struct world *world,
			     bool is_one)
{
	struct clock_map map = {overlapping, 2, &world->ties, NULL};
	struct clock_time time = {0};
	struct error *err = clock_map_time(&map, 0, 5 * SECOND, 1, &time);

	assert_int_equal(!err && time.time_ns == 5 * SECOND && time.error_ns == 0, is_one);
	error_free(err);
}

static void captures_of_one_clock_that_overlap_are_of_one_boot(void **state)
{
	const struct clock_source overlap[] = {
		{"a", SOURCE_CLOCK_MONOTONIC, true, 1 * SECOND, 9 * SECOND},
		{"b", SOURCE_CLOCK_MONOTONIC, true, 9 * SECOND, 20 * SECOND}};
	const struct clock_source apart[] = {
		{"a", SOURCE_CLOCK_MONOTONIC, true, 1 * SECOND, 8 * SECOND},
		{"b", SOURCE_CLOCK_MONOTONIC, true, 9 * SECOND, 20 * SECOND}};
	const struct clock_source others[] = {
		{"a", SOURCE_CLOCK_MONOTONIC, true, 1 * SECOND, 9 * SECOND},
		{"b", SOURCE_CLOCK_MONOTONIC_RAW, true, 1 * SECOND, 9 * SECOND}};
	const struct clock_source unknown[] = {
		{"a", SOURCE_CLOCK_UNKNOWN, true, 1 * SECOND, 9 * SECOND},
		{"b", SOURCE_CLOCK_UNKNOWN, true, 1 * SECOND, 9 * SECOND}};
	struct world world;

	(void)state;
	world_init(&world);
	assert_one_clock(overlap, &world, true);
	assert_one_clock(apart, &world, false);
	assert_one_clock(others, &world, false);
	assert_one_clock(unknown, &world, false);
	world_release(&world);
}

static void what_ties_two_captures_counts_before_their_clock_does(void **state)
{
	const struct clock_source overlap[] = {
		{"a", SOURCE_CLOCK_MONOTONIC, true, 1 * SECOND, 9 * SECOND},
		{"b", SOURCE_CLOCK_MONOTONIC, true, 2 * SECOND, 20 * SECOND}};
	struct world world;

	(void)state;
	world_init(&world);
	tie(&world, 0, 1, TIE_GIVEN, 5 * SECOND, 7 * SECOND, 0);
	assert_one_clock(overlap, &world, false);
	world_release(&world);
	/* up as long, at another time: two machines */
	world_init(&world);
	tie(&world, 0, CLOCK_WALL, TIE_CLOCK_DATA, 5 * SECOND, WALL, 1000);
	tie(&world, 1, CLOCK_WALL, TIE_COLUMNS, 5 * SECOND, WALL + 60 * SECOND, 1000);
	assert_one_clock(overlap, &world, false);
	world_release(&world);
	world_init(&world);
	tie(&world, 0, CLOCK_WALL, TIE_CLOCK_DATA, 5 * SECOND, WALL, 1000);
	tie(&world, 1, CLOCK_WALL, TIE_COLUMNS, 5 * SECOND, WALL + 1500, 1000);
	assert_one_clock(overlap, &world, true);
	world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_on_their_own_clock_are_exact),
		cmocka_unit_test(error_grows_with_the_distance_from_what_was_seen),
		cmocka_unit_test(way_back_ends_where_it_began),
		cmocka_unit_test(errors_along_the_way_add_up),
		cmocka_unit_test(most_exact_way_is_taken),
		cmocka_unit_test(ties_of_different_kinds_say_it_together),
		cmocka_unit_test(ties_that_contradict_each_other_are_named),
		cmocka_unit_test(nearest_of_one_kind_counts_where_a_clock_was_set),
		cmocka_unit_test(missing_tie_says_what_would_help),
		cmocka_unit_test(time_before_the_clock_began_is_refused),
		cmocka_unit_test(words_go_both_ways),
		cmocka_unit_test(ties_beyond_the_limit_are_not_kept),
		cmocka_unit_test(captures_of_one_clock_that_overlap_are_of_one_boot),
		cmocka_unit_test(what_ties_two_captures_counts_before_their_clock_does),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
