/* test_naming.c - what locations and roots are called */
#include "tests/test.h"

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

static const char input[] = "pool 7 x  10/11 [002] 1.000000: 5 cycles: \n"
			    "\tffffffff81a00010 copy+0x10 ([kernel.kallsyms])\n"
			    "\t55 hash(int) (inlined)\n"
			    "\t55 find(int)+0x5 (/opt/relay/relay)\n"
			    "  relay.c:9\n"
			    "\t66 [unknown] (/usr/lib/libc.so.6)\n"
			    "\t77 [unknown] ([unknown])\n"
			    "\t88 run::h0123456789abcdef (/tmp/perf-10.map)\n\n";

static void expect(enum tally_by by, const struct naming_options *naming, const char *shown)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct tally_options tally = {.by = by, .keeps_address = true};

	reading_init(&reading, &importer_perf_script, input, &tally, naming, NULL);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), shown);
}

#define RUN "run::h0123456789abcdef"

static void names_are_kept_whole_unless_asked(void **state)
{
	(void)state;
	expect(TALLY_BY_NONE, NULL, RUN ";[unknown];[libc.so.6];find(int);hash(int);copy 1 5\n");
}

static void roots_are_named_by_what_is_asked_for(void **state)
{
	(void)state;
	expect(TALLY_BY_COMM, NULL,
	       "pool 7 x;" RUN ";[unknown];[libc.so.6];find(int);hash(int);copy 1 5\n");
	expect(TALLY_BY_PROCESS, NULL,
	       "pool 7 x-10;" RUN ";[unknown];[libc.so.6];find(int);hash(int);copy 1 5\n");
	expect(TALLY_BY_THREAD, NULL,
	       "pool 7 x-10/11;" RUN ";[unknown];[libc.so.6];find(int);hash(int);copy 1 5\n");
	expect(TALLY_BY_CPU, NULL,
	       "cpu 2;" RUN ";[unknown];[libc.so.6];find(int);hash(int);copy 1 5\n");
}

static void tidy_shortens_names_and_joins_words_of_a_comm(void **state)
{
	static const struct naming_options names = {.tidy = NAMING_TIDY_NAMES},
					   hashes = {.tidy = NAMING_TIDY_HASHES};

	(void)state;
	expect(TALLY_BY_COMM, &names,
	       "pool_7_x;" RUN ";[unknown];[libc.so.6];find;hash;copy 1 5\n");
	expect(TALLY_BY_COMM, &hashes, "pool_7_x;run;[unknown];[libc.so.6];find;hash;copy 1 5\n");
}

static void annotations_mark_kernel_jit_and_inlined(void **state)
{
	static const struct naming_options all = {.flags = NAMING_ANNOTATE_KERNEL |
							   NAMING_ANNOTATE_JIT |
							   NAMING_ANNOTATE_INLINED},
					   kernel = {.flags = NAMING_ANNOTATE_KERNEL};

	(void)state;
	expect(TALLY_BY_NONE, &all,
	       RUN "_[j];[unknown];[libc.so.6];find(int);hash(int)_[i];copy_[k] 1 5\n");
	expect(TALLY_BY_NONE, &kernel,
	       RUN ";[unknown];[libc.so.6];find(int);hash(int);copy_[k] 1 5\n");
}

static void inlined_frames_can_be_left_out(void **state)
{
	static const struct naming_options options = {.flags = NAMING_NO_INLINED};

	(void)state;
	expect(TALLY_BY_NONE, &options, RUN ";[unknown];[libc.so.6];find(int);copy 1 5\n");
}

static void unknown_frames_can_be_addresses(void **state)
{
	static const struct naming_options options = {.unknown = NAMING_UNKNOWN_ADDRESS};

	(void)state;
	expect(TALLY_BY_NONE, &options,
	       RUN ";unknown+0x77;libc.so.6+0x66;find(int);hash(int);copy 1 5\n");
}

static void source_lines_stand_behind_names(void **state)
{
	static const struct naming_options options = {.flags = NAMING_SOURCE_LINES};

	(void)state;
	expect(TALLY_BY_NONE, &options,
	       RUN ";[unknown];[libc.so.6];find(int):relay.c:9;hash(int);copy 1 5\n");
}

static void masked_names_have_no_numbers(void **state)
{
	static const struct naming_options options = {.flags = NAMING_MASK};

	(void)state;
	expect(TALLY_BY_NONE, &options,
	       "run::h*abcdef;[unknown];[libc.so.*];find(int);hash(int);copy 1 5\n");
}

static void thread_without_a_comm_has_no_name_where_others_have_one(void **state)
{
	CLEANUP(reading_release) struct reading reading, alone;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct tally_options by_comm = {.by = TALLY_BY_COMM}, by_thread = {.by = TALLY_BY_THREAD};

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 f\n\n  2 1.000000: 5 c: \n\t10 f\n\n", &by_comm,
		     NULL, NULL);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "[no name];f 1 5\na;f 1 5\n");
	text_clear(&text);
	/* nobody has one: the column is missing, and no root stands for it */
	reading_init(&alone, &importer_perf_script, "  2 1.000000: 5 c: \n\t10 f\n\n", &by_thread,
		     NULL, NULL);
	reading_show(&alone, &text);
	assert_string_equal(text_string(&text), "-?/2;f 1 5\n");
}

static void origin_and_module_are_known_per_function(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	const struct naming *naming = &reading.naming;
	unsigned seen = 0;

	(void)state;
	reading_init(&reading, &importer_perf_script, input, NULL, NULL, NULL);
	for (uint32_t i = 0; i < naming->nr; i++) {
		const char *name = names_display(&reading.capture.names, naming->list[i].name);

		if (strcmp(name, "copy") == 0)
			seen += naming->list[i].origin == ORIGIN_KERNEL;
		else if (strcmp(name, "hash(int)") == 0)
			seen += naming->list[i].origin == ORIGIN_APP;
		else if (strcmp(name, RUN) == 0)
			seen += naming->list[i].origin == ORIGIN_JIT;
		else if (strcmp(name, "[libc.so.6]") == 0)
			seen += naming->list[i].origin == ORIGIN_LIBRARY &&
				naming->list[i].is_unnamed;
	}
	assert_int_equal(seen, 4);
}

static uint32_t find(const struct reading *reading, const char *name, const char *module)
{
	const struct capture *capture = &reading->capture;

	for (uint32_t i = 0; i < reading->naming.nr; i++) {
		const struct function *function = &reading->naming.list[i];
		const char *path = "";

		if (function->module != MODULE_NONE)
			path = names_display(&capture->names,
					     capture->modules.list[function->module].path);
		if (strcmp(names_display(&capture->names, function->name), name) == 0 &&
		    strcmp(path, module) == 0)
			return i;
	}
	return FUNCTION_NONE;
}

static void same_name_in_two_modules_is_two_functions_in_the_order_of_paths(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	uint32_t in_a, in_b, in_none;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 f (/opt/b)\n\t20 f (/opt/a)\n\t30 f\n"
		     "\t40 f (/opt/b)\n\n",
		     NULL, NULL, NULL);
	in_a = find(&reading, "f", "/opt/a");
	in_b = find(&reading, "f", "/opt/b");
	in_none = find(&reading, "f", "");
	assert_true(in_a != FUNCTION_NONE && in_b != FUNCTION_NONE && in_none != FUNCTION_NONE);
	assert_true(naming_compare_modules(&reading.naming, in_a, in_b) < 0);
	assert_true(naming_compare_modules(&reading.naming, in_b, in_a) > 0);
	assert_true(naming_compare_modules(&reading.naming, in_none, in_a) < 0);
	assert_true(naming_compare_modules(&reading.naming, in_a, in_none) > 0);
	assert_int_equal(naming_compare_modules(&reading.naming, in_b, in_b), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_kept_whole_unless_asked),
		cmocka_unit_test(roots_are_named_by_what_is_asked_for),
		cmocka_unit_test(tidy_shortens_names_and_joins_words_of_a_comm),
		cmocka_unit_test(annotations_mark_kernel_jit_and_inlined),
		cmocka_unit_test(inlined_frames_can_be_left_out),
		cmocka_unit_test(unknown_frames_can_be_addresses),
		cmocka_unit_test(source_lines_stand_behind_names),
		cmocka_unit_test(masked_names_have_no_numbers),
		cmocka_unit_test(thread_without_a_comm_has_no_name_where_others_have_one),
		cmocka_unit_test(origin_and_module_are_known_per_function),
		cmocka_unit_test(same_name_in_two_modules_is_two_functions_in_the_order_of_paths),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
