/* test_paper.c - text is escaped the same wherever it lies, numbers are those of number_px() */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/number.h"
#include "renderers/paper.h"

struct written {
	char *bytes;
	size_t size;
};

/* A text behind so much that stands in the buffer already. */
static struct written put(const char *text, size_t size, size_t before)
{
	struct paper *paper = calloc(1, sizeof(*paper));
	struct written written;

	assert_non_null(paper);
	paper->file = open_memstream(&written.bytes, &written.size);
	memset(paper->bytes, '_', before);
	paper->used = before;
	paper_put_text(paper, text, size);
	paper_flush(paper);
	assert_int_equal(paper->error, 0);
	assert_int_equal(fclose(paper->file), 0);
	free(paper);
	return written;
}

/* One byte after another, of ASCII text. */
static char *escaped(const char *text, size_t size)
{
	char *to = calloc(size * 6 + 1, 1);

	assert_non_null(to);
	for (size_t i = 0, nr = 0; i < size; i++) {
		const char *words[128] = {
			['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;",
			['\t'] = " ",	 ['\n'] = " ",	 ['\r'] = " "};
		char itself[] = {text[i], '\0'};
		const char *word = words[(unsigned char)text[i]];

		if (!word)
			word = text[i] < ' ' ? "\xef\xbf\xbd" : itself;
		nr += (size_t)snprintf(to + nr, size * 6 + 1 - nr, "%s", word);
	}
	return to;
}

static void assert_put(const char *text, size_t size, size_t before)
{
	struct written written = put(text, size, before);
	char *expected = escaped(text, size);

	assert_int_equal(written.size, before + strlen(expected));
	assert_memory_equal(written.bytes + before, expected, strlen(expected));
	free(expected);
	free(written.bytes);
}

static void every_ascii_byte_is_escaped_at_every_place(void **state)
{
	(void)state;
	for (size_t size = 1; size < 36; size++)
		for (size_t at = 0; at < size; at++)
			for (char byte = 1; byte > 0 && byte < 0x7f; byte++) {
				char text[36] = {0};

				memset(text, 'n', size);
				text[at] = byte;
				assert_put(text, size, 0);
			}
}

static void text_is_whole_at_the_end_of_the_buffer(void **state)
{
	static const char text[] = "std::map<int, \"a&b\">::at(unsigned long)";

	(void)state;
	for (size_t left = 0; left < 400; left++)
		assert_put(text, strlen(text), PAPER_SIZE - left);
}

static void a_long_text_is_escaped_piece_by_piece(void **state)
{
	size_t size = 3 * PAPER_SIZE + 17;
	char *text = malloc(size + 1);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < size; i++)
		text[i] = "\"n<"[i % 3];
	text[size] = '\0';
	assert_put(text, size, 1);
	free(text);
}

/* Characters of 3 bytes, so that one lies over the end of each piece of 4,096. */
static void a_character_is_not_parted(void **state)
{
	size_t nr = 5000;
	char *text = malloc(nr * 3 + 2);
	struct written written;

	(void)state;
	assert_non_null(text);
	text[0] = 'n';
	for (size_t i = 0; i < nr; i++)
		memcpy(text + 1 + i * 3, "\xe2\x82\xac", 3);
	text[nr * 3 + 1] = '\0';
	written = put(text, nr * 3 + 1, 0);
	assert_int_equal(written.size, nr * 3 + 1);
	assert_memory_equal(written.bytes, text, written.size);
	free(written.bytes);
	free(text);
}

static void a_number_that_is_found_again_is_the_same(void **state)
{
	struct paper *paper = calloc(1, sizeof(*paper));

	(void)state;
	assert_non_null(paper);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 3000; i++) {
			double px = i % 7 ? i / 7.0 : i * 1e9;
			char expected[NUMBER_SIZE];
			size_t size = number_px(expected, px);

			paper->used = 0;
			paper_put_number(paper, px);
			assert_int_equal(paper->used, size);
			assert_memory_equal(paper->bytes, expected, size);
		}
	free(paper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_ascii_byte_is_escaped_at_every_place),
		cmocka_unit_test(text_is_whole_at_the_end_of_the_buffer),
		cmocka_unit_test(a_long_text_is_escaped_piece_by_piece),
		cmocka_unit_test(a_character_is_not_parted),
		cmocka_unit_test(a_number_that_is_found_again_is_the_same),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
