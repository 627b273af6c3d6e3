/* test_order.c - records in the order of time, round by round */
#include "tests/test.h"

#include "importers/perf_data/order.h"

#include <time.h>

#include "base/mem.h"
#include "base/text.h"

/* What was said: the offsets, which number the records, "1 2 3". */
struct heard {
	struct text text;
	unsigned fail_at; /* refuse that many; 0: never */
	size_t nr;
};

static struct error *say(void *context, const struct perf_record *record)
{
	struct heard *heard = context;

	if (heard->fail_at && heard->nr + 1 == heard->fail_at)
		return error_new(ERROR_LIMIT, "enough");
	heard->nr++;
	text_addf(&heard->text, "%s%u", heard->text.size ? " " : "", (unsigned)record->offset);
	return NULL;
}

static void add(struct order *order, uint64_t time, unsigned number)
{
	static const unsigned char bytes[8] = {9, 0, 0, 0, 2, 0, 8, 0};
	const struct perf_record record = {
		.type = 9,
		.misc = 2,
		.bytes = {bytes, bytes + 8, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
		.offset = number,
	};

	order_add(order, time, &record);
}

static void expect(struct heard *heard, const char *expected)
{
	assert_string_equal(text_string(&heard->text), expected);
	text_clear(&heard->text);
}

static void end(struct order *order, struct heard *heard)
{
	order_release(order);
	text_release(&heard->text);
}

static void round_says_what_cannot_be_preceded_any_more(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};

	(void)state;
	add(&order, 10, 1);
	add(&order, 30, 2);
	assert_null(order_round(&order));
	expect(&heard, ""); /* the next round may hold anything */
	add(&order, 20, 3);
	add(&order, 50, 4);
	add(&order, 25, 5);
	assert_null(order_round(&order));
	expect(&heard, "1 3 5 2");
	add(&order, 40, 6);
	assert_null(order_round(&order));
	expect(&heard, "6 4");
	assert_null(order_finish(&order));
	expect(&heard, "");
	end(&order, &heard);
}

static void without_rounds_all_waits_for_the_end(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};

	(void)state;
	add(&order, 5, 1);
	add(&order, 9, 2);
	add(&order, 1, 3);
	add(&order, 7, 4);
	add(&order, 3, 5);
	expect(&heard, "");
	assert_null(order_finish(&order));
	expect(&heard, "3 5 1 4 2");
	end(&order, &heard);
}

static void equal_times_stay_as_they_came(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};

	(void)state;
	add(&order, 7, 1);
	add(&order, 7, 2);
	add(&order, 3, 3);
	add(&order, 7, 4);
	add(&order, 3, 5);
	add(&order, 7, 6);
	assert_null(order_finish(&order));
	expect(&heard, "3 5 1 2 4 6");
	end(&order, &heard);
}

static void record_later_than_all_before_its_round_is_said_late(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};

	(void)state;
	add(&order, 10, 1);
	assert_null(order_round(&order));
	add(&order, 20, 2);
	assert_null(order_round(&order));
	expect(&heard, "1");
	add(&order, 5, 3); /* against the rules of rounds: said, though late */
	assert_null(order_round(&order));
	assert_null(order_finish(&order));
	expect(&heard, "3 2");
	end(&order, &heard);
}

/* A flipped bit makes one time enormous; the order of all others must not suffer. */
static void damaged_time_does_not_end_the_order_of_others(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};

	(void)state;
	add(&order, UINT64_C(1) << 62, 1);
	add(&order, 10, 2);
	assert_null(order_round(&order));
	assert_null(order_round(&order));
	text_clear(&heard.text);
	add(&order, 40, 3);
	assert_null(order_round(&order));
	add(&order, 30, 4);
	assert_null(order_round(&order));
	add(&order, 45, 5);
	assert_null(order_round(&order));
	assert_null(order_finish(&order));
	expect(&heard, "4 3 5");
	end(&order, &heard);
}

static void many_runs_are_merged(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};
	CLEANUP(text_release) struct text expected = TEXT_INIT;

	(void)state;
	for (unsigned run = 0; run < 50; run++)
		for (unsigned i = 0; i < 20; i++)
			add(&order, 50 * i + (run * 17) % 50, 50 * i + (run * 17) % 50);
	for (unsigned i = 0; i < 1000; i++)
		text_addf(&expected, "%s%u", i ? " " : "", i);
	assert_null(order_finish(&order));
	expect(&heard, text_string(&expected));
	end(&order, &heard);
}

static void error_of_the_listener_ends_it(void **state)
{
	struct heard heard = {.fail_at = 2};
	struct order order = {.say = say, .context = &heard};
	struct error *err;

	(void)state;
	add(&order, 1, 1);
	add(&order, 2, 2);
	add(&order, 3, 3);
	err = order_finish(&order);
	assert_non_null(err);
	assert_string_equal(error_text(err), "enough");
	error_free(err);
	expect(&heard, "1");
	end(&order, &heard);
}

/* A round behind each record, and none of them may be said: not quadratic. */
static void rounds_of_nothing_cost_nothing(void **state)
{
	struct heard heard = {0};
	struct order order = {.say = say, .context = &heard};
	clock_t begin = clock();

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		add(&order, UINT32_MAX - i, i);
		assert_null(order_round(&order));
		assert_null(order_round(&order));
	}
	assert_null(order_finish(&order));
	assert_int_equal(heard.nr, 200000);
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 10);
	end(&order, &heard);
}

/* Takes all that it may, and says what it took: "1 2 before 30". */
static size_t take_all(void *context, struct order_entry *list, size_t nr, uint64_t before)
{
	struct heard *heard = context;
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (list[i].time >= before)
			list[kept++] = list[i];
		else
			text_addf(&heard->text, "(%u)", (unsigned)list[i].offset);
	}
	return kept;
}

static void add_other(struct order *order, uint64_t time, unsigned number)
{
	static const unsigned char bytes[8] = {3, 0, 0, 0, 0, 0, 8, 0};
	const struct perf_record record = {
		.type = 3,
		.bytes = {bytes, bytes + 8, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
		.offset = number,
	};

	order_add(order, time, &record);
}

/* Samples that nothing but samples is to be said before, and that no round can precede. */
static void samples_are_taken_early_where_no_other_record_waits_before_them(void **state)
{
	struct heard heard = {0};
	struct order order = {
		.say = say, .take_early = take_all, .first_other = UINT64_MAX, .context = &heard};

	(void)state;
	add(&order, 30, 1);
	add(&order, 10, 2);
	add_other(&order, 20, 3);
	add(&order, 20, 4);
	add(&order, 40, 5);
	assert_null(order_round(&order)); /* nothing is safe yet */
	expect(&heard, "");
	add(&order, 50, 6);
	assert_null(order_round(&order));
	expect(&heard, "(2) 3 4 1 5");
	add(&order, 45, 7);
	assert_null(order_finish(&order)); /* no other record waits any more */
	expect(&heard, "(6)(7)");
	end(&order, &heard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_says_what_cannot_be_preceded_any_more),
		cmocka_unit_test(without_rounds_all_waits_for_the_end),
		cmocka_unit_test(equal_times_stay_as_they_came),
		cmocka_unit_test(record_later_than_all_before_its_round_is_said_late),
		cmocka_unit_test(damaged_time_does_not_end_the_order_of_others),
		cmocka_unit_test(many_runs_are_merged),
		cmocka_unit_test(error_of_the_listener_ends_it),
		cmocka_unit_test(rounds_of_nothing_cost_nothing),
		cmocka_unit_test(samples_are_taken_early_where_no_other_record_waits_before_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
