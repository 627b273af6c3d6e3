/* test_known.c - samples that were said, found again and added up */
#include "tests/test.h"

#include "importers/perf_data/known.h"

#include "base/mem.h"
#include "model/sink.h"

static struct memo_key key_of(uint32_t number)
{
	return memo_key(&number, sizeof(number));
}

static void keep(struct perf_known *known, uint32_t number)
{
	const struct sample sample = {
		.callers = number, .leaf = number + 1, .task = number % 3, .event = number % 2};

	perf_known_keep(known, key_of(number), &sample);
}

static void what_is_kept_is_found_however_many_there_are(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};

	(void)state;
	assert_null(perf_known_find(&known, key_of(0)));
	for (uint32_t i = 0; i < 100000; i++)
		keep(&known, i);
	assert_null(perf_known_find(&known, key_of(100000)));
	for (uint32_t i = 0; i < 100000; i++) {
		const struct perf_known_slot *slot = perf_known_find(&known, key_of(i));

		assert_non_null(slot);
		assert_int_equal(known.list[slot->said].callers, i);
		assert_int_equal(known.list[slot->said].leaf, i + 1);
	}
}

static void a_key_of_zeros_is_a_key(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};
	const struct sample sample = {.callers = 5};

	(void)state;
	perf_known_keep(&known, (struct memo_key){0, 0}, &sample);
	assert_non_null(perf_known_find(&known, (struct memo_key){0, 0}));
	assert_null(perf_known_find(&known, (struct memo_key){0, 2}));
}

static void it_is_full_before_it_is_too_large(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};
	uint32_t nr = 0;

	(void)state;
	while (!perf_known_is_full(&known))
		keep(&known, nr++);
	assert_true(nr > 700000 && nr < 800000);
}

struct heard {
	struct sink sink;
	size_t nr;
	struct sample last;
	struct error *err; /* the answer */
};

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct heard *heard = (struct heard *)sink;

	heard->nr++;
	heard->last = *sample;
	return heard->err;
}

static void sums_are_said_once(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};
	struct heard heard = {.sink = {.sample = on_sample}};
	struct perf_known_slot *slot;

	(void)state;
	keep(&known, 7);
	keep(&known, 8);
	slot = perf_known_find(&known, key_of(7));
	assert_false(perf_known_add(slot, 10)); /* none like it was said */
	slot->known = 3;
	assert_true(perf_known_add(slot, 10));
	assert_true(perf_known_add(slot, 5));
	known.has_time = true;
	known.latest_ns = 99;
	assert_null(perf_known_say(&known, &heard.sink));
	assert_int_equal(heard.nr, 1);
	assert_true(heard.last.count == 2 * WEIGHT_ONE);
	assert_true(heard.last.period == weight_of(15));
	assert_int_equal(heard.last.known, 3);
	assert_int_equal(heard.last.callers, 7);
	assert_int_equal(heard.last.task, 1);
	assert_int_equal(heard.last.event, 1);
	assert_int_equal(heard.last.time_ns, 99);
	assert_int_equal(heard.last.flags, SAMPLE_HAS_TIME);
	assert_null(perf_known_say(&known, &heard.sink));
	assert_int_equal(heard.nr, 1);
}

static void sums_do_not_overflow(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};
	struct perf_known_slot *slot;

	(void)state;
	keep(&known, 7);
	slot = perf_known_find(&known, key_of(7));
	slot->known = 1;
	assert_true(perf_known_add(slot, UINT64_MAX));
	assert_false(perf_known_add(slot, 1));
	assert_true(perf_known_add(slot, 0));
	assert_true(slot->period == UINT64_MAX && slot->count == 2);
	slot->count = UINT32_MAX;
	assert_false(perf_known_add(slot, 0));
}

static void an_error_ends_the_saying(void **state)
{
	CLEANUP(perf_known_release) struct perf_known known = {0};
	struct heard heard = {.sink = {.sample = on_sample},
			      .err = error_new(ERROR_LIMIT, "enough")};
	struct error *err;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		keep(&known, i);
		perf_known_find(&known, key_of(i))->known = i + 1;
		perf_known_add(perf_known_find(&known, key_of(i)), 1);
	}
	err = perf_known_say(&known, &heard.sink);
	assert_non_null(err);
	assert_int_equal(heard.nr, 1);
	error_free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_found_however_many_there_are),
		cmocka_unit_test(a_key_of_zeros_is_a_key),
		cmocka_unit_test(it_is_full_before_it_is_too_large),
		cmocka_unit_test(sums_are_said_once),
		cmocka_unit_test(sums_do_not_overflow),
		cmocka_unit_test(an_error_ends_the_saying),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
