/* test_notable.c - functions with much below them, without those that everything is below */
#include "tests/test.h"

#include "analysis/notable.h"
#include "analysis/top.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

static void expect(const char *folded, const char *expected)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(top_release) struct top top = {0};
	CLEANUP(text_release) struct text names = TEXT_INIT;
	size_t rows[3], nr;

	reading_init(&reading, &importer_folded, folded,
		     &(struct tally_options){.by = TALLY_BY_NONE}, NULL, NULL);
	top_build(&top, &reading.paths, true);
	nr = notable_rows(&reading.paths, &top, true, rows, ARRAY_NR(rows));
	for (size_t i = 0; i < nr; i++)
		text_addf(&names, "%s ",
			  names_display(&reading.capture.names,
					reading.naming.list[top.rows[rows[i]].function].name));
	assert_string_equal(text_string(&names), expected);
}

static void what_is_below_all_is_left_out(void **state)
{
	(void)state;
	expect("run;loop;parse;lex 40\nrun;loop;parse;skip 20\nrun;loop;write;put 30\n"
	       "run;loop;write;flush 10\n",
	       "parse write ");
}

static void leaves_stand_elsewhere(void **state)
{
	(void)state;
	expect("run;parse 60\nrun;write;put 40\n", "write ");
	expect("run;parse 100\n", "");
	expect("run 100\n", "");
}

static void entries_and_small_ones_are_left_out(void **state)
{
	(void)state;
	expect("main;a;b 50\nstart_thread;c;d 49\nmain;e;f 1\nmain;g;h 9900\n", "");
	expect("main;a;b 500\nstart_thread;c;d 400\nmain;e;f 1\n", "a c ");
}

/* What a chain of wrappers calls is told once; that two weigh the same is no reason. */
static void wrappers_are_told_once(void **state)
{
	(void)state;
	expect("r;a;b;c;x 30\nr;a;b;c;y 20\nr;z;w 50\n", "a z ");
	expect("r;a;x 25\nr;b;x 25\nr;c;x 50\n", "c a b ");
	/* two chains in turn: a 400, c 399, b 398, d 397 */
	expect("r;a;b;x 200\nr;a;b;y 198\nr;a;z 2\nr;c;d;v 200\nr;c;d;w 197\nr;c;u 2\nr;e;t 200\n",
	       "a c e ");
}

static void no_more_are_given_than_were_asked_for(void **state)
{
	(void)state;
	expect("r;a;x 30\nr;b;x 25\nr;c;x 20\nr;d;x 15\nr;e;x 10\n", "a b c ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_below_all_is_left_out),
		cmocka_unit_test(leaves_stand_elsewhere),
		cmocka_unit_test(entries_and_small_ones_are_left_out),
		cmocka_unit_test(wrappers_are_told_once),
		cmocka_unit_test(no_more_are_given_than_were_asked_for),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
