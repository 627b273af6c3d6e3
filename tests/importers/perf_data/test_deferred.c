/* test_deferred.c - user call chains that came behind their samples */
#include "tests/test.h"

#include "importers/perf_data/deferred.h"

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	KERNEL_MODE = 1,
	DEFERRED = 22,
};

#define TYPE	(1 << 0 | 1 << 1 | 1 << 2 | 1 << 5) /* IP TID TIME CALLCHAIN */
#define ID_ALL	(1 << 18)
#define KERNEL	((uint64_t)-128)
#define USER	((uint64_t)-512)
#define COOKIE	((uint64_t)-640)
#define IN	UINT64_C(0xffffffff81000000)
#define PROGRAM 0x400000

static void begin(struct builder *builder)
{
	builder_attr(builder,
		     (struct builder_attr){
			     .type = 1, .period = 1, .sample_type = TYPE, .flags = ID_ALL});
	builder_comm(builder, 0, 7, 7, "a", 0);
	builder_comm(builder, 0, 7, 8, "b", 0);
	builder_mmap(builder, 2, 7, PROGRAM, 0x1000, 0, "/a", 0);
}

static void sample(struct builder *builder, uint64_t time, uint32_t tid, uint64_t cookie)
{
	const uint64_t chain[] = {KERNEL, IN + 1, IN + 2, COOKIE, cookie};

	builder_sample(builder, 0,
		       &(struct builder_sample){.misc = KERNEL_MODE,
						.ip = IN + 1,
						.pid = 7,
						.tid = tid,
						.time = time,
						.chain = chain,
						.chain_nr = 5});
}

static void deferred(struct builder *builder, uint64_t time, uint32_t tid, uint64_t cookie,
		     uint64_t ip)
{
	const uint64_t words[] = {cookie, 3, USER, ip, PROGRAM + 0xff};

	builder_begin(builder, DEFERRED, 2);
	for (size_t i = 0; i < ARRAY_NR(words); i++)
		builder_u64(builder, &builder->data, words[i]);
	builder_trailer(builder, 0, 7, tid, time);
	builder_end(builder);
}

#define IN_KERNEL "[kernel.kallsyms]+ffffffff81000001 [kernel.kallsyms]+ffffffff81000002"

static const char joined[] = "10 a 7/7 cpu-clock 1 " IN_KERNEL " /a+1 /a+ff\n"
			     "20 b 7/8 cpu-clock 1 " IN_KERNEL " /a+2 /a+ff\n"
			     "30 a 7/7 cpu-clock 1 " IN_KERNEL " /a+1 /a+ff\n"
			     "40 a 7/7 cpu-clock 1 " IN_KERNEL " /a+3 /a+ff\n";

/* The same cookie of two threads is two; one record serves several samples. */
static void draw(struct builder *builder)
{
	sample(builder, 10, 7, 99);
	sample(builder, 20, 8, 99);
	sample(builder, 30, 7, 99);
	deferred(builder, 31, 7, 99, PROGRAM + 1);
	sample(builder, 40, 7, 100);
	deferred(builder, 41, 8, 99, PROGRAM + 2);
	deferred(builder, 42, 7, 100, PROGRAM + 3);
}

static void frames_come_to_the_samples_of_their_cookie_and_thread(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	draw(&builder);
	heard_expect(&builder, joined);
	heard_expect_notes(&builder, "");
}

static void of_a_big_endian_machine_too(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_big = true};

	(void)state;
	begin(&builder);
	draw(&builder);
	heard_expect(&builder, joined);
}

static void of_a_pipe_too(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};

	(void)state;
	begin(&builder);
	draw(&builder);
	heard_expect(&builder, joined);
}

static void packed_too(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	builder_pack(&builder);
	draw(&builder);
	builder_packed(&builder, 81, 50);
	heard_expect(&builder, joined);
}

static void cookie_without_frames_leaves_the_kernels_and_a_note(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	begin(&builder);
	sample(&builder, 10, 7, 99);
	deferred(&builder, 31, 8, 99, PROGRAM + 1); /* of another thread */
	deferred(&builder, 32, 7, 98, PROGRAM + 1);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 " IN_KERNEL "\n");
	heard_built(&heard, &builder);
	assert_int_equal(heard.capture.notes.list[NOTE_NOT_DEFERRED].count, 1);
}

static void record_that_claims_more_frames_than_it_has_is_none(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const uint64_t words[] = {99, UINT64_MAX, USER};

	(void)state;
	begin(&builder);
	sample(&builder, 10, 7, 99);
	builder_words(&builder, DEFERRED, 2, words, ARRAY_NR(words));
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 " IN_KERNEL "\n");
}

static void chain_of_a_cookie_alone_is_where_the_sample_was_taken(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const uint64_t chain[] = {COOKIE, 5};

	(void)state;
	begin(&builder);
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = 2,
						.ip = PROGRAM + 5,
						.pid = 7,
						.tid = 7,
						.time = 10,
						.chain = chain,
						.chain_nr = 2});
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 /a+5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_come_to_the_samples_of_their_cookie_and_thread),
		cmocka_unit_test(of_a_big_endian_machine_too),
		cmocka_unit_test(of_a_pipe_too),
		cmocka_unit_test(packed_too),
		cmocka_unit_test(cookie_without_frames_leaves_the_kernels_and_a_note),
		cmocka_unit_test(record_that_claims_more_frames_than_it_has_is_none),
		cmocka_unit_test(chain_of_a_cookie_alone_is_where_the_sample_was_taken),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
