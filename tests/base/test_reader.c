/* test_reader.c - lines of an input, however they lie in the buffer */
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "tests/support/input.h"

/* All lines, each with '$' behind it. */
static char *lines_of(struct reader *reader)
{
	struct text text = TEXT_INIT;

	for (;;) {
		char *at;
		size_t size;
		struct error *err = reader_line(reader, &at, &size);

		assert_null(err);
		if (!at)
			return text_take(&text);
		text_add_bytes(&text, at, size);
		text_add_char(&text, '$');
	}
}

static void expect_lines(const char *input, const char *lines)
{
	struct reader *reader = input_open_string(input);
	char *got = lines_of(reader);

	assert_string_equal(got, lines);
	free(got);
	reader_close(reader);
}

static void lines_come_without_their_line_feed(void **state)
{
	(void)state;
	expect_lines("a\nbc\n", "a$bc$");
}

static void last_line_needs_no_line_feed(void **state)
{
	(void)state;
	expect_lines("a\nbc", "a$bc$");
}

static void empty_lines_are_lines(void **state)
{
	(void)state;
	expect_lines("\n\na\n\n", "$$a$$");
}

static void empty_input_has_no_line(void **state)
{
	(void)state;
	expect_lines("", "");
}

static void carriage_returns_stay(void **state)
{
	(void)state;
	expect_lines("a\r\nb\r", "a\r$b\r$");
}

static void zero_bytes_are_part_of_a_line(void **state)
{
	struct reader *reader = input_open("a\0b\nc", 5);
	char *at;
	size_t size;

	(void)state;
	assert_null(reader_line(reader, &at, &size));
	assert_int_equal(size, 3);
	assert_memory_equal(at, "a\0b", 3);
	reader_close(reader);
}

/* Line i is i % 97 letters long: 60000 of them are many buffers. */
static void lines_over_the_borders_of_the_buffer_are_whole(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	struct reader *reader;
	char *at;
	size_t size;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		for (int j = 0; j < i % 97; j++)
			text_add_char(&input, (char)('a' + i % 26));
		text_add_char(&input, '\n');
	}
	reader = input_open(input.bytes, input.size);
	for (int i = 0; i < 60000; i++) {
		assert_null(reader_line(reader, &at, &size));
		assert_non_null(at);
		assert_int_equal(size, i % 97);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(at[j], 'a' + i % 26);
	}
	assert_null(reader_line(reader, &at, &size));
	assert_null(at);
	reader_close(reader);
}

static void line_longer_than_the_buffer_is_whole(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	struct reader *reader;
	char *at;
	size_t size;

	(void)state;
	text_add(&input, "short\n");
	for (int i = 0; i < 3000000; i++)
		text_add_char(&input, (char)('a' + i % 26));
	text_add(&input, "\nend");
	reader = input_open(input.bytes, input.size);
	assert_null(reader_line(reader, &at, &size));
	assert_int_equal(size, 5);
	assert_null(reader_line(reader, &at, &size));
	assert_int_equal(size, 3000000);
	assert_memory_equal(at, input.bytes + 6, size);
	assert_null(reader_line(reader, &at, &size));
	assert_int_equal(size, 3);
	assert_memory_equal(at, "end", 3);
	reader_close(reader);
}

static void offsets_count_from_the_start_of_the_input(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	struct reader *reader;
	uint64_t expected = 0;
	char *at;
	size_t size;

	(void)state;
	for (int i = 0; i < 40000; i++)
		text_addf(&input, "line %d of many\n", i);
	reader = input_open(input.bytes, input.size);
	for (int i = 0; i < 40000; i++) {
		assert_null(reader_line(reader, &at, &size));
		assert_int_equal(reader_offset(reader, at), expected);
		expected += size + 1;
	}
	reader_close(reader);
}

static void byte_behind_a_line_may_be_written(void **state)
{
	struct reader *reader = input_open_string("ab\ncd");
	char *at;
	size_t size;

	(void)state;
	assert_null(reader_line(reader, &at, &size));
	at[size] = '\0';
	assert_string_equal(at, "ab");
	assert_null(reader_line(reader, &at, &size));
	at[size] = '\0';
	assert_string_equal(at, "cd");
	reader_close(reader);
}

static void filling_gives_what_was_asked_for_or_all(void **state)
{
	struct reader *reader = input_open_string("0123456789");

	(void)state;
	assert_null(reader_fill(reader, 4));
	assert_true(reader->end - reader->begin >= 4);
	assert_null(reader_fill(reader, 1000000));
	assert_int_equal(reader->end - reader->begin, 10);
	assert_true(reader->is_eof);
	reader_close(reader);
}

/* A pipe gives few bytes at a time. */
static void bytes_that_come_slowly_are_put_together(void **state)
{
	static const char *const pieces[] = {"ma", "in", ";re", "ad 1\nma", "in 2"};
	struct reader *reader;
	int ends[2];
	char *got;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	if (fork() == 0) {
		for (size_t i = 0; i < ARRAY_NR(pieces); i++) {
			if (write(ends[1], pieces[i], strlen(pieces[i])) < 0)
				_exit(1);
			usleep(2000);
		}
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	assert_null(reader_open("-", &reader));
	got = lines_of(reader);
	assert_string_equal(got, "main;read 1$main 2$");
	free(got);
	reader_close(reader);
}

static void expect_refused(const char *path, const char *text)
{
	struct reader *reader = (struct reader *)42;
	struct error *err = reader_open(path, &reader);

	assert_non_null(err);
	assert_string_equal(error_text(err), text);
	assert_ptr_equal(reader, (struct reader *)42);
	error_free(err);
}

static void missing_file_is_refused_by_name(void **state)
{
	(void)state;
	expect_refused("no/such/file", "cannot open 'no/such/file': No such file or directory");
}

static void directory_is_refused(void **state)
{
	(void)state;
	expect_refused(".", "'.' is a directory, expected a file");
}

static void standard_input_has_a_name(void **state)
{
	struct reader *reader = input_open_string("x");

	(void)state;
	assert_string_equal(reader->name, "<stdin>");
	reader_close(reader);
	reader_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_without_their_line_feed),
		cmocka_unit_test(last_line_needs_no_line_feed),
		cmocka_unit_test(empty_lines_are_lines),
		cmocka_unit_test(empty_input_has_no_line),
		cmocka_unit_test(carriage_returns_stay),
		cmocka_unit_test(zero_bytes_are_part_of_a_line),
		cmocka_unit_test(lines_over_the_borders_of_the_buffer_are_whole),
		cmocka_unit_test(line_longer_than_the_buffer_is_whole),
		cmocka_unit_test(offsets_count_from_the_start_of_the_input),
		cmocka_unit_test(byte_behind_a_line_may_be_written),
		cmocka_unit_test(filling_gives_what_was_asked_for_or_all),
		cmocka_unit_test(bytes_that_come_slowly_are_put_together),
		cmocka_unit_test(missing_file_is_refused_by_name),
		cmocka_unit_test(directory_is_refused),
		cmocka_unit_test(standard_input_has_a_name),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
