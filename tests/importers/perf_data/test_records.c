/* test_records.c - one record after the other: packed ones, payloads, breaks */
#include "tests/test.h"

#include "importers/perf_data/records.h"

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/sample.h"
#include "tests/support/packing.h"
#include "tests/support/perf_data_builder.h"

#define OFFSET 1000 /* of the region in its file */

static struct records open_region(const struct builder *builder, bool is_unaligned)
{
	const unsigned char *at = (const unsigned char *)builder->data.bytes;
	struct records records;

	records_init(&records, (struct bytes){at, at + builder->data.size, builder->is_big}, OFFSET,
		     is_unaligned);
	return records;
}

/* The types as they come: "1 9 9". */
static void expect_types(struct records *records, const char *expected)
{
	CLEANUP(text_release) struct text types = TEXT_INIT;
	struct perf_record record;

	while (records_next(records, &record))
		text_addf(&types, "%s%u", types.size ? " " : "", record.type);
	assert_string_equal(text_string(&types), expected);
}

static void expect_undamaged(const struct records *records)
{
	static const struct records_damage none;

	assert_memory_equal(&records->damage, &none, sizeof(none));
}

/* SWITCH_CPU_WIDE and three words that number it. */
static void add_numbered(struct builder *builder, uint64_t number)
{
	builder_words(builder, 15, 0, (const uint64_t[]){number, number, number}, 3);
}

static uint64_t word_of(const struct perf_record *record)
{
	return perf_sample_word(&record->bytes, 1);
}

static void records_come_with_their_place_and_misc(void **state)
{
	(void)state;
	for (int is_big = 0; is_big < 2; is_big++) {
		CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
		struct perf_record record;
		struct records records;

		builder_words(&builder, 3, 0x2002, (const uint64_t[]){1, 2}, 2);
		builder_words(&builder, 68, 0, NULL, 0);
		records = open_region(&builder, false);
		assert_true(records_next(&records, &record));
		assert_int_equal(record.type, 3);
		assert_int_equal(record.misc, 0x2002);
		assert_int_equal(record.offset, OFFSET);
		assert_int_equal(bytes_left(&record.bytes), 24);
		assert_null(record.chunk);
		assert_true(records_next(&records, &record));
		assert_int_equal(record.type, 68);
		assert_int_equal(record.offset, OFFSET + 24);
		assert_false(records_next(&records, &record));
		assert_false(records_next(&records, &record));
		expect_undamaged(&records);
		records_release(&records);
	}
}

static void unknown_types_are_passed_over_by_their_size(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	(void)state;
	builder_words(&builder, 60, 7, (const uint64_t[]){1, 2}, 2);
	builder_words(&builder, 4000000000u, 7, (const uint64_t[]){1, 2, 3}, 3);
	builder_round(&builder);
	records = open_region(&builder, false);
	expect_types(&records, "60 4000000000 68");
	expect_undamaged(&records);
	records_release(&records);
}

static void simpleperfs_records_have_sizes_of_32_bits(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct perf_record record;
	struct records records;

	(void)state;
	builder_u32(&builder, &builder.data, 32769);
	builder_u16(&builder, &builder.data, 1);
	builder_u16(&builder, &builder.data, 16);
	for (int i = 0; i < 65536 + 16 - 8; i++)
		text_add_char(&builder.data, 'k');
	builder_round(&builder);
	records = open_region(&builder, false);
	assert_true(records_next(&records, &record));
	assert_int_equal(bytes_left(&record.bytes), 65536 + 16);
	assert_int_equal(record.misc, 0);
	expect_types(&records, "68");
	expect_undamaged(&records);
	records_release(&records);
}

/* ---- payloads behind records */

static void add_payload(struct builder *builder, size_t size)
{
	/* not what a next record looks like */
	for (size_t i = 0; i < size; i++)
		text_add_char(&builder->data, '\xee');
}

static void auxtrace_data_is_passed_over_and_counted(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct perf_record record;
	struct records records;

	(void)state;
	builder_words(&builder, 71, 0, (const uint64_t[]){72, 0, 0, 0, 0}, 5);
	add_payload(&builder, 72);
	builder_words(&builder, 71, 0, (const uint64_t[]){0, 0, 0, 0, 0}, 5);
	builder_round(&builder);
	records = open_region(&builder, false);
	assert_true(records_next(&records, &record));
	assert_int_equal(bytes_left(&record.payload), 72);
	assert_int_equal(*record.payload.at, 0xee);
	expect_types(&records, "71 68");
	assert_int_equal(records.damage.aux_bytes, 72);
	assert_int_equal(records.damage.places, 0);
	records_release(&records);
}

static void tracing_data_stands_behind_old_and_new_records(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct perf_record record;
	struct records records;

	(void)state;
	/* 12 bytes: u32 size alone */
	builder_begin(&builder, 66, 0);
	builder_u32(&builder, &builder.data, 16);
	builder.data.bytes[builder.record + 6] = 12;
	add_payload(&builder, 16);
	/* 16 bytes: with padding */
	builder_words(&builder, 66, 0, (const uint64_t[]){24}, 1);
	add_payload(&builder, 24);
	/* simpleperf: in the record */
	builder_words(&builder, 66, 0, (const uint64_t[]){8, 0xabcdef, 0}, 3);
	builder_round(&builder);
	records = open_region(&builder, true);
	assert_true(records_next(&records, &record));
	assert_int_equal(bytes_left(&record.payload), 16);
	assert_true(records_next(&records, &record));
	assert_int_equal(bytes_left(&record.payload), 24);
	assert_true(records_next(&records, &record));
	assert_int_equal(bytes_left(&record.payload), 8);
	expect_types(&records, "68");
	expect_undamaged(&records);
	records_release(&records);
}

static void payload_that_is_cut_is_a_break(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	(void)state;
	builder_round(&builder);
	builder_words(&builder, 71, 0, (const uint64_t[]){UINT64_MAX, 0, 0, 0, 0}, 5);
	add_payload(&builder, 64);
	records = open_region(&builder, false);
	expect_types(&records, "68");
	assert_int_equal(records.damage.places, 1);
	assert_int_equal(records.damage.first_offset, OFFSET + 8);
	assert_int_equal(records.damage.lost_bytes, 48 + 64);
	records_release(&records);
}

/* ---- packed records */

static void expect_packed(uint32_t type, size_t piece, bool is_big)
{
	CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
	struct records records;
	struct perf_record record;
	uint64_t next = 1;

	for (uint64_t from = 1; from < 40; from += 10) {
		builder_pack(&builder);
		for (uint64_t i = from; i < from + 10; i++)
			add_numbered(&builder, i);
		builder_packed(&builder, type, piece);
		builder_round(&builder);
	}
	/* type 81 is not padded: what follows stands anywhere */
	records = open_region(&builder, true);
	while (records_next(&records, &record)) {
		if (record.type != 15)
			continue;
		assert_int_equal(word_of(&record), next);
		assert_non_null(record.chunk);
		next++;
	}
	assert_int_equal(next, 41);
	expect_undamaged(&records);
	records_release(&records);
}

static void packed_records_straddle_pieces_of_any_size(void **state)
{
	static const size_t pieces[] = {1, 2, 3, 7, 8, 9, 31, 64, 65000};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(pieces); i++) {
		expect_packed(81, pieces[i], false);
		expect_packed(83, pieces[i], false);
		expect_packed(81, pieces[i], true);
		expect_packed(83, pieces[i], true);
	}
}

/* Numbers that do not pack, so that they fill more than one record can say. */
static void pack_noise(struct builder *builder, unsigned records)
{
	uint64_t state = 88172645463325252u, words[64];

	builder_pack(builder);
	for (unsigned i = 0; i < records; i++) {
		for (int word = 0; word < 64; word++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			words[word] = state;
		}
		builder_words(builder, 15, 0, words, 64);
	}
}

/*
 * perf 6.16: the size of a large record overflows its field, and pieces of 65519 bytes are
 * glued together, each but the first with a header of its own whose data size is not set.
 */
static void add_overflowed(struct builder *builder, const struct text *packed)
{
	size_t first = packed->size < 65519 ? packed->size : 65519, done = first, begin;
	uint64_t padded;

	builder_begin(builder, 83, 0);
	begin = builder->record;
	builder_u64(builder, &builder->data, 0);
	text_add_bytes(&builder->data, packed->bytes, first);
	while (done < packed->size) {
		size_t size = packed->size - done < 65519 ? packed->size - done : 65519;

		builder_begin(builder, 83, 0);
		builder_u64(builder, &builder->data, 0xbadbadbadbad);
		text_add_bytes(&builder->data, packed->bytes + done, size);
		builder->data.bytes[builder->record + 6] = (char)((size + 16) & 0xff);
		builder->data.bytes[builder->record + 7] = (char)((size + 16) >> 8);
		done += size;
	}
	padded = (builder->data.size - begin + 7) & ~UINT64_C(7);
	for (int i = 0; i < 8; i++)
		builder->data.bytes[begin + 8 + i] =
			(char)((builder->data.size - begin - 16) >> 8 * i);
	/* what did not overflow is padded */
	while (padded <= UINT16_MAX && (builder->data.size - begin) % 8)
		text_add_char(&builder->data, '\0');
	builder->data.bytes[begin + 6] = (char)(padded & 0xff);
	builder->data.bytes[begin + 7] = (char)(padded >> 8);
}

static void overflowed_sizes_of_compressed2_are_understood(void **state)
{
	static const unsigned amounts[] = {100, 127, 128, 129, 260, 500};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(amounts); i++) {
		CLEANUP(builder_release) struct builder builder = {0};
		CLEANUP(text_release) struct text packed = TEXT_INIT;
		struct records records;
		struct perf_record record;
		unsigned nr = 0;

		pack_noise(&builder, amounts[i]);
		builder_packed(&builder, 81, 60000);
		text_add_bytes(&packed, builder.packed.bytes, builder.packed.size);
		builder.data.size = 0;
		add_overflowed(&builder, &packed);
		builder_round(&builder);
		records = open_region(&builder, false);
		while (records_next(&records, &record))
			nr += record.type == 15;
		assert_int_equal(nr, amounts[i]);
		expect_undamaged(&records);
		records_release(&records);
	}
}

static void unpacked_record_that_is_cut_is_told(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	(void)state;
	builder_pack(&builder);
	add_numbered(&builder, 1);
	add_numbered(&builder, 2);
	builder.data.size -= 5;
	builder_packed(&builder, 81, 65000);
	records = open_region(&builder, true);
	expect_types(&records, "81 15");
	assert_int_equal(records.damage.undelivered, 27);
	assert_int_equal(records.damage.undelivered_offset, OFFSET);
	assert_int_equal(records.damage.places, 0);
	records_release(&records);
}

static void records_behind_a_damaged_size_are_found_in_the_last_packed_one(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	(void)state;
	builder_pack(&builder);
	for (uint64_t i = 0; i < 8; i++)
		add_numbered(&builder, i);
	builder.data.bytes[2 * 32 + 7] = '\x7f';
	builder_packed(&builder, 81, 65000);
	records = open_region(&builder, true);
	expect_types(&records, "81 15 15 15 15 15 15 15");
	assert_int_equal(records.damage.places, 1);
	assert_int_equal(records.damage.skipped_bytes, 32);
	assert_int_equal(records.damage.undelivered, 0);
	records_release(&records);
}

static void block_that_does_not_unpack_is_told_and_others_come(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;
	size_t bad;

	(void)state;
	builder_pack(&builder);
	add_numbered(&builder, 1);
	builder_packed(&builder, 81, 65000);
	bad = builder.data.size;
	builder_words(&builder, 81, 0, (const uint64_t[]){0x1122334455667788, 9}, 2);
	builder_round(&builder);
	add_numbered(&builder, 2);
	records = open_region(&builder, true);
	expect_types(&records, "81 15 81 68 15");
	assert_int_equal(records.damage.bad_blocks, 1);
	assert_int_equal(records.damage.bad_offset, OFFSET + bad);
	records_release(&records);
}

static void chunk_lives_while_somebody_holds_it(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;
	struct perf_record record, held = {0};

	(void)state;
	for (uint64_t i = 1; i < 4; i++) {
		builder_pack(&builder);
		add_numbered(&builder, i);
		builder_packed(&builder, 81, 5);
	}
	records = open_region(&builder, true);
	while (records_next(&records, &record))
		if (record.type == 15 && !held.chunk) {
			held = record;
			records_hold(held.chunk);
		}
	records_release(&records);
	assert_int_equal(word_of(&held), 1);
	records_drop(held.chunk);
}

/* 1 MB that would unpack to many GB is no recording. */
static void bomb_is_stopped(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;
	struct perf_record record;
	CLEANUP(text_release) struct text packed = TEXT_INIT;
	char *zeros = mem_zalloc(1 << 20, 1);
	uint64_t unpacked = 0;

	(void)state;
	packing_zstd(&packed, zeros, 1 << 20);
	free(zeros);
	for (int i = 0; i < 600; i++) { /* a frame each */
		builder_begin(&builder, 81, 0);
		text_add_bytes(&builder.data, packed.bytes, packed.size);
		builder_end(&builder);
	}
	records = open_region(&builder, true);
	while (records_next(&records, &record))
		unpacked += record.type != 81;
	assert_true(records.damage.bad_blocks > 0);
	assert_true(records.unpacked_bytes < (UINT64_C(512) << 20));
	assert_int_equal(unpacked, 0);
	records_release(&records);
}

/* Rounds pack to nearly nothing; 100 KB of them are 13 million. */
static void bomb_of_small_records_is_stopped(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text packed = TEXT_INIT;
	struct records records;
	struct perf_record record;
	uint64_t nr = 0;

	(void)state;
	for (int i = 0; i < 1 << 16; i++)
		builder_round(&builder);
	packing_zstd(&packed, builder.data.bytes, builder.data.size);
	builder.data.size = 0;
	for (int i = 0; i < 200; i++) {
		builder_begin(&builder, 81, 0);
		text_add_bytes(&builder.data, packed.bytes, packed.size);
		builder_end(&builder);
	}
	records = open_region(&builder, true);
	while (records_next(&records, &record))
		nr += record.type == 68;
	assert_true(nr >= 1 << 20);
	assert_true(nr < 2 << 20);
	assert_true(records.damage.bad_blocks > 0);
	records_release(&records);
}

/* ---- breaks */

static void expect_resync(bool is_unaligned, size_t garbage)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	builder_round(&builder);
	/* a size of 0, then bytes that are no header */
	builder_words(&builder, 9, 0, NULL, 0);
	builder.data.bytes[builder.record + 6] = 0;
	add_payload(&builder, garbage);
	for (uint64_t i = 0; i < 6; i++)
		add_numbered(&builder, i);
	records = open_region(&builder, is_unaligned);
	expect_types(&records, "68 15 15 15 15 15 15");
	assert_int_equal(records.damage.places, 1);
	assert_int_equal(records.damage.first_offset, OFFSET + 8);
	assert_int_equal(records.damage.skipped_bytes, 8 + garbage);
	assert_int_equal(records.damage.lost_bytes, 0);
	records_release(&records);
}

static void next_record_is_found_again_behind_a_break(void **state)
{
	(void)state;
	expect_resync(false, 0);
	expect_resync(false, 8);
	expect_resync(false, 80000);
	for (size_t garbage = 0; garbage < 17; garbage++)
		expect_resync(true, garbage);
}

/* Packed records are of any length, in files too, so that what follows stands anywhere. */
static void packed_records_are_found_again_behind_a_break(void **state)
{
	(void)state;
	for (size_t piece = 24; piece < 32; piece++) {
		CLEANUP(builder_release) struct builder builder = {0};
		struct records records;
		struct perf_record record;
		unsigned nr = 0;

		for (int i = 0; i < 6; i++) {
			builder_pack(&builder);
			add_numbered(&builder, 1);
			builder_packed(&builder, 81, piece);
			builder_round(&builder);
		}
		/* the first is damaged: nothing told yet that there are packed ones */
		builder.data.bytes[6] = 0;
		records = open_region(&builder, false);
		while (records_next(&records, &record))
			nr += record.type == 68;
		assert_int_equal(nr, 6);
		assert_int_equal(records.damage.places, 1);
		records_release(&records);
	}
}

static void nothing_is_found_where_nothing_is(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct records records;

	(void)state;
	builder_round(&builder);
	for (int i = 0; i < 4000; i++)
		text_add_char(&builder.data, '\0');
	records = open_region(&builder, true);
	expect_types(&records, "68");
	assert_int_equal(records.damage.lost_bytes, 4000);
	assert_int_equal(records.damage.skipped_bytes, 0);
	records_release(&records);
}

static void last_record_may_be_cut_anywhere(void **state)
{
	(void)state;
	for (size_t left = 1; left < 32; left++) {
		CLEANUP(builder_release) struct builder builder = {0};
		struct records records;

		add_numbered(&builder, 1);
		add_numbered(&builder, 2);
		builder.data.size = 32 + left;
		records = open_region(&builder, false);
		expect_types(&records, "15");
		assert_int_equal(records.damage.lost_bytes, left);
		records_release(&records);
	}
}

static void region_of_nothing_has_no_records(void **state)
{
	const struct builder builder = {0};
	struct records records = open_region(&builder, false);

	(void)state;
	expect_types(&records, "");
	expect_undamaged(&records);
	records_release(&records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_with_their_place_and_misc),
		cmocka_unit_test(unknown_types_are_passed_over_by_their_size),
		cmocka_unit_test(simpleperfs_records_have_sizes_of_32_bits),
		cmocka_unit_test(auxtrace_data_is_passed_over_and_counted),
		cmocka_unit_test(tracing_data_stands_behind_old_and_new_records),
		cmocka_unit_test(payload_that_is_cut_is_a_break),
		cmocka_unit_test(packed_records_straddle_pieces_of_any_size),
		cmocka_unit_test(overflowed_sizes_of_compressed2_are_understood),
		cmocka_unit_test(unpacked_record_that_is_cut_is_told),
		cmocka_unit_test(records_behind_a_damaged_size_are_found_in_the_last_packed_one),
		cmocka_unit_test(block_that_does_not_unpack_is_told_and_others_come),
		cmocka_unit_test(chunk_lives_while_somebody_holds_it),
		cmocka_unit_test(bomb_is_stopped),
		cmocka_unit_test(bomb_of_small_records_is_stopped),
		cmocka_unit_test(next_record_is_found_again_behind_a_break),
		cmocka_unit_test(packed_records_are_found_again_behind_a_break),
		cmocka_unit_test(nothing_is_found_where_nothing_is),
		cmocka_unit_test(last_record_may_be_cut_anywhere),
		cmocka_unit_test(region_of_nothing_has_no_records),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
