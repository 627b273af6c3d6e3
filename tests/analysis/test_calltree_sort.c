/* test_calltree_sort.c - the paths of a call tree in the order of its nodes */
#include "tests/test.h"

#include "analysis/calltree.h"
#include "analysis/calltree_paths.h"
#include "analysis/calltree_sort.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

#define DEEPEST 40
#define NAMES	30

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

/* Stacks of few names, so that many begin alike, end early, and come twice. */
static void add_stack(struct text *text, uint64_t *seed)
{
	uint32_t depth = 1 + draw(seed, draw(seed, 8) ? 6 : DEEPEST);

	for (uint32_t i = 0; i < depth; i++)
		text_addf(text, "%sf%u", i ? ";" : "", draw(seed, i % 3 ? 2 : NAMES));
	text_add(text, " 1\n");
}

/* A walk through a tree from the first child to the last, or to the first again. */
static void add_subtree(struct text *text, const char *above, uint32_t depth, bool is_backward)
{
	for (uint32_t i = 0; i < 4; i++) {
		CLEANUP(text_release) struct text path = TEXT_INIT;

		text_addf(&path, "%s%sf%u", above, depth ? ";" : "", is_backward ? 9 - i : i);
		if ((i + depth) % 3)
			text_addf(text, "%s 1\n", text_string(&path));
		if (depth < 5)
			add_subtree(text, text_string(&path), depth + 1, is_backward);
	}
}

static int compare_names(const struct calltree_paths *paths, uint32_t a, uint32_t b,
			 uint32_t *ret_shared)
{
	struct calltree_path x = calltree_paths_get(paths, a), y = calltree_paths_get(paths, b);
	uint32_t i = 0;

	for (; i < x.depth && i < y.depth; i++) {
		uint32_t f = paths->rank_of[calltree_paths_function(paths, &x, i)];
		uint32_t g = paths->rank_of[calltree_paths_function(paths, &y, i)];

		*ret_shared = i;
		if (f != g)
			return f < g ? -1 : 1;
	}
	*ret_shared = i;
	return x.depth < y.depth ? -1 : x.depth > y.depth;
}

/* What another one begins with stands before it, and nothing else between those that share it. */
static void check_groups(const struct calltree_paths *paths, const struct calltree_order *order)
{
	for (uint32_t i = 2; i < paths->nr; i++)
		for (uint32_t j = 0; j + 1 < i && i < 400; j++) {
			uint32_t far, near;

			compare_names(paths, order->paths[j], order->paths[i], &far);
			compare_names(paths, order->paths[i - 1], order->paths[i], &near);
			assert_true(far <= near);
		}
}

static void check(const struct calltree_source *sources, size_t nr, const struct naming *naming,
		  bool is_reversed, bool by_name, bool is_by_name)
{
	struct calltree_paths paths;
	struct calltree_order order;
	bool *seen;

	calltree_paths_init(&paths, naming, sources, nr, is_reversed);
	calltree_order_init(&order, &paths, by_name);
	assert_int_equal(order.is_by_name, is_by_name);
	seen = mem_zalloc(paths.nr, sizeof(*seen));
	for (uint32_t i = 0; i < paths.nr; i++) {
		uint32_t shared = 0;
		int which = -1;

		assert_true(order.paths[i] < paths.nr && !seen[order.paths[i]]);
		seen[order.paths[i]] = true;
		if (i)
			which = compare_names(&paths, order.paths[i - 1], order.paths[i], &shared);
		assert_int_equal(order.shared[i], shared);
		assert_true(which < 0 || !is_by_name || which == 0);
		if (i && which == 0)
			assert_true(order.paths[i - 1] < order.paths[i]);
		if (i && shared == calltree_paths_get(&paths, order.paths[i]).depth)
			assert_int_equal(which, 0); /* what it begins with stands before it */
	}
	check_groups(&paths, &order);
	free(seen);
	free(order.paths);
	free(order.shared);
	free(order.own);
	calltree_paths_release(&paths);
}

static void check_text(const char *text, bool is_reversed, bool is_by_name)
{
	CLEANUP(reading_release) struct reading reading;

	reading_init(&reading, &importer_folded, text, NULL, NULL, NULL);
	check(&(struct calltree_source){.paths = &reading.paths}, 1, &reading.naming, is_reversed,
	      false, is_by_name);
	check(&(struct calltree_source){.paths = &reading.paths}, 1, &reading.naming, is_reversed,
	      true, true);
}

static void paths_without_an_order_get_one(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (uint32_t nr = 1; nr < 5000; nr = nr * 3 + 1) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		for (uint32_t i = 0; i < nr; i++)
			add_stack(&text, &seed);
		check_text(text_string(&text), true, true);
		if (nr > 20)
			check_text(text_string(&text), false, true);
	}
}

static void paths_in_order_stay_and_few_others_are_moved(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint64_t seed = 11;

	(void)state;
	add_subtree(&text, "", 0, false);
	check_text(text_string(&text), false, true);
	for (int i = 0; i < 50; i++)
		add_stack(&text, &seed);
	add_subtree(&text, "f2;f2", 2, false);
	check_text(text_string(&text), false, true);
}

/* The order of a profile: by what its functions are numbered as. */
static void order_of_functions_will_do(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	add_subtree(&text, "", 0, true);
	add_subtree(&text, "f7;f1", 2, true);
	check_text(text_string(&text), false, false);
}

static void two_sides_are_one_order(void **state)
{
	CLEANUP(text_release) struct text first = TEXT_INIT, second = TEXT_INIT;
	CLEANUP(reading_release) struct reading before;
	CLEANUP(reading_release) struct reading after;
	uint64_t seed = 13;
	uint32_t *adopted;

	(void)state;
	for (int i = 0; i < 300; i++)
		add_stack(i % 2 ? &second : &first, &seed);
	reading_init(&before, &importer_folded, text_string(&first), NULL, NULL, NULL);
	reading_init(&after, &importer_folded, text_string(&second), NULL, NULL, NULL);
	adopted = naming_adopt(&before.naming, &after.naming);
	check(
		(struct calltree_source[]){
			{.paths = &before.paths},
			{.paths = &after.paths, .of_function = adopted, .is_after = true}},
		2, &before.naming, false, false, true);
	free(adopted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_without_an_order_get_one),
		cmocka_unit_test(paths_in_order_stay_and_few_others_are_moved),
		cmocka_unit_test(order_of_functions_will_do),
		cmocka_unit_test(two_sides_are_one_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
