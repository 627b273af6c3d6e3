/* test_sampling.c - what is said of a sample beside time, task and stack */
#include "tests/test.h"

#include "importers/perf_data/sampling.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/reader.h"
#include "importers/importer.h"
#include "importers/perf_data/perf_data.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/sink.h"
#include "tests/support/input.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	CGROUP = 19,
	EVENT_UPDATE = 78,
};

#define BIT(n)	(UINT64_C(1) << (n))
#define TYPE	(BIT(0) | BIT(1) | BIT(2)) /* IP TID TIME */
#define ID_ALL	(1 << 18)
#define DETAILS (BIT(3) | BIT(15) | BIT(17) | BIT(19) | BIT(21) | BIT(22) | BIT(23))
#define IN	UINT64_C(0xffffffff81000000)
#define USER	((uint64_t)-512)
#define PROGRAM 0x400000

/* A sink that writes down what is borrowed, as it is said. */
struct teller {
	struct sink sink;
	const struct capture *capture;
	struct text text;
};

static void tell_user(const struct sample_user *user, struct text *text)
{
	struct bytes regs = user->regs;
	uint64_t word;

	text_addf(text, " abi=%" PRIu64 " mask=%" PRIx64 " regs=", user->abi, user->mask);
	while (bytes_u64(&regs, &word))
		text_addf(text, "%" PRIx64 ",", word);
	text_addf(text, " stack=%.*s", (int)bytes_left(&user->stack), (const char *)user->stack.at);
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct teller *teller = (struct teller *)sink;

	for (int i = 0; sample->details && i < DETAIL_NR; i++)
		if (sample->details->has >> i & 1)
			text_addf(&teller->text, " %s=%" PRIx64, details_key(i),
				  sample->details->values[i]);
	if (sample->details && sample->details->cgroup_path != NAME_NONE)
		text_addf(&teller->text, " path=%s",
			  names_display(&teller->capture->names, sample->details->cgroup_path));
	if (sample->user)
		tell_user(sample->user, &teller->text);
	text_add_char(&teller->text, '\n');
	return NULL;
}

static void expect_told(const struct builder *builder, bool wants_fields, const char *expected)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {.wants_fields = wants_fields};
	struct teller teller = {.sink = {.sample = on_sample}, .capture = &capture};
	struct reader *reader;
	struct error *err;

	builder_finish(builder, &file);
	reader = input_open(file.bytes, file.size);
	err = importer_perf_data.read(reader, &capture, &teller.sink);
	reader_close(reader);
	assert_null(err);
	assert_string_equal(text_string(&teller.text), expected);
	text_release(&teller.text);
}

static void cgroup(struct builder *builder, uint64_t id, const char *path)
{
	builder_begin(builder, CGROUP, 0);
	builder_u64(builder, &builder->data, id);
	text_add_bytes(&builder->data, path, strlen(path) + 1);
	builder_trailer(builder, 0, 0, 0, 0);
	builder_end(builder);
}

static const struct builder_sample full = {
	.misc = USER_MODE,
	.ip = 1,
	.time = 10,
	.pid = 7,
	.tid = 7,
	.addr = 0xadd,
	.weight = UINT64_C(0x0003000200000001),
	.data_src = 0xda,
	.transaction = 0x7a,
	.phys_addr = 0x9a,
	.cgroup = 5,
	.data_page = 0x1000,
	.code_page = 0x200000,
};

#define TOLD                                                                            \
	" data_address=add data_source=da transaction=7a physical_address=9a cgroup=5 " \
	"data_page_size_bytes=1000 code_page_size_bytes=200000 path=/app\n"

static void attr(struct builder *builder, uint64_t type)
{
	builder_attr(builder, (struct builder_attr){
				      .period = 1, .sample_type = TYPE | type, .flags = ID_ALL});
}

static void details_are_told_where_they_are_wanted(void **state)
{
	(void)state;
	for (int is_big = 0; is_big < 2; is_big++) {
		CLEANUP(builder_release) struct builder builder = {.is_big = is_big};

		attr(&builder, DETAILS);
		cgroup(&builder, 5, "/app");
		builder_sample(&builder, 0, &full);
		expect_told(&builder, true, TOLD);
		expect_told(&builder, false, "\n");
	}
}

static void weights_are_one_or_three(void **state)
{
	CLEANUP(builder_release) struct builder one = {0}, three = {.is_big = true};

	(void)state;
	attr(&one, BIT(14));
	builder_sample(&one, 0, &full);
	expect_told(&one, true, " weight=3000200000001\n");
	attr(&three, BIT(24));
	builder_sample(&three, 0, &full);
	expect_told(&three, true, " weight=1 weight_2=2 weight_3=3\n");
}

static void registers_and_stack_are_handed_on(void **state)
{
	const uint64_t regs[] = {0x51, 0x52, 0x53};

	(void)state;
	for (int is_big = 0; is_big < 2; is_big++) {
		CLEANUP(builder_release) struct builder builder = {.is_big = is_big};
		struct builder_sample sample = {
			.misc = USER_MODE, .ip = 1, .pid = 7, .tid = 7, .time = 10};

		builder_attr(&builder,
			     (struct builder_attr){.period = 1,
						   .sample_type = TYPE | BIT(12) | BIT(13),
						   .flags = ID_ALL,
						   .regs_user = 0x181});
		builder_sample(&builder, 0, &sample); /* a kernel thread has none */
		sample.regs_abi = 2;
		sample.regs = regs;
		sample.regs_nr = 3;
		builder_sample(&builder, 0, &sample);
		sample.stack = "stackxxx";
		sample.stack_size = 8;
		sample.stack_valid = 5;
		builder_sample(&builder, 0, &sample);
		expect_told(&builder, false,
			    "\n abi=2 mask=181 regs=51,52,53, stack=\n"
			    " abi=2 mask=181 regs=51,52,53, stack=stack\n");
	}
}

/* A bit of the type that this version does not know has a field at the end. */
static void bytes_behind_the_last_field_are_noted(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;
	const uint64_t words[] = {1, UINT64_C(7) << 32 | 7, 10, 0xfeed};

	(void)state;
	attr(&builder, BIT(40));
	builder_words(&builder, 9, USER_MODE, words, ARRAY_NR(words));
	heard_built(&heard, &builder);
	assert_string_equal(text_string(&heard.lines), "10 :7 7/7 cycles 1 ?+1\n");
	assert_int_equal(heard.capture.notes.list[NOTE_LEFTOVER].count, 1);
}

/* ---- perf record --off-cpu */

static void offcpu_attr(struct builder *builder, uint64_t type)
{
	CLEANUP(text_release) struct text desc = TEXT_INIT;

	builder->is_pipe = true; /* names come in records of their own */
	builder_attr(builder, (struct builder_attr){.type = 1,
						    .config = 10,
						    .period = 1,
						    .sample_type = TYPE | type,
						    .flags = ID_ALL,
						    .ids = {42},
						    .ids_nr = 1});
	builder_begin(builder, EVENT_UPDATE, 0);
	builder_u64(builder, &builder->data, 2);
	builder_u64(builder, &builder->data, 42);
	text_add_bytes(&builder->data, "offcpu-time", 12);
	builder_end(builder);
	builder_comm(builder, 0, 7, 8, "waiter", 0);
	builder_mmap(builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/a", 0);
}

static void direct_samples_say_who_waited_in_their_raw_data(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text raw = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard;
	const uint64_t words[] = {5000000, 3, USER, PROGRAM + 1, PROGRAM + 2, 99};

	(void)state;
	offcpu_attr(&builder, BIT(10));
	builder_u32(&builder, &raw, 7);
	builder_u32(&builder, &raw, 8);
	for (size_t i = 0; i < ARRAY_NR(words); i++)
		builder_u64(&builder, &raw, words[i]);
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = KERNEL_MODE,
						.ip = IN,
						.time = 10,
						.pid = 1,
						.tid = 1,
						.raw = raw.bytes,
						.raw_size = (unsigned)raw.size});
	heard_built(&heard, &builder);
	assert_string_equal(text_string(&heard.lines),
			    "10 waiter 7/8 offcpu-time 5000000 /a+1 /a+2\n");
	assert_int_equal(heard.capture.events.list[0].unit, UNIT_NS);
}

static void samples_at_the_end_have_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const uint64_t chain[] = {USER, PROGRAM + 1, PROGRAM + 2};

	(void)state;
	offcpu_attr(&builder, BIT(5) | BIT(8));
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = USER_MODE,
						.ip = PROGRAM + 1,
						.time = UINT64_C(0xffffffff00000000),
						.pid = 7,
						.tid = 8,
						.period = 77,
						.chain = chain,
						.chain_nr = 3});
	heard_expect(&builder, "- waiter 7/8 offcpu-time 77 /a+1 /a+2\n");
}

static void raw_data_that_is_too_short_changes_nothing(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text raw = TEXT_INIT;

	(void)state;
	offcpu_attr(&builder, BIT(10));
	builder_u64(&builder, &raw, 7);
	builder_u64(&builder, &raw, 5000000);
	builder_u64(&builder, &raw, UINT64_MAX / 8 + 2); /* frames */
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = USER_MODE,
						.ip = PROGRAM,
						.time = 10,
						.pid = 7,
						.tid = 8,
						.raw = raw.bytes,
						.raw_size = (unsigned)raw.size});
	heard_expect(&builder, "10 waiter 7/8 offcpu-time 1 /a+0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(details_are_told_where_they_are_wanted),
		cmocka_unit_test(weights_are_one_or_three),
		cmocka_unit_test(registers_and_stack_are_handed_on),
		cmocka_unit_test(bytes_behind_the_last_field_are_noted),
		cmocka_unit_test(direct_samples_say_who_waited_in_their_raw_data),
		cmocka_unit_test(samples_at_the_end_have_no_time),
		cmocka_unit_test(raw_data_that_is_too_short_changes_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
