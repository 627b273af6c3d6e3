/* test_folded.c - lines of folded stacks in, samples out */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/listener.h"

/* "count|frames" a sample, then notes. */
static void expect(const char *input, size_t size, const char *shown)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	CLEANUP(text_release) struct text text = TEXT_INIT, lines = TEXT_INIT;

	listener_init(&listener);
	listener_hear(&listener, &importer_folded, input, size, &capture);
	listener_show(&listener, &capture, &lines);
	for (char *line = lines.bytes; line && *line; line = strchr(line, '\n') + 1)
		text_add_bytes(&text, line + strlen("-|-/-|-|-|-|"),
			       (size_t)(strchr(line, '\n') + 1 - line) - strlen("-|-/-|-|-|-|"));
	listener_show_notes(&capture, &text);
	assert_string_equal(text_string(&text), shown);
}

static void expect_lines(const char *input, const char *shown)
{
	expect(input, strlen(input), shown);
}

static void line_is_a_stack_and_its_count(void **state)
{
	(void)state;
	expect_lines("main;read_all;read 12\nmain 3\n", "12|12|main;read_all;read\n3|3|main\n");
}

static void count_is_the_last_field_and_blanks_stay_in_names(void **state)
{
	(void)state;
	expect_lines("pool;thread 7 3\nmain;operator new(unsigned long) 5\na b c 1\n",
		     "3|3|pool;thread 7\n5|5|main;operator new(unsigned long)\n1|1|a b c\n");
}

static void blanks_tabs_and_carriage_returns_around_the_count_are_ignored(void **state)
{
	(void)state;
	expect_lines("a;b\t12\r\na;b   \t 12 \t\r\na;b 12\r", "12|12|a;b\n12|12|a;b\n12|12|a;b\n");
}

static void empty_lines_comments_and_byte_order_mark_are_nothing(void **state)
{
	(void)state;
	expect_lines("\xef\xbb\xbfmain 1\n\n   \n# comment 5\n\r\nb 2\n", "1|1|main\n2|2|b\n");
	/* a mark is one only at the start of the input */
	expect_lines("a 1\n\xef\xbb\xbf"
		     "b 2\n",
		     "1|1|a\n2|2|\xef\xbb\xbf"
		     "b\n");
}

static void last_line_needs_no_line_feed(void **state)
{
	(void)state;
	expect_lines("a;b 1\na;c 2", "1|1|a;b\n2|2|a;c\n");
}

static void counts_may_be_decimal_and_have_exponents(void **state)
{
	(void)state;
	expect_lines("a 0.5\na 1e3\na 18446744073709551615\na 0\na .000000001\n",
		     "0.5|0.5|a\n1000|1000|a\n18446744073709551615|18446744073709551615|a\n"
		     "0|0|a\n0.000000001|0.000000001|a\n");
}

static void lines_without_a_valid_count_are_noted_and_not_drawn(void **state)
{
	(void)state;
	expect_lines("a 1\nno count here\na;b -5\nalone\n12\na 1e99\na nan\nb 2\n",
		     "1|1|a\n2|2|b\ninvalid-line 6 2 4\n");
}

static void empty_frames_are_frames(void **state)
{
	(void)state;
	expect_lines("a;;b 1\n;a 2\na; 3\n; 4\n", "1|1|a;;b\n2|2|;a\n3|3|a;\n4|4|;\n");
}

static void stacks_that_begin_alike_are_told_apart(void **state)
{
	(void)state;
	expect_lines("main;read 1\nmain;read_all 2\nmain;rea 3\nmain 4\nmain;read;x 5\n"
		     "main;read 6\nmainly 7\nmain;read;xy 8\nmain;read;x;y 9\n",
		     "1|1|main;read\n2|2|main;read_all\n3|3|main;rea\n4|4|main\n"
		     "5|5|main;read;x\n6|6|main;read\n7|7|mainly\n8|8|main;read;xy\n"
		     "9|9|main;read;x;y\n");
}

/* What a stack says to share with the one before it is so, and all of it while lines are sorted. */
static void stacks_in_order_know_what_they_share(void **state)
{
	static const char input[] = "a;b;c;d 1\na;b;c;e 2\na;b;f;g 3\na;b;f;g;h 4\na;b;g 5\n"
				    "a;c;f;g 6\nb;c 7\na;c;f;g 8\nb;c;d 9\n";
	static const uint32_t shared[] = {0, 2, 3, 2, 1, 0};
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	const struct stack *list;

	(void)state;
	listener_init(&listener);
	listener_hear(&listener, &importer_folded, input, strlen(input), &capture);
	list = capture.stacks.list;
	assert_true(capture.stacks.nr > ARRAY_NR(shared));
	for (uint32_t i = 1; i < capture.stacks.nr; i++)
		assert_memory_equal(stacks_ids(&capture.stacks, i),
				    stacks_ids(&capture.stacks, i - 1),
				    list[i].shared * sizeof(uint32_t));
	for (uint32_t i = 0; i < ARRAY_NR(shared); i++)
		assert_int_equal(list[i].shared, shared[i]);
}

static void marks_of_the_perl_scripts_say_where_code_is_from(void **state)
{
	(void)state;
	expect_lines("java;run_[j];copy_[i];sys_read_[k] 1\n",
		     "1|1|java;run_[j]{jit};copy_[i]~;sys_read_[k]\n");
}

static void zero_bytes_and_bad_utf8_are_part_of_a_name(void **state)
{
	static const char input[] = "a\xff;b\xe9 1\n";

	(void)state;
	expect(input, sizeof(input) - 1, "1|1|a\xff;b\xe9\n");
}

static void line_longer_than_the_buffer_is_one_stack(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	(void)state;
	listener_init(&listener);
	for (int i = 0; i < 200000; i++)
		text_addf(&input, "f%d;", i);
	text_add(&input, "leaf 7\n");
	listener_hear(&listener, &importer_folded, input.bytes, input.size, &capture);
	assert_int_equal(listener.nr, 1);
	assert_int_equal(stacks_depth(&capture.stacks, listener.list[0].callers), 200000);
}

static void stack_deeper_than_the_limit_loses_its_outermost_frames(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	(void)state;
	listener_init(&listener);
	for (unsigned i = 0; i < STACK_FRAMES_MAX + 3; i++)
		text_add(&input, i < 3 ? "o;" : "r;");
	text_add(&input, "leaf 7\n");
	listener_hear(&listener, &importer_folded, input.bytes, input.size, &capture);
	assert_int_equal(listener.nr, 1);
	assert_int_equal(stacks_depth(&capture.stacks, listener.list[0].callers), STACK_FRAMES_MAX);
	assert_int_equal(capture.notes.list[NOTE_DEEP_STACK].count, 1);
	assert_int_equal(stacks_ids(&capture.stacks, listener.list[0].callers)[0],
			 stacks_ids(&capture.stacks, listener.list[0].callers)[1]);
}

static void one_stack_is_enough_to_recognise_it(void **state)
{
	static const char *const texts[] = {"main;read 12\n", "main 1", "# c\n\nx\na;b 0.5\r\n",
					    "bad line\nmain;b 1\n"};
	static const char *const others[] = {"", "no count\n", "# main 1\n", "12\n", "\n\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++)
		if (!importer_folded.sniff(texts[i], strlen(texts[i])))
			fail_msg("'%s'", texts[i]);
	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (importer_folded.sniff(others[i], strlen(others[i])))
			fail_msg("'%s'", others[i]);
	assert_false(importer_folded.sniff("main 1\n\0", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_is_a_stack_and_its_count),
		cmocka_unit_test(count_is_the_last_field_and_blanks_stay_in_names),
		cmocka_unit_test(blanks_tabs_and_carriage_returns_around_the_count_are_ignored),
		cmocka_unit_test(empty_lines_comments_and_byte_order_mark_are_nothing),
		cmocka_unit_test(last_line_needs_no_line_feed),
		cmocka_unit_test(counts_may_be_decimal_and_have_exponents),
		cmocka_unit_test(lines_without_a_valid_count_are_noted_and_not_drawn),
		cmocka_unit_test(empty_frames_are_frames),
		cmocka_unit_test(stacks_that_begin_alike_are_told_apart),
		cmocka_unit_test(stacks_in_order_know_what_they_share),
		cmocka_unit_test(marks_of_the_perl_scripts_say_where_code_is_from),
		cmocka_unit_test(zero_bytes_and_bad_utf8_are_part_of_a_name),
		cmocka_unit_test(line_longer_than_the_buffer_is_one_stack),
		cmocka_unit_test(stack_deeper_than_the_limit_loses_its_outermost_frames),
		cmocka_unit_test(one_stack_is_enough_to_recognise_it),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
