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

#define NAMES	5
#define DEEPEST 9

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

/* Each path is what a few of the last one are, and others: so much is recursion, and shared. */
static void add_stack(struct text *text, uint64_t *seed, uint32_t *stack, weight *self,
		      weight *total)
{
	uint32_t depth = 1 + draw(seed, DEEPEST), value = draw(seed, 4);
	bool holds[NAMES] = {false};

	for (uint32_t i = draw(seed, DEEPEST); i < depth; i++)
		stack[i] = draw(seed, NAMES);
	for (uint32_t i = 0; i < depth; i++) {
		text_addf(text, "%sf%u", i ? ";" : "", stack[i]);
		holds[stack[i]] = true;
	}
	text_addf(text, " %u\n", value);
	self[stack[depth - 1]] += weight_of(value);
	for (uint32_t i = 0; i < NAMES; i++)
		total[i] += holds[i] ? weight_of(value) : 0;
}

static void sums_are_those_of_each_path_by_itself(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(top_release) struct top top;
	weight self[NAMES] = {0}, total[NAMES] = {0};
	uint32_t stack[DEEPEST + 1] = {0};
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < 3000; i++)
		add_stack(&text, &seed, stack, self, total);
	reading_init(&reading, &importer_folded, text_string(&text), NULL, NULL, NULL);
	top_build(&top, &reading.paths, true);
	assert_int_equal(top.nr, NAMES);
	for (size_t i = 0; i < top.nr; i++) {
		uint32_t name = reading.naming.list[top.rows[i].function].name;
		int at = names_get(&reading.capture.names, name)->bytes[1] - '0';

		assert_true(top.rows[i].self == self[at]);
		assert_true(top.rows[i].total == total[at]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(self_is_the_leaf_and_total_is_all_that_hold_it),
		cmocka_unit_test(recursive_function_counts_once_per_sample),
		cmocka_unit_test(ties_go_to_the_name),
		cmocka_unit_test(roots_are_no_functions),
		cmocka_unit_test(name_of_two_origins_is_one_row_of_the_heavier),
		cmocka_unit_test(sums_are_those_of_each_path_by_itself),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
