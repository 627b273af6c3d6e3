/* test_stacks.c - each list of ids once */
#include "tests/test.h"

#include "base/mem.h"
#include "model/stacks.h"

static void same_list_has_the_same_id(void **state)
{
	CLEANUP(stacks_release) struct stacks stacks = {0};

	(void)state;
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){1, 2, 3}, 3), 0);
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){1, 2}, 2), 1);
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){1, 2, 3}, 3), 0);
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){3, 2, 1}, 3), 2);
	assert_int_equal(stacks.nr, 3);
}

static void empty_list_is_a_stack(void **state)
{
	CLEANUP(stacks_release) struct stacks stacks = {0};
	uint32_t id;

	(void)state;
	id = stacks_add(&stacks, (uint32_t[]){0}, 0);
	assert_int_equal(stacks_depth(&stacks, id), 0);
	assert_non_null(stacks_ids(&stacks, id));
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){0}, 1), id + 1);
	assert_int_equal(stacks_add(&stacks, (uint32_t[]){5}, 0), id);
}

static void what_was_appended_twice_counts_once(void **state)
{
	CLEANUP(stacks_release) struct stacks stacks = {0};

	(void)state;
	stacks_append(&stacks, (uint32_t[]){1, 2}, 2, 0);
	stacks_append(&stacks, (uint32_t[]){1}, 1, 1);
	stacks_append(&stacks, (uint32_t[]){1, 2}, 2, 0);
	assert_int_equal(stacks.nr, 3);
	assert_int_equal(stacks_distinct(&stacks), 2);
}

/* Lists in their order: each may begin as the one before it, go on behind it, or be its beginning.
 */
static void lists_that_follow_each_other_share_their_place(void **state)
{
	static const struct {
		uint32_t nr, shared, ids[5];
	} lists[] = {{2, 0, {1, 2}},	   {3, 2, {1, 2, 3}}, {5, 3, {1, 2, 3, 4, 5}},
		     {4, 3, {1, 2, 3, 9}}, {2, 2, {1, 2}},    {3, 2, {1, 2, 7}},
		     {0, 0, {0}},	   {1, 0, {6}},	      {1, 1, {6}}};
	CLEANUP(stacks_release) struct stacks stacks = {0};

	(void)state;
	stacks_append(&stacks, lists[0].ids, lists[0].nr, 0);
	for (uint32_t i = 1; i < ARRAY_NR(lists); i++)
		assert_int_equal(
			stacks_append_next(&stacks, lists[i].ids, lists[i].nr, lists[i].shared), i);
	for (uint32_t i = 0; i < ARRAY_NR(lists); i++) {
		assert_int_equal(stacks_depth(&stacks, i), lists[i].nr);
		assert_int_equal(stacks.list[i].shared, lists[i].shared);
		assert_memory_equal(stacks_ids(&stacks, i), lists[i].ids,
				    lists[i].nr * sizeof(uint32_t));
	}
	assert_ptr_equal(stacks_ids(&stacks, 0), stacks_ids(&stacks, 2));
	assert_int_equal(stacks.ids_nr, 5 + 4 + 3 + 1);
}

static void lists_are_given_back_as_they_were(void **state)
{
	CLEANUP(stacks_release) struct stacks stacks = {0};
	uint32_t ids[50];

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t nr = 1 + i % 50;

		for (uint32_t j = 0; j < nr; j++)
			ids[j] = i * 31 + j;
		assert_int_equal(stacks_add(&stacks, ids, nr), i);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(stacks_depth(&stacks, i), 1 + i % 50);
		for (uint32_t j = 0; j < stacks_depth(&stacks, i); j++)
			assert_int_equal(stacks_ids(&stacks, i)[j], i * 31 + j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_list_has_the_same_id),
		cmocka_unit_test(empty_list_is_a_stack),
		cmocka_unit_test(what_was_appended_twice_counts_once),
		cmocka_unit_test(lists_that_follow_each_other_share_their_place),
		cmocka_unit_test(lists_are_given_back_as_they_were),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
