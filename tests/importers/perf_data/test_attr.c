/* test_attr.c - attributes of every size and byte order */
#include "tests/test.h"

#include "importers/perf_data/attr.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/events.h"
#include "tests/support/perf_data_builder.h"

/* The one attr of a file, as its bytes stand there. */
static struct bytes attr_bytes(const struct text *file, const struct builder *builder)
{
	const unsigned char *at = (const unsigned char *)file->bytes + 104;

	return (struct bytes){at, at + builder->attrs[0].size, builder->is_big};
}

static const struct builder_attr full = {
	.type = 4,
	.config = 0x1122334455667788,
	.period = 4000,
	.sample_type = 0x1ffffff,
	.read_format = 31,
	.flags = 0x8123456789abcdef,
	.branch_sample_type = 1 << 17 | 1,
	.regs_user = 0xff0fff,
	.regs_intr = 0xf0f,
	.bp_addr = 0xabcdef0123456789,
	.bp_type = 3,
};

static void read_of_size(uint32_t size, bool is_big, struct perf_attr *ret)
{
	CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
	CLEANUP(text_release) struct text file = TEXT_INIT;
	struct builder_attr attr = full;

	attr.size = size;
	builder_attr(&builder, attr);
	builder_finish(&builder, &file);
	assert_true(perf_attr_read(attr_bytes(&file, &builder), ret));
}

static void expect_attr(const struct perf_attr *attr, uint32_t size)
{
	assert_int_equal(attr->type, full.type);
	assert_int_equal(attr->size, size);
	assert_int_equal(attr->config, full.config);
	assert_int_equal(attr->sample_period, full.period);
	assert_int_equal(attr->sample_type, full.sample_type);
	assert_int_equal(attr->read_format, full.read_format);
	assert_true(attr->flags == full.flags);
	assert_int_equal(attr->bp_type, full.bp_type);
	assert_true(attr->bp_addr == full.bp_addr);
	assert_int_equal(attr->branch_sample_type, size >= 80 ? full.branch_sample_type : 0);
	assert_int_equal(attr->sample_regs_user, size >= 96 ? full.regs_user : 0);
	assert_int_equal(attr->sample_regs_intr, size >= 104 ? full.regs_intr : 0);
	assert_int_equal(attr->event, EVENT_NONE);
	assert_null(attr->name);
}

static void attr_of_any_size_and_byte_order_is_read(void **state)
{
	static const uint32_t sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(sizes); i++)
		for (int is_big = 0; is_big < 2; is_big++) {
			struct perf_attr attr;

			read_of_size(sizes[i], is_big, &attr);
			expect_attr(&attr, sizes[i]);
		}
}

static void attr_under_64_bytes_is_refused(void **state)
{
	const unsigned char zeros[64] = {0};
	struct perf_attr attr;

	(void)state;
	assert_false(perf_attr_read((struct bytes){zeros, zeros + 63, false}, &attr));
	assert_true(perf_attr_read((struct bytes){zeros, zeros + 64, false}, &attr));
}

static void trailer_has_a_word_for_each_id_field(void **state)
{
	struct perf_attr attr = {.flags = 1 << PERF_ATTR_SAMPLE_ID_ALL};

	(void)state;
	assert_int_equal(perf_attr_trailer_size(&attr), 0);
	attr.sample_type = 0x1ffffff;
	assert_int_equal(perf_attr_trailer_size(&attr), 48);
	attr.sample_type = 1 << PERF_BIT_IP | 1 << PERF_BIT_TID | 1 << PERF_BIT_TIME;
	assert_int_equal(perf_attr_trailer_size(&attr), 16);
	attr.flags = 0;
	assert_int_equal(perf_attr_trailer_size(&attr), 0);
}

static void events_that_nothing_names_are_called_by_what_they_count(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *name;
	} cases[] = {
		{0, 0, "cycles"},
		{0, 1, "instructions"},
		{0, 0x400000009, "ref-cycles"},
		{0, 10, "hardware:0xa"},
		{1, 0, "cpu-clock"},
		{1, 9, "dummy"},
		{1, 11, "cgroup-switches"},
		{1, 12, "software:0xc"},
		{2, 63, "tp#63"},
		{3, 0, "L1-dcache-loads"},
		{3, 1 | 2 << 8, "L1-icache-prefetches"},
		{3, 2 | 1 << 8 | 1 << 16, "LLC-store-misses"},
		{3, 9, "cache:0x9"},
		{4, 0x1a8, "r1a8"},
		{12, 0x77, "pmu12:0x77"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(text_release) struct text name = TEXT_INIT;

		perf_attr_add_name(
			&(struct perf_attr){.type = cases[i].type, .config = cases[i].config},
			&name);
		assert_string_equal(text_string(&name), cases[i].name);
	}
}

static void breakpoint_is_called_by_its_address_and_what_it_waits_for(void **state)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	(void)state;
	perf_attr_add_name(&(struct perf_attr){.type = 5, .bp_addr = 0xbeef, .bp_type = 3}, &name);
	assert_string_equal(text_string(&name), "mem:0xbeef:rw");
	text_clear(&name);
	perf_attr_add_name(&(struct perf_attr){.type = 5, .bp_addr = 0xbeef, .bp_type = 4}, &name);
	assert_string_equal(text_string(&name), "mem:0xbeef:x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attr_of_any_size_and_byte_order_is_read),
		cmocka_unit_test(attr_under_64_bytes_is_refused),
		cmocka_unit_test(trailer_has_a_word_for_each_id_field),
		cmocka_unit_test(events_that_nothing_names_are_called_by_what_they_count),
		cmocka_unit_test(breakpoint_is_called_by_its_address_and_what_it_waits_for),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
