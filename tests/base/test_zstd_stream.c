/* test_zstd_stream.c - one zstd stream in pieces, good and bad ones */
#include "tests/test.h"

#include "base/zstd_stream.h"

#include "base/mem.h"
#include "base/text.h"
#include "tests/support/packing.h"

static void add_lines(struct text *text, int from, int to)
{
	for (int i = from; i < to; i++)
		text_addf(text, "line %d of a text that packs well\n", i);
}

static void expect(const struct text *got, const struct text *expected)
{
	assert_int_equal(got->size, expected->size);
	assert_memory_equal(got->bytes, expected->bytes, got->size);
}

static void stream_in_pieces_of_any_size_is_unpacked(void **state)
{
	static const size_t pieces[] = {1, 2, 5, 100, 4096, 1 << 20};
	CLEANUP(text_release) struct text plain = TEXT_INIT, packed = TEXT_INIT;

	(void)state;
	add_lines(&plain, 0, 20000); /* more than one buffer */
	packing_zstd(&packed, plain.bytes, plain.size);
	for (size_t i = 0; i < ARRAY_NR(pieces); i++) {
		CLEANUP(text_release) struct text got = TEXT_INIT;
		struct zstd_stream *stream = zstd_stream_new();

		for (size_t at = 0; at < packed.size; at += pieces[i]) {
			size_t left = packed.size - at;

			assert_true(zstd_stream_feed(stream, packed.bytes + at,
						     left < pieces[i] ? left : pieces[i], &got));
		}
		expect(&got, &plain);
		zstd_stream_free(stream);
	}
}

static void frame_may_end_and_another_begin(void **state)
{
	CLEANUP(text_release) struct text plain = TEXT_INIT, packed = TEXT_INIT, got = TEXT_INIT;
	struct zstd_stream *stream = zstd_stream_new();

	(void)state;
	add_lines(&plain, 0, 100);
	packing_zstd(&packed, plain.bytes, plain.size);
	packing_zstd(&packed, plain.bytes, plain.size);
	add_lines(&plain, 0, 100);
	assert_true(zstd_stream_feed(stream, packed.bytes, packed.size, &got));
	expect(&got, &plain);
	zstd_stream_free(stream);
}

static void nothing_is_no_error(void **state)
{
	CLEANUP(text_release) struct text got = TEXT_INIT;
	struct zstd_stream *stream = zstd_stream_new();

	(void)state;
	assert_true(zstd_stream_feed(stream, "", 0, &got));
	assert_int_equal(got.size, 0);
	zstd_stream_free(stream);
	zstd_stream_free(NULL);
}

static void what_is_no_zstd_is_refused_until_it_begins_again(void **state)
{
	CLEANUP(text_release) struct text plain = TEXT_INIT, packed = TEXT_INIT, got = TEXT_INIT;
	struct zstd_stream *stream = zstd_stream_new();

	(void)state;
	add_lines(&plain, 0, 100);
	packing_zstd(&packed, plain.bytes, plain.size);
	assert_false(zstd_stream_feed(stream, "these are no packed bytes", 25, &got));
	zstd_stream_restart(stream);
	text_clear(&got);
	assert_true(zstd_stream_feed(stream, packed.bytes, packed.size, &got));
	expect(&got, &plain);
	/* in the middle of a frame, too */
	assert_true(zstd_stream_feed(stream, packed.bytes, packed.size / 2, &got));
	zstd_stream_restart(stream);
	text_clear(&got);
	assert_true(zstd_stream_feed(stream, packed.bytes, packed.size, &got));
	expect(&got, &plain);
	zstd_stream_free(stream);
}

static void piece_that_unpacks_to_more_than_the_limit_is_refused(void **state)
{
	CLEANUP(text_release) struct text packed = TEXT_INIT, got = TEXT_INIT;
	struct zstd_stream *stream = zstd_stream_new();
	const size_t size = ZSTD_STREAM_PIECE_MAX + 1;
	char *zeros = mem_zalloc(size, 1);

	(void)state;
	packing_zstd(&packed, zeros, size);
	free(zeros);
	assert_false(zstd_stream_feed(stream, packed.bytes, packed.size, &got));
	assert_true(got.size < ZSTD_STREAM_PIECE_MAX + (1 << 20));
	zstd_stream_free(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_in_pieces_of_any_size_is_unpacked),
		cmocka_unit_test(frame_may_end_and_another_begin),
		cmocka_unit_test(nothing_is_no_error),
		cmocka_unit_test(what_is_no_zstd_is_refused_until_it_begins_again),
		cmocka_unit_test(piece_that_unpacks_to_more_than_the_limit_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
