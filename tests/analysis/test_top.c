/* test_top.c - self and total weight per function */
#include "tests/test.h"

#include "analysis/top.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

static void show(const struct top *top, const struct reading *reading, struct text *text)
{
	for (size_t i = 0; i < top->nr; i++) {
		const struct function *function = &reading->naming.list[top->rows[i].function];

		text_addf(text, "%s ", names_display(&reading->capture.names, function->name));
		weight_add(text, top->rows[i].self);
		text_add_char(text, ' ');
		weight_add(text, top->rows[i].total);
		text_add_char(text, '\n');
	}
}

static void expect(const char *stacks, const char *shown)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(top_release) struct top top;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	reading_init(&reading, &importer_folded, stacks, NULL, NULL, NULL);
	top_build(&top, &reading.paths, true);
	show(&top, &reading, &text);
	assert_string_equal(text_string(&text), shown);
}

static void self_is_the_leaf_and_total_is_all_that_hold_it(void **state)
{
	(void)state;
	expect("main;write;copy 6\nmain;read;copy 1\nmain;write 8\n",
	       "write 8 14\ncopy 7 7\nmain 0 15\nread 0 1\n");
}

static void recursive_function_counts_once_per_sample(void **state)
{
	(void)state;
	expect("a;b;a;a 5\na 2\n", "a 7 7\nb 0 5\n");
}

static void ties_go_to_the_name(void **state)
{
	(void)state;
	expect("b 1\na 1\nc 1\n", "a 1 1\nb 1 1\nc 1 1\n");
}

static void roots_are_no_functions(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(top_release) struct top top;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "f 1 1.000000: 5 c: \n\t10 f\n\t20 main\n\nf 1 1.000000: 6 c: \n\n", &by_comm,
		     NULL, NULL);
	top_build(&top, &reading.paths, false);
	show(&top, &reading, &text);
	assert_string_equal(text_string(&text), "f 5 5\nmain 0 5\n");
	assert_true(top.total == weight_of(11));
}

static void name_of_two_origins_is_one_row_of_the_heavier(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(top_release) struct top top;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 memcpy (/opt/relay)\n\n"
		     "a 1 1.000000: 6 c: \n\t10 memcpy ([kernel.kallsyms])\n\n",
		     NULL, NULL, NULL);
	top_build(&top, &reading.paths, false);
	assert_int_equal(top.nr, 1);
	assert_true(top.rows[0].self == weight_of(11));
	assert_int_equal(reading.naming.list[top.rows[0].function].origin, ORIGIN_KERNEL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(self_is_the_leaf_and_total_is_all_that_hold_it),
		cmocka_unit_test(recursive_function_counts_once_per_sample),
		cmocka_unit_test(ties_go_to_the_name),
		cmocka_unit_test(roots_are_no_functions),
		cmocka_unit_test(name_of_two_origins_is_one_row_of_the_heavier),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
