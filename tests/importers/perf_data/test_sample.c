/* test_sample.c - samples field by field, alone and together, and sizes that lie */
#include "tests/test.h"

#include "importers/perf_data/sample.h"

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/attr.h"
#include "tests/support/perf_data_builder.h"

#define FIELDS 25

static const uint64_t chain[] = {(uint64_t)-128, 0xffffffff81000010, (uint64_t)-512, 0x401000};
static const uint64_t branches[] = {0x10, 0x20, 1, 0x30, 0x40, 2};
static const uint64_t regs[] = {101, 102, 103};
static const uint64_t intr[] = {201, 202};
static const uint64_t read_alone[] = {77};

static const struct builder_sample full = {
	.identifier = 31,
	.ip = 0x401000,
	.pid = 41,
	.tid = 42,
	.time = 1000000007,
	.addr = 0xdddd,
	.id = 32,
	.stream_id = 33,
	.cpu = 3,
	.period = 250000,
	.read = read_alone,
	.read_nr = 1,
	.chain = chain,
	.chain_nr = 4,
	.raw = "raw bytes",
	.raw_size = 9,
	.branches = branches,
	.branches_nr = 2,
	.regs_abi = 2,
	.regs = regs,
	.regs_nr = 3,
	.stack = "0123456789abcdef",
	.stack_size = 16,
	.stack_valid = 10,
	.weight = 51,
	.data_src = 52,
	.transaction = 53,
	.intr_abi = 1,
	.intr = intr,
	.intr_nr = 2,
	.phys_addr = 54,
	.cgroup = 55,
	.data_page = 4096,
	.code_page = 8192,
	.aux = "aux aux ",
	.aux_size = 8,
};

/* The last record of the builder, behind its header. */
static struct bytes body_of(const struct builder *builder)
{
	const unsigned char *at = (const unsigned char *)builder->data.bytes;

	return (struct bytes){at + builder->record + 8, at + builder->data.size, builder->is_big};
}

static struct perf_attr read_back(const struct builder_attr *attr)
{
	return (struct perf_attr){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.sample_regs_user = attr->regs_user,
		.sample_regs_intr = attr->regs_intr,
		.flags = attr->flags,
	};
}

static bool read_sample(struct builder *builder, const struct builder_attr *attr,
			const struct builder_sample *sample, struct perf_sample *ret)
{
	const struct perf_attr known = read_back(attr);

	builder->attrs_nr = 0;
	builder_attr(builder, *attr);
	builder_sample(builder, 0, sample);
	return perf_sample_read(body_of(builder), &known, ret);
}

static bool has(uint64_t type, unsigned bit)
{
	return type >> bit & 1;
}

static void expect_bytes(const struct bytes *bytes, const char *expected, size_t size)
{
	assert_int_equal(bytes_left(bytes), size);
	if (size)
		assert_memory_equal(bytes->at, expected, size);
}

static void expect_words(const struct bytes *bytes, const uint64_t *expected, size_t nr)
{
	assert_int_equal(bytes_left(bytes), 8 * nr);
	for (size_t i = 0; i < nr; i++)
		assert_true(perf_sample_word(bytes, i) == expected[i]);
}

static void expect_head(const struct perf_sample *sample, uint64_t type)
{
	assert_int_equal(sample->has_ip, has(type, PERF_BIT_IP));
	assert_int_equal(sample->has_tid, has(type, PERF_BIT_TID));
	assert_int_equal(sample->has_time, has(type, PERF_BIT_TIME));
	assert_int_equal(sample->has_addr, has(type, PERF_BIT_ADDR));
	assert_int_equal(sample->has_cpu, has(type, PERF_BIT_CPU));
	assert_int_equal(sample->has_period, has(type, PERF_BIT_PERIOD));
	assert_int_equal(sample->ip, has(type, PERF_BIT_IP) ? full.ip : 0);
	assert_int_equal(sample->pid, has(type, PERF_BIT_TID) ? full.pid : 0);
	assert_int_equal(sample->tid, has(type, PERF_BIT_TID) ? full.tid : 0);
	assert_int_equal(sample->time, has(type, PERF_BIT_TIME) ? full.time : 0);
	assert_int_equal(sample->addr, has(type, PERF_BIT_ADDR) ? full.addr : 0);
	assert_int_equal(sample->cpu, has(type, PERF_BIT_CPU) ? full.cpu : 0);
	assert_int_equal(sample->period, has(type, PERF_BIT_PERIOD) ? full.period : 0);
	assert_int_equal(sample->id, has(type, PERF_BIT_ID)	      ? full.id
				     : has(type, PERF_BIT_IDENTIFIER) ? full.identifier
								      : 0);
}

static void expect_tail(const struct perf_sample *sample, uint64_t type)
{
	bool has_weight = has(type, PERF_BIT_WEIGHT) || has(type, PERF_BIT_WEIGHT_STRUCT);

	assert_int_equal(sample->has_chain, has(type, PERF_BIT_CALLCHAIN));
	expect_words(&sample->chain, chain, has(type, PERF_BIT_CALLCHAIN) ? 4 : 0);
	/* 9 bytes and what fills them up to 12, so that with their size they are 16 */
	expect_bytes(&sample->raw, "raw bytes\0\0", has(type, PERF_BIT_RAW) ? 12 : 0);
	expect_words(&sample->branches, branches, has(type, PERF_BIT_BRANCH_STACK) ? 6 : 0);
	expect_words(&sample->regs, regs, has(type, PERF_BIT_REGS_USER) ? 3 : 0);
	assert_int_equal(sample->regs_abi, has(type, PERF_BIT_REGS_USER) ? 2 : 0);
	assert_int_equal(sample->has_stack_user, has(type, PERF_BIT_STACK_USER));
	expect_bytes(&sample->stack, "0123456789", has(type, PERF_BIT_STACK_USER) ? 10 : 0);
	assert_int_equal(sample->weight, has_weight ? full.weight : 0);
	assert_int_equal(sample->data_src, has(type, PERF_BIT_DATA_SRC) ? full.data_src : 0);
	assert_int_equal(sample->phys_addr, has(type, PERF_BIT_PHYS_ADDR) ? full.phys_addr : 0);
	assert_int_equal(sample->cgroup, has(type, PERF_BIT_CGROUP) ? full.cgroup : 0);
	assert_false(sample->has_leftover);
}

/* sample: what another one was read to, or zeroed */
static void expect_type_in(struct perf_sample *sample, uint64_t type, bool is_big)
{
	CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
	const struct builder_attr attr = {
		.sample_type = type, .regs_user = 0x106, .regs_intr = 0x11};

	if (!read_sample(&builder, &attr, &full, sample))
		fail_msg("sample type 0x%llx", (unsigned long long)type);
	expect_head(sample, type);
	expect_tail(sample, type);
}

static void expect_type(uint64_t type, bool is_big)
{
	struct perf_sample sample = {0};

	expect_type_in(&sample, type, is_big);
}

static void each_field_alone_is_read(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < FIELDS; bit++)
		for (int is_big = 0; is_big < 2; is_big++)
			expect_type(UINT64_C(1) << bit, is_big);
}

static void all_fields_together_are_read(void **state)
{
	(void)state;
	expect_type((UINT64_C(1) << FIELDS) - 1, false);
	expect_type((UINT64_C(1) << FIELDS) - 1, true);
}

static void any_two_fields_are_read(void **state)
{
	(void)state;
	for (unsigned a = 0; a < FIELDS; a++)
		for (unsigned b = 0; b < a; b++)
			expect_type(UINT64_C(1) << a | UINT64_C(1) << b, false);
}

static void sample_keeps_nothing_of_the_one_before(void **state)
{
	struct perf_sample sample = {0};

	(void)state;
	for (unsigned a = 0; a < FIELDS; a++) {
		expect_type_in(&sample, (UINT64_C(1) << FIELDS) - 1, false);
		expect_type_in(&sample, UINT64_C(1) << a, false);
		for (unsigned b = 0; b < FIELDS; b++)
			expect_type_in(&sample, UINT64_C(1) << b, false);
	}
}

/* The field behind the block tells whether it was passed over to the byte. */
static void expect_read_format(uint64_t format, const uint64_t *words, unsigned nr)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr attr = {
		.sample_type = 1 << PERF_BIT_READ | 1 << PERF_BIT_CALLCHAIN, .read_format = format};
	struct builder_sample built = full;
	struct perf_sample sample = {0};

	built.read = words;
	built.read_nr = nr;
	assert_true(read_sample(&builder, &attr, &built, &sample));
	expect_words(&sample.chain, chain, 4);
	assert_int_equal(perf_sample_word(&sample.read, 0), words[0]);
	assert_false(sample.has_leftover);
}

static void counters_of_every_read_format_are_passed_over(void **state)
{
	static const uint64_t words[] = {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

	(void)state;
	for (uint64_t format = 0; format < 32; format++) {
		unsigned times = (format & 1) + (format >> 1 & 1);
		unsigned each = 1 + (format >> 2 & 1) + (format >> 4 & 1);

		expect_read_format(format, words,
				   format & PERF_READ_GROUP ? 1 + times + 2 * each : times + each);
	}
}

static void group_of_no_counters_is_passed_over(void **state)
{
	(void)state;
	expect_read_format(PERF_READ_GROUP | PERF_READ_ID, (const uint64_t[]){0}, 1);
}

static void expect_branches(const struct builder_attr *attr, const struct builder_sample *built,
			    size_t expected)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct perf_sample sample = {0};

	assert_true(read_sample(&builder, attr, built, &sample));
	expect_words(&sample.branches, branches, expected);
	assert_false(sample.has_leftover);
	if (has(attr->sample_type, PERF_BIT_WEIGHT))
		assert_int_equal(sample.weight, full.weight);
}

static void branch_index_and_counters_stand_around_the_branches(void **state)
{
	struct builder_attr attr = {.sample_type = 1 << PERF_BIT_BRANCH_STACK};

	(void)state;
	for (int behind = 0; behind < 2; behind++) {
		attr.sample_type = 1 << PERF_BIT_BRANCH_STACK | behind << PERF_BIT_WEIGHT;
		attr.branch_sample_type = 1 << PERF_BRANCH_HW_INDEX;
		expect_branches(&attr, &full, 6);
		attr.branch_sample_type = 1 << PERF_BRANCH_COUNTERS;
		expect_branches(&attr, &full, 6);
		attr.branch_sample_type = 1 << PERF_BRANCH_COUNTERS | 1 << PERF_BRANCH_HW_INDEX;
		expect_branches(&attr, &full, 6);
	}
}

static void no_branches_come_with_and_without_their_index(void **state)
{
	struct builder_attr attr = {.branch_sample_type = 1 << PERF_BRANCH_HW_INDEX};
	struct builder_sample none = full;

	(void)state;
	none.branches_nr = 0;
	for (int behind = 0; behind < 2; behind++) {
		attr.sample_type = 1 << PERF_BIT_BRANCH_STACK | behind << PERF_BIT_WEIGHT;
		none.lacks_branch_index = false;
		expect_branches(&attr, &none, 0);
		none.lacks_branch_index = true;
		expect_branches(&attr, &none, 0);
	}
}

static void stack_of_size_0_has_no_word_for_what_is_valid(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr attr = {.sample_type =
						  1 << PERF_BIT_STACK_USER | 1 << PERF_BIT_WEIGHT};
	struct builder_sample built = full;
	struct perf_sample sample = {0};

	(void)state;
	built.stack_size = 0;
	assert_true(read_sample(&builder, &attr, &built, &sample));
	assert_true(sample.has_stack_user);
	assert_int_equal(bytes_left(&sample.stack), 0);
	assert_int_equal(sample.weight, full.weight);
}

static void stack_is_never_valid_beyond_its_size(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr attr = {.sample_type = 1 << PERF_BIT_STACK_USER};
	struct builder_sample built = full;
	struct perf_sample sample = {0};

	(void)state;
	built.stack_valid = UINT64_MAX;
	assert_true(read_sample(&builder, &attr, &built, &sample));
	assert_int_equal(bytes_left(&sample.stack), 16);
}

static void registers_of_a_kernel_thread_are_none(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr attr = {
		.sample_type = 1 << PERF_BIT_REGS_USER | 1 << PERF_BIT_WEIGHT, .regs_user = 0x106};
	struct builder_sample built = full;
	struct perf_sample sample = {0};

	(void)state;
	built.regs_abi = 0;
	assert_true(read_sample(&builder, &attr, &built, &sample));
	assert_int_equal(bytes_left(&sample.regs), 0);
	assert_int_equal(sample.weight, full.weight);
}

/* A count or size of the file, alone in a sample, that is more than there is. */
static void expect_refused(unsigned bit, uint64_t format, uint64_t number)
{
	unsigned char bytes[64] = {0};
	const struct perf_attr attr = {.sample_type = UINT64_C(1) << bit,
				       .read_format = format,
				       .sample_regs_user = UINT64_MAX};
	struct perf_sample sample = {0};

	memcpy(bytes, &number, 8);
	if (perf_sample_read((struct bytes){bytes, bytes + sizeof(bytes), false}, &attr, &sample))
		fail_msg("bit %u, number 0x%llx", bit, (unsigned long long)number);
}

static void counts_and_sizes_that_lie_are_refused(void **state)
{
	static const uint64_t numbers[] = {57,
					   1 << 16,
					   1u << 31,
					   UINT32_MAX,
					   UINT64_MAX / 8 + 1,
					   UINT64_MAX / 24 + 1,
					   INT64_MAX,
					   UINT64_MAX - 7,
					   UINT64_MAX};
	static const unsigned bits[] = {PERF_BIT_CALLCHAIN, PERF_BIT_BRANCH_STACK,
					PERF_BIT_STACK_USER, PERF_BIT_AUX, PERF_BIT_REGS_USER};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(numbers); i++) {
		for (size_t bit = 0; bit < ARRAY_NR(bits); bit++)
			expect_refused(bits[bit], 0, numbers[i]);
		expect_refused(PERF_BIT_READ, PERF_READ_GROUP, numbers[i]);
		expect_refused(PERF_BIT_READ, PERF_READ_GROUP | PERF_READ_LOST, numbers[i]);
	}
	expect_refused(PERF_BIT_RAW, 0, 61);
	expect_refused(PERF_BIT_RAW, 0, UINT32_MAX);
}

static void sample_cut_at_any_byte_is_refused(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr built = {
		.sample_type = (1 << FIELDS) - 1, .regs_user = 0x106, .regs_intr = 0x11};
	const struct perf_attr attr = read_back(&built);
	struct perf_sample sample = {0};
	struct bytes body;

	(void)state;
	builder_attr(&builder, built);
	builder_sample(&builder, 0, &full);
	body = body_of(&builder);
	for (size_t size = 0; size < bytes_left(&body); size++) {
		/* of its own, so that a sanitizer sees a byte too many */
		unsigned char *copy = (unsigned char *)mem_memdup(body.at, size ? size : 1);

		if (perf_sample_read((struct bytes){copy, copy + size, false}, &attr, &sample))
			fail_msg("%zu bytes", size);
		free(copy);
	}
}

static void bytes_behind_the_last_field_are_told(void **state)
{
	static const unsigned char bytes[24];
	const struct perf_attr attr = {.sample_type = 1 << PERF_BIT_IP};
	struct perf_sample sample = {0};

	(void)state;
	assert_true(perf_sample_read((struct bytes){bytes, bytes + 24, false}, &attr, &sample));
	assert_true(sample.has_leftover);
}

static void trailer_is_read_from_the_end(void **state)
{
	(void)state;
	for (int is_big = 0; is_big < 2; is_big++) {
		CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
		const struct builder_attr built = {
			.sample_type = (1 << FIELDS) - 1,
			.flags = 1 << 18,
			.ids = {99},
			.ids_nr = 1,
		};
		const struct perf_attr attr = read_back(&built);
		struct perf_sample trailer;

		builder_attr(&builder, built);
		builder_comm(&builder, 0, 7, 8, "a name", 123456);
		assert_true(perf_trailer_read(body_of(&builder), &attr, &trailer));
		assert_int_equal(trailer.pid, 7);
		assert_int_equal(trailer.tid, 8);
		assert_int_equal(trailer.time, 123456);
		assert_int_equal(trailer.id, 99);
		assert_true(trailer.has_time && trailer.has_cpu && trailer.has_tid);
	}
}

static void record_without_room_for_a_trailer_has_none(void **state)
{
	static const unsigned char bytes[16];
	const struct perf_attr attr = {.sample_type = 1 << PERF_BIT_TID | 1 << PERF_BIT_TIME,
				       .flags = 1 << 18};
	struct perf_sample trailer;

	(void)state;
	assert_false(perf_trailer_read((struct bytes){bytes, bytes + 15, false}, &attr, &trailer));
	assert_true(perf_trailer_read((struct bytes){bytes, bytes + 16, false}, &attr, &trailer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_alone_is_read),
		cmocka_unit_test(all_fields_together_are_read),
		cmocka_unit_test(any_two_fields_are_read),
		cmocka_unit_test(sample_keeps_nothing_of_the_one_before),
		cmocka_unit_test(counters_of_every_read_format_are_passed_over),
		cmocka_unit_test(group_of_no_counters_is_passed_over),
		cmocka_unit_test(branch_index_and_counters_stand_around_the_branches),
		cmocka_unit_test(no_branches_come_with_and_without_their_index),
		cmocka_unit_test(stack_of_size_0_has_no_word_for_what_is_valid),
		cmocka_unit_test(stack_is_never_valid_beyond_its_size),
		cmocka_unit_test(registers_of_a_kernel_thread_are_none),
		cmocka_unit_test(counts_and_sizes_that_lie_are_refused),
		cmocka_unit_test(sample_cut_at_any_byte_is_refused),
		cmocka_unit_test(bytes_behind_the_last_field_are_told),
		cmocka_unit_test(trailer_is_read_from_the_end),
		cmocka_unit_test(record_without_room_for_a_trailer_has_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
