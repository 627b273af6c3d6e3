/* test_facts.c - what a capture says of itself */
#include "tests/test.h"

#include "base/mem.h"
#include "model/facts.h"

static void facts_stand_in_order_and_the_first_is_found(void **state)
{
	CLEANUP(facts_release) struct facts facts = {0};

	(void)state;
	facts_add(&facts, "hostname...", 8, "relay-1 ", 7);
	facts_add(&facts, "event", 5, "cycles", 6);
	facts_add(&facts, "event", 5, "faults", 6);
	assert_int_equal(facts.nr, 3);
	assert_string_equal(facts_find(&facts, "hostname"), "relay-1");
	assert_string_equal(facts_find(&facts, "event"), "cycles");
	assert_string_equal(facts.list[2].value, "faults");
	assert_null(facts_find(&facts, "arch"));
}

static void values_are_made_clean(void **state)
{
	CLEANUP(facts_release) struct facts facts = {0};

	(void)state;
	facts_add(&facts, "a\x1b", 2, "\xff", 1);
	assert_string_equal(facts.list[0].name, "a\xef\xbf\xbd");
	assert_string_equal(facts.list[0].value, "\xef\xbf\xbd");
}

static void no_more_than_the_limit_are_kept(void **state)
{
	CLEANUP(facts_release) struct facts facts = {0};

	(void)state;
	for (int i = 0; i < FACTS_MAX + 10; i++)
		facts_add(&facts, "n", 1, "v", 1);
	assert_int_equal(facts.nr, FACTS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_stand_in_order_and_the_first_is_found),
		cmocka_unit_test(values_are_made_clean),
		cmocka_unit_test(no_more_than_the_limit_are_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
