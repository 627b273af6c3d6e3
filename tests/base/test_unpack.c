/* test_unpack.c - gzip, zstd and xz are taken off while an input is read */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "base/unpack.h"
#include "tests/support/input.h"
#include "tests/support/packing.h"

static const struct {
	const char *name;
	void (*pack)(struct text *packed, const void *at, size_t size);
	const char *damage;
} codecs[] = {
	{"gzip", packing_gzip, "the gzip data is damaged"},
	{"zstd", packing_zstd, "the zstd data is damaged"},
	{"xz", packing_xz, "the xz data is damaged"},
};

#define SHORT_TEXT "main;read_all;read 12\n"

/* Text of so many lines that does not pack to nothing. */
static void make_text(struct text *text, unsigned lines)
{
	uint32_t chance = 1;

	for (unsigned i = 0; i < lines; i++) {
		chance = chance * 1664525 + 1013904223;
		text_addf(text, "main;f%08x;g%u %u\n", (unsigned)chance, i, (unsigned)chance % 100);
	}
}

/* What comes out, and the damage. */
static char *unpacked(const struct text *packed, struct text *out)
{
	struct reader *reader = input_open(packed->bytes, packed->size);
	char *damage;

	while (!reader->is_eof) {
		assert_null(reader_fill(reader, 100000));
		text_add_bytes(out, reader->buf + reader->begin, reader->end - reader->begin);
		reader->begin = reader->end;
	}
	damage = reader_damage(reader) ? mem_strdup(reader_damage(reader)) : NULL;
	reader_close(reader);
	return damage;
}

static void packed_text_reads_as_it_was(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	make_text(&text, 100000);
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;

		codecs[i].pack(&packed, text.bytes, text.size);
		assert_true(packed.size < text.size);
		assert_string_equal(unpack_sniff(packed.bytes, packed.size), codecs[i].name);
		assert_null(unpacked(&packed, &out));
		assert_int_equal(out.size, text.size);
		assert_memory_equal(out.bytes, text.bytes, text.size);
	}
}

static void bytes_in_memory_unpack_up_to_a_limit(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	make_text(&text, 20000);
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;

		codecs[i].pack(&packed, text.bytes, text.size);
		assert_null(unpack_bytes(packed.bytes, packed.size, text.size, &out));
		assert_int_equal(out.size, text.size);
		assert_memory_equal(out.bytes, text.bytes, text.size);
		text_clear(&out);
		assert_non_null(unpack_bytes(packed.bytes, packed.size, text.size - 1, &out));
		assert_true(out.size < text.size);
		assert_non_null(unpack_bytes(packed.bytes, packed.size / 2, text.size, &out));
		assert_non_null(unpack_bytes(text.bytes, text.size, text.size, &out));
	}
}

/* A zlib stream, as sections of ELF files are packed: "hello" in one stored block. */
static void zlib_streams_are_unpacked(void **state)
{
	static const char packed[] = "x\1\1\5\0\372\377hello\6\54\2\25";
	const size_t size = sizeof(packed) - 1;
	CLEANUP(text_release) struct text out = TEXT_INIT;

	(void)state;
	assert_null(unpack_zlib(packed, size, 5, &out));
	assert_string_equal(text_string(&out), "hello");
	text_clear(&out);
	assert_non_null(unpack_zlib(packed, size, 4, &out));
	assert_int_equal(out.size, 0);
	assert_non_null(unpack_zlib(packed, size - 1, 5, &out)); /* cut */
	assert_non_null(unpack_zlib("hello", 5, 5, &out));
	assert_non_null(unpack_zlib(packed, 0, 5, &out));
}

static void members_behind_each_other_are_one_text(void **state)
{
	CLEANUP(text_release) struct text half = TEXT_INIT;

	(void)state;
	make_text(&half, 20000);
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;

		codecs[i].pack(&packed, half.bytes, half.size);
		codecs[i].pack(&packed, SHORT_TEXT, strlen(SHORT_TEXT));
		codecs[i].pack(&packed, half.bytes, half.size);
		assert_null(unpacked(&packed, &out));
		assert_int_equal(out.size, 2 * half.size + strlen(SHORT_TEXT));
		assert_memory_equal(out.bytes + half.size, SHORT_TEXT, strlen(SHORT_TEXT));
		assert_memory_equal(out.bytes + half.size + strlen(SHORT_TEXT), half.bytes,
				    half.size);
	}
}

static void data_that_ends_too_early_gives_what_was_before_and_says_so(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	make_text(&text, 100000);
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;
		char *damage;

		codecs[i].pack(&packed, text.bytes, text.size);
		packed.size /= 2;
		damage = unpacked(&packed, &out);
		assert_non_null(damage);
		assert_string_equal(damage, "the compressed data ends too early");
		assert_true(out.size > 0 && out.size < text.size);
		assert_memory_equal(out.bytes, text.bytes, out.size);
		free(damage);
	}
}

static void cut_anywhere_it_ends_and_never_adds_a_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT;
		size_t whole;

		codecs[i].pack(&packed, SHORT_TEXT, strlen(SHORT_TEXT));
		whole = packed.size;
		/* below 6 bytes the magic is not whole: then it is plain bytes */
		for (packed.size = 6; packed.size < whole; packed.size++) {
			CLEANUP(text_release) struct text out = TEXT_INIT;
			char *damage = unpacked(&packed, &out);

			if (!damage)
				fail_msg("%s cut at %zu of %zu", codecs[i].name, packed.size,
					 whole);
			assert_true(out.size <= strlen(SHORT_TEXT));
			if (out.size)
				assert_memory_equal(out.bytes, SHORT_TEXT, out.size);
			free(damage);
		}
	}
}

static void damaged_data_says_so(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	make_text(&text, 100000);
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;
		char *damage;

		codecs[i].pack(&packed, text.bytes, text.size);
		memset(packed.bytes + packed.size / 2, 0xff, 64);
		damage = unpacked(&packed, &out);
		assert_non_null(damage);
		assert_string_equal(damage, codecs[i].damage);
		free(damage);
	}
}

static void empty_data_is_an_empty_input(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_NR(codecs); i++) {
		CLEANUP(text_release) struct text packed = TEXT_INIT, out = TEXT_INIT;

		codecs[i].pack(&packed, "", 0);
		assert_null(unpacked(&packed, &out));
		assert_int_equal(out.size, 0);
	}
}

static void plain_bytes_are_not_unpacked(void **state)
{
	(void)state;
	assert_null(unpack_sniff("main;read 1", 11));
	assert_null(unpack_sniff("\x1f\x8b", 2));
	assert_null(unpack_sniff("", 0));
	assert_null(unpack_new(0, "main", 4));
	unpack_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_text_reads_as_it_was),
		cmocka_unit_test(bytes_in_memory_unpack_up_to_a_limit),
		cmocka_unit_test(zlib_streams_are_unpacked),
		cmocka_unit_test(members_behind_each_other_are_one_text),
		cmocka_unit_test(data_that_ends_too_early_gives_what_was_before_and_says_so),
		cmocka_unit_test(cut_anywhere_it_ends_and_never_adds_a_byte),
		cmocka_unit_test(damaged_data_says_so),
		cmocka_unit_test(empty_data_is_an_empty_input),
		cmocka_unit_test(plain_bytes_are_not_unpacked),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
