/* test_intervals.c - the last of many ranges that hold an address at a time */
#include "tests/test.h"

#include "base/mem.h"
#include "symbols/intervals.h"

static void empty_ranges_are_not_kept(void **state)
{
	CLEANUP(intervals_release) struct intervals intervals = {0};

	(void)state;
	intervals_seal(&intervals);
	assert_int_equal(intervals_find(&intervals, 0, 0), INTERVALS_NONE);
	intervals_add(&intervals, (struct interval){5, 5, 0, 10, 1});
	intervals_add(&intervals, (struct interval){6, 5, 0, 10, 1});
	intervals_add(&intervals, (struct interval){5, 6, 10, 10, 1});
	intervals_seal(&intervals);
	assert_int_equal(intervals.nr, 0);
	assert_int_equal(intervals_find(&intervals, 5, 10), INTERVALS_NONE);
}

/* The same question, answered by looking at all. */
static uint32_t slow_find(const struct interval *list, size_t nr, uint64_t address, uint64_t time)
{
	const struct interval *best = NULL;

	for (size_t i = 0; i < nr; i++) {
		const struct interval *it = &list[i];

		if (address < it->lo || address >= it->hi || time < it->from || time >= it->to)
			continue;
		if (!best || it->from > best->from || (it->from == best->from && it->id > best->id))
			best = it;
	}
	return best ? best->id : INTERVALS_NONE;
}

static uint64_t chance = 1;

static uint64_t random_below(uint64_t max)
{
	chance = chance * 6364136223846793005u + 1442695040888963407u;
	return (chance >> 33) % max;
}

static void random_ranges_are_found(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		CLEANUP(intervals_release) struct intervals intervals = {0};
		struct interval list[40];
		size_t nr = random_below(ARRAY_NR(list) + 1);

		for (uint32_t i = 0; i < nr; i++) {
			uint64_t lo = random_below(100), from = random_below(20);

			list[i] = (struct interval){lo, lo + random_below(30), from,
						    from + random_below(20), i};
			intervals_add(&intervals, list[i]);
		}
		intervals_seal(&intervals);
		for (uint64_t address = 0; address < 130; address++)
			for (uint64_t time = 0; time < 40; time += 3)
				assert_int_equal(intervals_find(&intervals, address, time),
						 slow_find(list, nr, address, time));
	}
}

/* What was overwritten in part is nowhere any more. */
static void overwritten_ranges_end(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		CLEANUP(intervals_release) struct intervals intervals = {0};
		struct interval list[40];
		size_t nr = random_below(ARRAY_NR(list) + 1);

		for (uint32_t i = 0; i < nr; i++) {
			uint64_t lo = random_below(100), from = random_below(20);

			list[i] = (struct interval){lo, lo + 1 + random_below(30), from,
						    from + 1 + random_below(40), i};
			intervals_add(&intervals, list[i]);
		}
		for (size_t i = 0; i < nr; i++)
			for (size_t j = 0; j < nr; j++)
				if (list[i].lo < list[j].hi && list[j].lo < list[i].hi &&
				    (list[j].from > list[i].from ||
				     (list[j].from == list[i].from && j > i)) &&
				    list[j].from < list[i].to)
					list[i].to = list[j].from;
		intervals_end_overlapped(&intervals);
		intervals_seal(&intervals);
		for (uint64_t address = 0; address < 135; address++)
			for (uint64_t time = 0; time < 60; time += 3)
				assert_int_equal(intervals_find(&intervals, address, time),
						 slow_find(list, nr, address, time));
	}
}

struct visited {
	uint64_t ids; /* a bit each */
	unsigned nr, nr_max;
};

static bool visit(void *context, const struct interval *interval)
{
	struct visited *visited = context;

	visited->ids |= (uint64_t)1 << interval->id;
	return ++visited->nr < visited->nr_max;
}

static void all_of_a_time_are_visited(void **state)
{
	CLEANUP(intervals_release) struct intervals intervals = {0};
	struct visited all = {.nr_max = 100}, some = {.nr_max = 1};

	(void)state;
	intervals_add(&intervals, (struct interval){10, 20, 0, 5, 0});
	intervals_add(&intervals, (struct interval){10, 20, 5, 9, 1});
	intervals_add(&intervals, (struct interval){12, 14, 9, 20, 2});
	intervals_add(&intervals, (struct interval){14, 20, 9, 20, 3});
	intervals_add(&intervals, (struct interval){10, 20, 21, 30, 4});
	intervals_seal(&intervals);
	intervals_each(&intervals, 13, 5, 20, visit, &all);
	assert_int_equal(all.ids, 1 << 1 | 1 << 2);
	intervals_each(&intervals, 13, 0, UINT64_MAX, visit, &some);
	assert_int_equal(some.nr, 1);
	all = (struct visited){.nr_max = 100};
	intervals_each(&intervals, 13, 0, UINT64_MAX, visit, &all);
	assert_int_equal(all.ids, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_ranges_are_not_kept),
		cmocka_unit_test(random_ranges_are_found),
		cmocka_unit_test(overwritten_ranges_end),
		cmocka_unit_test(all_of_a_time_are_visited),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
