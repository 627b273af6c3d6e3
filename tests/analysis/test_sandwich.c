/* test_sandwich.c - paths are cut at a function, each sample once */
#include "tests/test.h"

#include "analysis/sandwich.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

static void show(const struct reading *reading, const struct paths *paths, struct text *text)
{
	struct reading other = *reading;

	other.paths = *paths;
	reading_show(&other, text);
}

static void expect(const char *stacks, const char *name, const char *expression,
		   const char *callees, const char *callers)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text below = TEXT_INIT, above = TEXT_INIT;
	CLEANUP(paths_release) struct paths of_callers;
	struct sandwich_of of = {.name = name};
	weight before;
	regex_t regex;

	if (expression) {
		assert_int_equal(regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB), 0);
		of.regex = &regex;
	}
	reading_init(&reading, &importer_folded, stacks, NULL, NULL, NULL);
	before = reading.paths.count;
	sandwich_cut(&reading.paths, &of, &reading.paths, &of_callers);
	reading_show(&reading, &below);
	show(&reading, &of_callers, &above);
	assert_string_equal(text_string(&below), callees);
	assert_string_equal(text_string(&above), callers);
	assert_true(reading.paths.count == of_callers.count);
	assert_true(reading.paths.count + reading.paths.left_out[PATH_OF] == before);
	if (expression)
		regfree(&regex);
}

static void callees_begin_with_the_function_and_callers_end_with_it(void **state)
{
	(void)state;
	expect("a;f;x 1\nb;c;f;y 2\nf 4\na;z 8\n", "f", NULL, "f 4 4\nf;x 1 1\nf;y 2 2\n",
	       "a;f 1 1\nb;c;f 2 2\nf 4 4\n");
}

static void recursion_counts_a_sample_once_at_the_outermost_frame(void **state)
{
	(void)state;
	expect("a;f;f;b;f;x 3\n", "f", NULL, "f;f;b;f;x 3 3\n", "a;f 3 3\n");
}

static void a_name_that_is_there_is_meant_exactly(void **state)
{
	(void)state;
	/* as an expression it would match both */
	expect("a;f.o;x 1\na;f_o;y 2\n", "f.o", "f.o", "f.o;x 1 1\n", "a;f.o 1 1\n");
}

static void an_expression_may_match_several_functions(void **state)
{
	(void)state;
	expect("a;malloc;x 1\nb;calloc;malloc 2\nz 4\n", "alloc$", "alloc$",
	       "calloc;malloc 2 2\nmalloc;x 1 1\n", "a;malloc 1 1\nb;calloc 2 2\n");
}

static void nothing_of_that_name_leaves_nothing(void **state)
{
	(void)state;
	expect("a;b 1\n", "c", NULL, "", "");
	expect("a;b 1\n", "(", NULL, "", "");
}

static void a_root_that_is_no_code_is_no_function(void **state)
{
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM};
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text below = TEXT_INIT, above = TEXT_INIT;
	CLEANUP(paths_release) struct paths callers;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "x 1 1.000000: 5 c: \n\t10 f (/opt/x)\n\t20 x (/opt/x)\n\n"
		     "x 1 2.000000: 7 c: \n\n",
		     &by_comm, NULL, NULL);
	sandwich_cut(&reading.paths, &(struct sandwich_of){.name = "x"}, &reading.paths, &callers);
	reading_show(&reading, &below);
	show(&reading, &callers, &above);
	assert_string_equal(text_string(&below), "x;f 1 5\n");
	assert_string_equal(text_string(&above), "x;x 1 5\n");
	assert_true(reading.paths.left_out[PATH_OF] == WEIGHT_ONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callees_begin_with_the_function_and_callers_end_with_it),
		cmocka_unit_test(recursion_counts_a_sample_once_at_the_outermost_frame),
		cmocka_unit_test(a_name_that_is_there_is_meant_exactly),
		cmocka_unit_test(an_expression_may_match_several_functions),
		cmocka_unit_test(nothing_of_that_name_leaves_nothing),
		cmocka_unit_test(a_root_that_is_no_code_is_no_function),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("sandwich", tests, NULL, NULL);
}
