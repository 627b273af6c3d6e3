/* test_map.c - the hash map from keys that their owner keeps to ids */
#include "tests/test.h"

#include "base/map.h"
#include "base/mem.h"

#define KEYS_NR 20000

static uint64_t keys[KEYS_NR];

static bool is_same(const void *key, uint32_t id)
{
	return *(const uint64_t *)key == keys[id];
}

static bool is_never_same(const void *key, uint32_t id)
{
	(void)key;
	(void)id;
	return false;
}

static void make_keys(void)
{
	for (uint32_t i = 0; i < KEYS_NR; i++)
		keys[i] = i * UINT64_C(0x9e3779b97f4a7c15);
}

static void fill(struct map *map, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t hash = map_hash(&keys[i], sizeof(keys[i]));
		struct map_slot *slot;

		map_grow(map);
		slot = map_find(map, hash, is_same, &keys[i]);
		assert_int_equal(slot->id, MAP_NONE);
		map_fill(map, slot, hash, i);
	}
}

static void every_key_is_found_again_after_growing(void **state)
{
	struct map map = {0};

	(void)state;
	make_keys();
	fill(&map, KEYS_NR);
	assert_int_equal(map.nr, KEYS_NR);
	for (uint32_t i = 0; i < KEYS_NR; i++) {
		uint32_t hash = map_hash(&keys[i], sizeof(keys[i]));

		assert_int_equal(map_find(&map, hash, is_same, &keys[i])->id, i);
	}
	map_release(&map);
}

static void key_that_was_not_added_has_a_free_slot(void **state)
{
	struct map map = {0};
	uint64_t other = 12345;

	(void)state;
	make_keys();
	fill(&map, 100);
	assert_int_equal(map_find(&map, map_hash(&other, 8), is_same, &other)->id, MAP_NONE);
	map_release(&map);
}

static void keys_of_the_same_hash_are_kept_apart(void **state)
{
	struct map map = {0};
	const uint32_t hash = 0xffffffff; /* its chain begins in the last slot */

	(void)state;
	make_keys();
	for (uint32_t i = 0; i < 40; i++) {
		map_grow(&map);
		map_fill(&map, map_find(&map, hash, is_never_same, NULL), hash, i);
	}
	for (uint32_t i = 0; i < 40; i++)
		assert_int_equal(map_find(&map, hash, is_same, &keys[i])->id, i);
	map_release(&map);
}

static void map_is_at_most_half_full(void **state)
{
	struct map map = {0};

	(void)state;
	make_keys();
	fill(&map, 5000);
	assert_true(map.nr <= (map.mask + 1) / 2 + 1);
	map_release(&map);
}

static void cleared_map_forgets_and_can_be_filled_again(void **state)
{
	struct map map = {0};
	uint32_t mask;

	(void)state;
	make_keys();
	fill(&map, 1000);
	mask = map.mask;
	map_clear(&map);
	assert_int_equal(map.nr, 0);
	assert_int_equal(map.mask, mask);
	fill(&map, 1000);
	assert_int_equal(map.mask, mask);
	map_release(&map);
}

static void a_map_has_room_for_what_it_expects(void **state)
{
	struct map map = {0};
	uint32_t mask;

	(void)state;
	make_keys();
	map_expect(&map, 1000);
	mask = map.mask;
	fill(&map, 1000);
	assert_int_equal(map.mask, mask);
	map_expect(&map, 10); /* less than it has */
	assert_int_equal(map.mask, mask);
	map_expect(&map, 5000); /* what is in it stays */
	assert_true(map.mask > mask);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(
			map_find(&map, map_hash(&keys[i], sizeof(keys[i])), is_same, &keys[i])->id,
			i);
	map_release(&map);
}

static void clearing_a_map_that_is_empty_is_allowed(void **state)
{
	struct map map = {0};

	(void)state;
	map_clear(&map);
	map_release(&map);
	assert_int_equal(map.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_found_again_after_growing),
		cmocka_unit_test(key_that_was_not_added_has_a_free_slot),
		cmocka_unit_test(keys_of_the_same_hash_are_kept_apart),
		cmocka_unit_test(map_is_at_most_half_full),
		cmocka_unit_test(cleared_map_forgets_and_can_be_filled_again),
		cmocka_unit_test(a_map_has_room_for_what_it_expects),
		cmocka_unit_test(clearing_a_map_that_is_empty_is_allowed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
