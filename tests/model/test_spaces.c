/* test_spaces.c - what is mapped where, as maps come, overlap, are inherited and go */
#include "tests/test.h"

#include "model/spaces.h"

#include "base/mem.h"

static bool add(struct spaces *spaces, int32_t pid, uint64_t begin, uint64_t end, uint64_t offset,
		uint32_t module)
{
	return spaces_add(spaces, pid, &(struct space_map){begin, end, offset, module, 0});
}

#define NOTHING UINT32_MAX

/* The module at an address and where in its file that is. */
static void expect(struct spaces *spaces, int32_t pid, uint64_t address, uint32_t module,
		   uint64_t offset)
{
	const struct space_map *map = spaces_find(spaces_get(spaces, pid), address);

	assert_int_equal(map ? map->module : NOTHING, module);
	if (map)
		assert_int_equal(address - map->begin + map->offset, offset);
}

static void address_is_in_the_map_around_it(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 300, 400, 0, 3);
	add(&spaces, 7, 100, 200, 1000, 1);
	expect(&spaces, 7, 99, NOTHING, 0);
	expect(&spaces, 7, 100, 1, 1000);
	expect(&spaces, 7, 199, 1, 1099);
	expect(&spaces, 7, 200, NOTHING, 0);
	expect(&spaces, 7, 350, 3, 50);
	expect(&spaces, 7, 400, NOTHING, 0);
	expect(&spaces, 8, 100, NOTHING, 0);
}

static void new_map_cuts_the_old_one_in_two(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 100, 200, 1000, 1);
	add(&spaces, 7, 140, 160, 0, 2);
	expect(&spaces, 7, 139, 1, 1039);
	expect(&spaces, 7, 140, 2, 0);
	expect(&spaces, 7, 159, 2, 19);
	expect(&spaces, 7, 160, 1, 1060);
	expect(&spaces, 7, 199, 1, 1099);
}

static void what_goes_leaves_a_hole(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 100, 200, 1000, 1);
	add(&spaces, 7, 200, 300, 0, 2);
	spaces_remove(&spaces, 7, 140, 160);
	spaces_remove(&spaces, 7, 190, 210);
	spaces_remove(&spaces, 7, 500, 400); /* none at all */
	spaces_remove(&spaces, 8, 0, 100);
	expect(&spaces, 7, 139, 1, 1039);
	expect(&spaces, 7, 140, NOTHING, 0);
	expect(&spaces, 7, 159, NOTHING, 0);
	expect(&spaces, 7, 160, 1, 1060);
	expect(&spaces, 7, 190, NOTHING, 0);
	expect(&spaces, 7, 210, 2, 10);
}

static void new_map_cuts_ends_and_takes_out_what_it_covers(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 100, 200, 0, 1);
	add(&spaces, 7, 200, 250, 0, 2);
	add(&spaces, 7, 260, 280, 0, 3);
	add(&spaces, 7, 300, 400, 0, 4);
	add(&spaces, 7, 150, 350, 0, 5);
	expect(&spaces, 7, 149, 1, 49);
	expect(&spaces, 7, 150, 5, 0);
	expect(&spaces, 7, 270, 5, 120);
	expect(&spaces, 7, 349, 5, 199);
	expect(&spaces, 7, 350, 4, 50);
	assert_int_equal(spaces.maps_nr, 3);
}

static void same_map_again_replaces_itself(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	for (int i = 0; i < 10; i++)
		add(&spaces, 7, 100, 200, 0, 1);
	assert_int_equal(spaces.maps_nr, 1);
	add(&spaces, 7, 100, 100, 0, 2);
	add(&spaces, 7, 200, 100, 0, 2);
	assert_int_equal(spaces.maps_nr, 1);
}

/* Against a picture of 256 addresses, each with its module. */
static void any_maps_agree_with_a_picture_of_them(void **state)
{
	uint32_t chance = 12345;

	(void)state;
	for (int round = 0; round < 200; round++) {
		CLEANUP(spaces_release) struct spaces spaces = {0};
		uint32_t modules[256];
		uint64_t offsets[256];

		memset(modules, 0xff, sizeof(modules));
		for (uint32_t module = 0; module < 40; module++) {
			uint64_t begin, end;

			chance = chance * 1664525 + 1013904223;
			begin = chance >> 24;
			chance = chance * 1664525 + 1013904223;
			end = begin + (chance >> 26);
			end = end > 256 ? 256 : end;
			add(&spaces, 7, begin, end, 5000, module);
			for (uint64_t at = begin; at < end; at++) {
				modules[at] = module;
				offsets[at] = 5000 + at - begin;
			}
		}
		for (uint64_t at = 0; at < 256; at++)
			expect(&spaces, 7, at, modules[at], offsets[at]);
	}
}

static void child_has_the_maps_of_its_parent_at_that_time(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 100, 200, 0, 1);
	spaces_fork(&spaces, 8, 7);
	add(&spaces, 7, 100, 200, 0, 2);
	add(&spaces, 8, 150, 160, 0, 3);
	expect(&spaces, 7, 155, 2, 55);
	expect(&spaces, 8, 155, 3, 5);
	expect(&spaces, 8, 120, 1, 20);
	spaces_fork(&spaces, 9, 8);
	spaces_exit(&spaces, 8);
	expect(&spaces, 8, 120, NOTHING, 0);
	expect(&spaces, 9, 120, 1, 20);
}

static void maps_stay_within_an_exec_until_the_next_one(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 7, 100, 200, 0, 1);
	add(&spaces, 7, 300, 400, 0, 1);
	spaces_exec(&spaces, 7);
	expect(&spaces, 7, 150, 1, 50);
	spaces_fork(&spaces, 8, 7);
	add(&spaces, 7, 100, 200, 0, 2);
	expect(&spaces, 7, 150, 2, 50);
	expect(&spaces, 7, 350, NOTHING, 0);
	/* nor has a child made meanwhile anything but what it maps itself */
	expect(&spaces, 8, 350, 1, 50);
	add(&spaces, 8, 500, 600, 0, 3);
	expect(&spaces, 8, 350, NOTHING, 0);
	assert_int_equal(spaces.maps_nr, 2);
}

static void child_that_was_somebody_else_loses_its_maps(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	add(&spaces, 8, 100, 200, 0, 1);
	spaces_fork(&spaces, 8, 7);
	expect(&spaces, 8, 150, NOTHING, 0);
	add(&spaces, 8, 100, 200, 0, 2);
	spaces_fork(&spaces, 8, 8);
	expect(&spaces, 8, 150, 2, 50);
	assert_int_equal(spaces.maps_nr, 1);
}

/* As many processes as a file of 1 MB can hold forks of, from a parent of as many maps. */
static void children_share_maps_until_they_change(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};

	(void)state;
	for (uint64_t i = 0; i < 10000; i++)
		add(&spaces, 7, 10 * i, 10 * i + 5, 0, 1);
	for (int32_t child = 100; child < 20000; child++)
		spaces_fork(&spaces, child, child == 100 ? 7 : child - 1);
	assert_int_equal(spaces.maps_nr, 10000);
	expect(&spaces, 19999, 99993, 1, 3);
}

static void maps_beyond_the_limits_are_refused(void **state)
{
	CLEANUP(spaces_release) struct spaces spaces = {0};
	uint64_t nr = 0;
	int32_t child = 100;

	(void)state;
	while (add(&spaces, 7, 10 * nr, 10 * nr + 5, 0, 1))
		nr++;
	assert_int_equal(nr, SPACE_MAPS_MAX - 1);
	expect(&spaces, 7, 10 * nr, NOTHING, 0);
	expect(&spaces, 7, 10 * (nr - 1), 1, 0);
	/* children that change what they share have a copy each, as long as there is room */
	spaces_exit(&spaces, 7);
	for (uint64_t i = 0; i < 1000; i++)
		add(&spaces, 7, 10 * i, 10 * i + 5, 0, 1);
	do
		spaces_fork(&spaces, ++child, 7);
	while (add(&spaces, child, 0, 5, 0, 2));
	assert_true(spaces.maps_nr <= SPACES_MAPS_MAX);
	assert_true(spaces.maps_nr > SPACES_MAPS_MAX - 2000);
	expect(&spaces, child, 0, 1, 0);
	spaces_exit(&spaces, 101);
	assert_true(add(&spaces, child, 0, 5, 0, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(address_is_in_the_map_around_it),
		cmocka_unit_test(new_map_cuts_the_old_one_in_two),
		cmocka_unit_test(what_goes_leaves_a_hole),
		cmocka_unit_test(new_map_cuts_ends_and_takes_out_what_it_covers),
		cmocka_unit_test(same_map_again_replaces_itself),
		cmocka_unit_test(any_maps_agree_with_a_picture_of_them),
		cmocka_unit_test(child_has_the_maps_of_its_parent_at_that_time),
		cmocka_unit_test(maps_stay_within_an_exec_until_the_next_one),
		cmocka_unit_test(child_that_was_somebody_else_loses_its_maps),
		cmocka_unit_test(children_share_maps_until_they_change),
		cmocka_unit_test(maps_beyond_the_limits_are_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
