/* test_simpleperf.c - records of simpleperf's own, whole and in pieces */
#include "tests/test.h"

#include "importers/perf_data/simpleperf.h"

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	KERNEL_MODE = 1,
	KERNEL_SYMBOL = 32769,
	SPLIT = 32772,
	SPLIT_END = 32773,
	EVENT_ID = 32774,
	UNKNOWN = 32779,
};

#define TYPE	   (1 << 0 | 1 << 1 | 1 << 2) /* IP TID TIME */
#define ID_ALL	   (1 << 18)
#define IDENTIFIER (1 << 16)
#define KERNEL	   UINT64_C(0xffffffff81000000)

static const char kallsyms[] = "ffffffff81000000 T first\nffffffff81000100 T next\n"
			       "ffffffff81000200 T last\n";

static void sample(struct builder *builder, unsigned attr, uint64_t time, uint64_t ip)
{
	builder_sample(builder, attr,
		       &(struct builder_sample){.misc = KERNEL_MODE,
						.identifier = 40 + attr,
						.ip = ip,
						.pid = 7,
						.tid = 7,
						.time = time});
}

static void begin(struct builder *builder)
{
	builder_attr(builder,
		     (struct builder_attr){
			     .type = 1, .period = 1, .sample_type = TYPE, .flags = ID_ALL});
	builder_comm(builder, 0, 7, 7, "a", 0);
}

/* The whole record with its header. */
static void put_symbols(const struct builder *builder, struct text *to)
{
	uint32_t size = 8 + 4 + sizeof(kallsyms) - 1;

	builder_u32(builder, to, KERNEL_SYMBOL);
	builder_u16(builder, to, (uint16_t)(size >> 16));
	builder_u16(builder, to, (uint16_t)size);
	builder_u32(builder, to, sizeof(kallsyms) - 1);
	text_add_bytes(to, kallsyms, sizeof(kallsyms) - 1);
}

static const char named[] = "10 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffff81000110(next)\n";

static void kernel_symbols_name_the_kernel(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	put_symbols(&builder, &builder.data);
	sample(&builder, 0, 10, KERNEL + 0x110);
	heard_expect(&builder, named);
	heard_expect_notes(&builder, "");
}

static void pieces_make_a_record(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text whole = TEXT_INIT;

	(void)state;
	begin(&builder);
	put_symbols(&builder, &whole);
	for (size_t at = 0; at < whole.size; at += 24) {
		size_t left = whole.size - at;

		builder_begin(&builder, SPLIT, 0);
		text_add_bytes(&builder.data, whole.bytes + at, left < 24 ? left : 24);
		builder_end(&builder);
	}
	builder_words(&builder, SPLIT_END, 0, NULL, 0);
	sample(&builder, 0, 10, KERNEL + 0x110);
	heard_expect(&builder, named);
	heard_expect_notes(&builder, "");
}

static void pieces_that_lack_one_are_noted(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text whole = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	begin(&builder);
	put_symbols(&builder, &whole);
	builder_begin(&builder, SPLIT, 0);
	text_add_bytes(&builder.data, whole.bytes, 24);
	builder_end(&builder);
	builder_words(&builder, SPLIT_END, 0, NULL, 0);
	sample(&builder, 0, 10, KERNEL + 0x110);
	heard_built(&heard, &builder);
	assert_string_equal(text_string(&heard.lines),
			    "10 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffff81000110\n");
	assert_int_equal(heard.capture.notes.list[NOTE_BAD_SPLIT].count, 1);
}

static void ids_of_events_come_in_a_record(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const uint64_t words[] = {2, 0, 40, 1, 41};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		builder_attr(&builder, (struct builder_attr){.type = 0,
							     .config = i,
							     .period = 1,
							     .sample_type = TYPE | IDENTIFIER,
							     .flags = ID_ALL});
	builder_words(&builder, EVENT_ID, 0, words, 5);
	sample(&builder, 0, 10, KERNEL);
	sample(&builder, 1, 20, KERNEL);
	heard_expect(&builder, "10 :7 7/7 cycles 1 [kernel.kallsyms]+ffffffff81000000\n"
			       "20 :7 7/7 instructions 1 [kernel.kallsyms]+ffffffff81000000\n");
}

static void what_is_not_known_is_passed_over(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	builder_words(&builder, UNKNOWN, 0, (const uint64_t[]){1, 2}, 2);
	sample(&builder, 0, 10, KERNEL);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffff81000000\n");
}

/* Its callers are calls, as perf's are return addresses. */
static void callers_are_calls(void **state)
{
	const uint64_t chain[] = {(uint64_t)-128, KERNEL, KERNEL + 5};

	(void)state;
	for (int is_simpleperf = 0; is_simpleperf < 2; is_simpleperf++) {
		CLEANUP(builder_release) struct builder builder = {0};
		CLEANUP(text_release) struct text info = TEXT_INIT;
		CLEANUP(heard_release) struct heard heard;
		const struct location *caller;

		builder_attr(&builder, (struct builder_attr){.type = 1,
							     .period = 1,
							     .sample_type = TYPE | 1 << 5,
							     .flags = ID_ALL});
		text_add_bytes(&info, "clockid\0perf", 13);
		builder_feature(&builder, 3, &info);
		if (is_simpleperf)
			builder_feature(&builder, 129, &info);
		builder_sample(&builder, 0,
			       &(struct builder_sample){.misc = KERNEL_MODE,
							.ip = KERNEL,
							.pid = 7,
							.tid = 7,
							.time = 10,
							.chain = chain,
							.chain_nr = 3});
		heard_built(&heard, &builder);
		caller = locations_get(
			&heard.capture.locations,
			stacks_ids(&heard.capture.stacks, heard.listener.list[0].callers)[0]);
		assert_true(caller->address == KERNEL + 5);
		assert_int_equal(!(caller->flags & LOCATION_RETURN), is_simpleperf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_symbols_name_the_kernel),
		cmocka_unit_test(pieces_make_a_record),
		cmocka_unit_test(pieces_that_lack_one_are_noted),
		cmocka_unit_test(ids_of_events_come_in_a_record),
		cmocka_unit_test(callers_are_calls),
		cmocka_unit_test(what_is_not_known_is_passed_over),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
