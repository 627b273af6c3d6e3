/* test_importers.c - the format is found by looking at the content */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "tests/support/input.h"
#include "tests/support/packing.h"

static void expect_format(const void *at, size_t size, const char *name)
{
	struct reader *reader = input_open(at, size);
	const struct importer *importer = NULL;

	assert_null(importers_sniff(reader, &importer));
	assert_string_equal(importer->name, name);
	/* nothing was taken */
	assert_int_equal(reader_offset(reader, reader->buf + reader->begin), 0);
	reader_close(reader);
}

static void expect_refused(const void *at, size_t size, const char *message, const char *hint)
{
	struct reader *reader = input_open(at, size);
	const struct importer *importer = NULL;
	struct error *err = importers_sniff(reader, &importer);

	assert_non_null(err);
	assert_null(importer);
	assert_int_equal(error_kind(err), ERROR_INPUT);
	assert_string_equal(error_text(err), message);
	if (hint)
		assert_string_equal(error_hint_text(err), hint);
	error_free(err);
	reader_close(reader);
}

static void formats_are_found_by_looking(void **state)
{
	static const char script[] = "relay 1 1.000000: 5 cycles: \n\t10 f\n\n";
	static const char folded[] = "main;read 12\n";

	(void)state;
	expect_format(script, strlen(script), "perf-script");
	expect_format(folded, strlen(folded), "folded");
}

static void formats_are_found_in_packed_input(void **state)
{
	static const char folded[] = "main;read 12\n";
	CLEANUP(text_release) struct text packed = TEXT_INIT;

	(void)state;
	packing_zstd(&packed, folded, strlen(folded));
	expect_format(packed.bytes, packed.size, "folded");
}

static void importers_have_names(void **state)
{
	(void)state;
	for (const struct importer *const *at = importers; *at; at++)
		assert_ptr_equal(importers_find((*at)->name), *at);
	assert_null(importers_find("perf"));
	assert_null(importers_find(""));
}

static void empty_input_is_refused_as_empty(void **state)
{
	(void)state;
	expect_refused("", 0, "'<stdin>' is empty",
		       "look at what the command that made it printed on stderr");
}

static void packed_nothing_is_empty_too(void **state)
{
	CLEANUP(text_release) struct text packed = TEXT_INIT;

	(void)state;
	packing_gzip(&packed, "", 0);
	expect_refused(packed.bytes, packed.size, "'<stdin>' is empty", NULL);
}

static void files_of_other_kinds_are_named(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *message;
	} cases[] = {
		{"\177ELF\2\1\1\0", 8, "'<stdin>' is a program or library, not a capture of one"},
		{"\x89PNG\r\n\x1a\n", 8, "'<stdin>' is a picture, not a capture"},
		{"SQLite format 3\0\x10\0", 18,
		 "'<stdin>' is a profile or another SQLite file, which is read from a file only"},
		{"<svg xmlns=\"x\">", 15, "'<stdin>' is a picture already"},
		{"<?xml version=\"1.0\"?>", 21, "'<stdin>' is an XML file, no stacks"},
		{"\0\1\2\3junk", 8,
		 "'<stdin>' is a binary file, expected perf script text or folded stacks"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++)
		expect_refused(cases[i].bytes, cases[i].size, cases[i].message, NULL);
}

static void text_that_is_neither_says_what_was_expected(void **state)
{
	static const char text[] = "dear diary,\nnothing happened\n";

	(void)state;
	expect_refused(text, strlen(text),
		       "<stdin>: line 1: expected perf script text or folded stacks "
		       "('main;read_all;read 12'), found neither in the first 29 bytes",
		       "force it with --input-format=perf-script or --input-format=folded");
}

static void damaged_compression_without_data_says_so(void **state)
{
	CLEANUP(text_release) struct text packed = TEXT_INIT;

	(void)state;
	packing_gzip(&packed, "main;read 12\n", 13);
	expect_refused(packed.bytes, 10,
		       "'<stdin>': the compressed data ends too early, nothing could be read",
		       NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_found_by_looking),
		cmocka_unit_test(formats_are_found_in_packed_input),
		cmocka_unit_test(importers_have_names),
		cmocka_unit_test(empty_input_is_refused_as_empty),
		cmocka_unit_test(packed_nothing_is_empty_too),
		cmocka_unit_test(files_of_other_kinds_are_named),
		cmocka_unit_test(text_that_is_neither_says_what_was_expected),
		cmocka_unit_test(damaged_compression_without_data_says_so),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
