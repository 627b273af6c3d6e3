/* test_file.c - the header of perf.data, good and damaged */
#include "tests/test.h"

#include "importers/perf_data/file.h"

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "tests/support/input.h"
#include "tests/support/packing.h"
#include "tests/support/perf_data_builder.h"

static void build(struct builder *builder, struct text *file)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	builder_string(builder, &name, "relay-1");
	builder_attr(builder, (struct builder_attr){.sample_type = 1, .ids = {5}, .ids_nr = 1});
	builder_feature(builder, 3, &name);
	builder_sample(builder, 0, &(struct builder_sample){.ip = 0x1234});
	builder_finish(builder, file);
}

/* Opens the bytes; the error's text, owned, or NULL. */
static char *try_open(const void *at, size_t size, struct reader **reader, struct perf_file *ret)
{
	struct error *err;
	char *text;

	*reader = input_open(at, size);
	err = perf_file_open(*reader, ret);
	if (!err)
		return NULL;
	text = mem_strdup(error_text(err));
	error_free(err);
	return text;
}

static void expect_refused(const void *at, size_t size, const char *words)
{
	struct reader *reader;
	struct perf_file file;
	char *failure = try_open(at, size, &reader, &file);

	if (!failure)
		fail_msg("%zu bytes are not refused", size);
	else if (!strstr(failure, words))
		fail_msg("%s", failure);
	free(failure);
	perf_file_close(&file);
	reader_close(reader);
}

static void open_file(const struct text *text, struct reader **reader, struct perf_file *ret)
{
	char *failure = try_open(text->bytes, text->size, reader, ret);

	if (failure)
		fail_msg("%s", failure);
}

static void expect_good(const struct perf_file *file)
{
	const struct bytes data = perf_file_section(file, file->data);
	struct bytes host = perf_file_section(file, file->features[3]);
	uint32_t size;

	assert_int_equal(bytes_left(&data), 16);
	assert_int_equal(file->attr_size, 128 + 16);
	assert_int_equal(file->attrs.size, 128 + 16);
	assert_true(file->has_feature[3]);
	for (unsigned i = 0; i < PERF_FEATURES_MAX; i++)
		assert_int_equal(file->has_feature[i], i == 3);
	assert_true(bytes_u32(&host, &size));
	assert_int_equal(size, 64);
	assert_memory_equal(host.at, "relay-1", 8);
	assert_false(file->was_killed);
	assert_int_equal(file->missing_bytes, 0);
	assert_int_equal(file->lost_features, 0);
}

static void expect_built(struct builder builder)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	build(&builder, &text);
	open_file(&text, &reader, &file);
	expect_good(&file);
	assert_int_equal(file.layout, PERF_LAYOUT_FILE);
	assert_int_equal(file.version, builder.is_old ? 1 : 2);
	assert_int_equal(file.is_swapped,
			 builder.is_big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__));
	perf_file_close(&file);
	reader_close(reader);
	builder_release(&builder);
}

static void files_of_all_kinds_are_opened(void **state)
{
	(void)state;
	expect_built((struct builder){0});
	expect_built((struct builder){.is_big = true});
	expect_built((struct builder){.is_old = true});
	expect_built((struct builder){.is_old = true, .is_big = true});
	expect_built((struct builder){.attrs_at_end = true});
	expect_built((struct builder){.narrow_longs = true});
	expect_built((struct builder){.narrow_longs = true, .is_big = true});
}

static void pipe_is_records_up_to_its_end(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	(void)state;
	build(&builder, &text);
	open_file(&text, &reader, &file);
	assert_int_equal(file.layout, PERF_LAYOUT_PIPE);
	assert_int_equal(file.data.offset, 16);
	assert_int_equal(file.data.size, text.size - 16);
	perf_file_close(&file);
	reader_close(reader);
}

static void header_of_72_bytes_has_no_features(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_short = true};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	(void)state;
	build(&builder, &text);
	open_file(&text, &reader, &file);
	for (unsigned i = 0; i < PERF_FEATURES_MAX; i++)
		assert_false(file.has_feature[i]);
	assert_int_equal(file.data.size, 16);
	perf_file_close(&file);
	reader_close(reader);
}

static void packed_file_is_unpacked_to_be_read(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT, packed = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	(void)state;
	build(&builder, &text);
	packing_gzip(&packed, text.bytes, text.size);
	open_file(&packed, &reader, &file);
	expect_good(&file);
	perf_file_close(&file);
	reader_close(reader);
}

static void killed_recorder_leaves_data_up_to_the_end(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_killed = true};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	(void)state;
	build(&builder, &text);
	open_file(&text, &reader, &file);
	assert_true(file.was_killed);
	assert_int_equal(file.data.size, 16);
	/* its bitmap may be written already; there are no sections */
	assert_false(file.has_feature[3]);
	perf_file_close(&file);
	reader_close(reader);
}

static void cut_data_is_what_is_there(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct reader *reader;
	struct perf_file file;

	(void)state;
	build(&builder, &text);
	text.size -= 68 + 16 + 3;
	open_file(&text, &reader, &file);
	assert_int_equal(file.data.size, 13);
	assert_int_equal(file.missing_bytes, 3);
	assert_false(file.has_feature[3]);
	perf_file_close(&file);
	reader_close(reader);
}

static void cut_features_are_lost_and_told(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	build(&builder, &text);
	for (size_t cut = 1; cut < 68 + 16; cut++) {
		struct reader *reader;
		struct perf_file file;

		text.size--;
		open_file(&text, &reader, &file);
		assert_false(file.has_feature[3]);
		assert_int_equal(file.lost_features, 1);
		assert_int_equal(file.data.size, 16);
		perf_file_close(&file);
		reader_close(reader);
	}
}

/* A good file with one u64 of its header overwritten. */
static void damage(struct text *text, size_t offset, uint64_t number)
{
	const struct builder little = {0};
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	text_clear(text);
	build(&builder, text);
	builder_u64(&little, &bytes, number);
	memcpy(text->bytes + offset, bytes.bytes, 8);
}

static void expect_damage_refused(size_t offset, uint64_t number, const char *words)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	damage(&text, offset, number);
	expect_refused(text.bytes, text.size, words);
}

static void headers_that_say_nonsense_are_refused(void **state)
{
	(void)state;
	expect_damage_refused(8, 0, "a header of 0 bytes");
	expect_damage_refused(8, 17, "a header of 17 bytes");
	expect_damage_refused(8, 71, "a header of 71 bytes");
	expect_damage_refused(8, UINT64_MAX, "byte 0x8");
	expect_damage_refused(16, 0, "attributes of 0 bytes");
	expect_damage_refused(16, 79, "attributes of 79 bytes");
	expect_damage_refused(16, 81, "attributes of 81 bytes");
	expect_damage_refused(16, UINT64_MAX, "byte 0x10");
	expect_damage_refused(40, UINT64_MAX, "behind the end");
	expect_damage_refused(40, 100000, "behind the end");
}

static void sections_outside_of_the_file_are_cut(void **state)
{
	static const size_t offsets[] = {24, 32, 48, 56, 64};
	static const uint64_t numbers[] = {100000, INT64_MAX, UINT64_MAX - 100, UINT64_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(offsets); i++)
		for (size_t n = 0; n < ARRAY_NR(numbers); n++) {
			CLEANUP(text_release) struct text text = TEXT_INIT;
			struct reader *reader;
			struct perf_file file;
			struct bytes data, attrs;

			damage(&text, offsets[i], numbers[n]);
			open_file(&text, &reader, &file);
			data = perf_file_section(&file, file.data);
			attrs = perf_file_section(&file, file.attrs);
			assert_true(data.at >= file.map && data.end <= file.map + file.size);
			assert_true(attrs.at >= file.map && attrs.end <= file.map + file.size);
			assert_true(bytes_left(&data) >= 16);
			perf_file_close(&file);
			reader_close(reader);
		}
}

static void header_cut_at_any_byte_is_refused(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	build(&builder, &text);
	for (size_t size = 0; size < 104; size++)
		expect_refused(text.bytes, size,
			       size < 16   ? "less than the header"
			       : size < 72 ? "inside its header"
					   : "behind the end");
}

static void version_1_of_no_known_attr_size_is_refused(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_old = true};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	build(&builder, &text);
	text.bytes[16] = 0;
	expect_refused(text.bytes, text.size, "no attribute size");
	expect_refused(text.bytes, 20, "no attribute size");
}

static void magic_words_are_known(void **state)
{
	(void)state;
	assert_true(perf_file_sniff("PERFILE2", 8));
	assert_true(perf_file_sniff("2ELIFREP", 8));
	assert_true(perf_file_sniff("PERFFILE and more", 17));
	assert_false(perf_file_sniff("PERFILE2", 7));
	assert_false(perf_file_sniff("PERFILE3", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_all_kinds_are_opened),
		cmocka_unit_test(pipe_is_records_up_to_its_end),
		cmocka_unit_test(header_of_72_bytes_has_no_features),
		cmocka_unit_test(packed_file_is_unpacked_to_be_read),
		cmocka_unit_test(killed_recorder_leaves_data_up_to_the_end),
		cmocka_unit_test(cut_data_is_what_is_there),
		cmocka_unit_test(cut_features_are_lost_and_told),
		cmocka_unit_test(headers_that_say_nonsense_are_refused),
		cmocka_unit_test(sections_outside_of_the_file_are_cut),
		cmocka_unit_test(header_cut_at_any_byte_is_refused),
		cmocka_unit_test(version_1_of_no_known_attr_size_is_refused),
		cmocka_unit_test(magic_words_are_known),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
