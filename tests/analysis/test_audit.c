/* test_audit.c - what is wrong with a capture is found in it, and nothing in a sound one */
#include "tests/test.h"

#include "analysis/audit.h"
#include "analysis/summary.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/features.h"
#include "importers/perf_data/perf_data.h"
#include "model/capture.h"
#include "tests/support/input.h"
#include "tests/support/perf_data_builder.h"

#define BIT(nr)	    (UINT64_C(1) << (nr))
#define MARK_USER   ((uint64_t)-512)
#define PROGRAM	    0x400000
#define MILLISECOND UINT64_C(1000000)

#define TYPE                                                                                   \
	(BIT(PERF_BIT_IP) | BIT(PERF_BIT_TID) | BIT(PERF_BIT_TIME) | BIT(PERF_BIT_CALLCHAIN) | \
	 BIT(PERF_BIT_CPU) | BIT(PERF_BIT_PERIOD))

enum {
	USER_MODE = 2,
	TID = 7,
	SAMPLES = 1200,
	FLAG_EXCLUDE_KERNEL = 5,
};

/* A clock of 1000 Hz on CLOCK_MONOTONIC, and what it is recorded by. */
static struct builder_attr clock_attr(void)
{
	return (struct builder_attr){
		.type = PERF_TYPE_SOFTWARE,
		.period = 1000,
		.sample_type = TYPE,
		.flags = BIT(PERF_ATTR_FREQ) | BIT(PERF_ATTR_INHERIT) | BIT(PERF_ATTR_USE_CLOCKID) |
			 BIT(PERF_ATTR_SAMPLE_ID_ALL),
		.clockid = 1,
	};
}

static void begin(struct builder *builder, struct builder_attr attr)
{
	builder_attr(builder, attr);
	builder_comm(builder, 0, TID, TID, "a", 1);
	/* in brackets: no file, which would want a build ID */
	builder_mmap(builder, USER_MODE, TID, PROGRAM, 0x1000, 0, "[vdso]", 1);
}

/* Samples of one CPU at this distance, of a function with one caller. */
static void add_samples(struct builder *builder, unsigned nr, uint64_t step_ns)
{
	const uint64_t chain[] = {MARK_USER, PROGRAM + 0x10, PROGRAM + 0x20};

	for (unsigned i = 0; i < nr; i++)
		builder_sample(builder, 0,
			       &(struct builder_sample){
				       .misc = USER_MODE,
				       .ip = PROGRAM + 0x10,
				       .pid = TID,
				       .tid = TID,
				       .time = MILLISECOND + i * step_ns,
				       .period = MILLISECOND,
				       .chain = chain,
				       .chain_nr = ARRAY_NR(chain),
			       });
}

/* The words of a command line, between blanks. */
static void add_command_line(struct builder *builder, const char *line)
{
	CLEANUP(text_release) struct text bytes = TEXT_INIT, words = TEXT_INIT;
	uint32_t nr = 0;

	while (*line) {
		size_t size = strcspn(line, " ");
		char word[64] = "";

		memcpy(word, line, size);
		builder_string(builder, &words, word);
		nr++;
		line += size + (line[size] == ' ');
	}
	builder_u32(builder, &bytes, nr);
	text_add_bytes(&bytes, words.bytes, words.size);
	builder_feature(builder, PERF_FEATURE_CMDLINE, &bytes);
}

/* Lines "verdict finding: what". */
static void show(const struct builder *builder, size_t cut, struct text *ret)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	struct capture capture = {.format = "perf-data"};
	CLEANUP(summary_release) struct summary summary;
	struct audit audit = {0};
	struct reader *reader;

	builder_finish(builder, &file);
	reader = input_open(file.bytes, file.size - cut);
	summary_init(&summary, &capture);
	assert_null(importer_perf_data.read(reader, &capture, &summary.sink));
	reader_close(reader);
	audit_run(&capture, &summary, &audit);
	for (size_t i = 0; i < audit.nr; i++)
		text_addf(ret, "%s %s: %s\n", audit_verdict_word(audit_verdict(audit.list[i].code)),
			  audit_word(audit.list[i].code), audit.list[i].what);
	audit_release(&audit);
	capture_release(&capture);
}

static void expect(const struct builder *builder, const char *expected)
{
	CLEANUP(text_release) struct text lines = TEXT_INIT;

	show(builder, 0, &lines);
	assert_string_equal(text_string(&lines), expected);
}

static void sound_capture_has_no_finding(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, SAMPLES, MILLISECOND);
	add_command_line(&builder, "perf record -k 1 -F 1000 -e cpu-clock -ag -- ./a");
	expect(&builder, "");
}

static void tracepoint_that_was_sampled_misleads(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct builder_attr attr = clock_attr();

	(void)state;
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = 9;
	begin(&builder, attr);
	add_samples(&builder, 3, MILLISECOND);
	expect(&builder, "misleads sampled-tracepoint: tp#9 was sampled (-F 1000): 3 samples stand "
			 "for 3,000,000 of them\n");
}

static void tracepoint_that_was_told_each_time_is_sound(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct builder_attr attr = clock_attr();

	(void)state;
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.flags &= ~BIT(PERF_ATTR_FREQ);
	attr.period = 1;
	begin(&builder, attr);
	add_samples(&builder, 3, MILLISECOND);
	expect(&builder, "");
}

static void few_samples_say_what_they_can_tell(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, 400, MILLISECOND);
	expect(&builder,
	       "weakens few-samples: 400 samples of cpu-clock: 10 % is 7.1 to 12.9 % at best, a change shows from 5.9 points on\n");
}

static void frequency_that_perf_lowered_is_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, SAMPLES, MILLISECOND);
	add_command_line(&builder, "perf record --freq 9999 -- ./a");
	expect(&builder, "weakens frequency-lowered: cpu-clock was asked for at 9999 Hz, and "
			 "recorded at 1000 Hz\n");
}

static void clock_of_the_machine_that_ticks_too_slowly_is_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text lines = TEXT_INIT;

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, SAMPLES, 4 * MILLISECOND);
	add_command_line(&builder, "perf record -a");
	show(&builder, 0, &lines);
	assert_non_null(strstr(text_string(&lines),
			       "weakens frequency-missed: cpu-clock at 1000 Hz: "
			       "half of the samples of a CPU are "));
	assert_string_equal(strchr(text_string(&lines), '\n'), "\n");
}

/* A process that sleeps most of the time has samples far apart, and nothing is wrong with it. */
static void process_that_sleeps_is_no_slow_clock(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, SAMPLES, 4 * MILLISECOND);
	add_command_line(&builder, "perf record -p 7");
	expect(&builder, "");
}

static void what_was_lost_is_told_once(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, SAMPLES, MILLISECOND);
	builder_lost(&builder, 400, 2000 * MILLISECOND);
	builder_lost_samples(&builder, 400, 2000 * MILLISECOND);
	expect(&builder, "weakens lost: 400 samples were lost, 25.0 % of all that there were\n");
}

static void kernel_that_was_left_out_and_threads_are_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct builder_attr attr = clock_attr();

	(void)state;
	attr.flags |= BIT(FLAG_EXCLUDE_KERNEL);
	attr.flags &= ~BIT(PERF_ATTR_INHERIT);
	begin(&builder, attr);
	add_samples(&builder, SAMPLES, MILLISECOND);
	add_command_line(&builder, "perf record -g ./a -x");
	expect(&builder,
	       "weakens no-inherit: cpu-clock was recorded of the threads alone that were there at "
	       "its beginning\n"
	       "lacks no-kernel: cpu-clock was recorded without the kernel (:u)\n");
}

static void clock_that_nothing_ties_is_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct builder_attr attr = clock_attr();

	(void)state;
	attr.flags &= ~BIT(PERF_ATTR_USE_CLOCKID);
	begin(&builder, attr);
	add_samples(&builder, SAMPLES, MILLISECOND);
	expect(&builder, "lacks clock-untied: nothing ties perf's own clock to another clock\n");
}

static void file_without_a_build_id_is_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	builder_attr(&builder, clock_attr());
	builder_comm(&builder, 0, TID, TID, "a", 1);
	builder_mmap(&builder, USER_MODE, TID, PROGRAM, 0x1000, 0, "/bin/a", 1);
	add_samples(&builder, SAMPLES, MILLISECOND);
	expect(&builder, "weakens no-build-ids: 1 file has no build ID: a; in at least 100.0 % of "
			 "samples\n");
}

static void samples_without_callers_have_no_flame_graph(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct builder_attr attr = clock_attr();

	(void)state;
	attr.sample_type &= ~BIT(PERF_BIT_CALLCHAIN);
	begin(&builder, attr);
	add_samples(&builder, SAMPLES, MILLISECOND);
	expect(&builder, "lacks no-call-chains: 100.0 % of samples have no callers\n");
}

/* A walk by frame pointers that left the stack, and one that the kernel's limit ended. */
static void stacks_that_end_in_nowhere_or_too_early_are_found(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	uint64_t deep[128] = {MARK_USER}, broken[] = {MARK_USER, PROGRAM, 0x12345};

	(void)state;
	begin(&builder, clock_attr());
	for (size_t i = 1; i < ARRAY_NR(deep); i++)
		deep[i] = PROGRAM + i;
	add_samples(&builder, SAMPLES / 2, MILLISECOND);
	for (unsigned i = 0; i < SAMPLES / 2; i++)
		builder_sample(&builder, 0,
			       &(struct builder_sample){
				       .misc = USER_MODE,
				       .ip = PROGRAM,
				       .pid = TID,
				       .tid = TID,
				       .time = (SAMPLES + i) * MILLISECOND,
				       .period = MILLISECOND,
				       .chain = i % 2 ? deep : broken,
				       .chain_nr = i % 2 ? ARRAY_NR(deep) : ARRAY_NR(broken),
			       });
	expect(&builder,
	       "weakens broken-chains: 25.0 % of samples have a stack that ends in nowhere\n"
	       "weakens deep-stacks: 25.0 % of samples have as many frames as the kernel keeps, and "
	       "may have more\n");
}

static void cut_file_misleads_before_all_else(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text lines = TEXT_INIT;

	(void)state;
	begin(&builder, clock_attr());
	add_samples(&builder, 20, MILLISECOND);
	show(&builder, 100, &lines);
	assert_memory_equal(text_string(&lines), "misleads cut: ", strlen("misleads cut: "));
	assert_non_null(strstr(text_string(&lines), "\nweakens few-samples: 1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_capture_has_no_finding),
		cmocka_unit_test(tracepoint_that_was_sampled_misleads),
		cmocka_unit_test(tracepoint_that_was_told_each_time_is_sound),
		cmocka_unit_test(few_samples_say_what_they_can_tell),
		cmocka_unit_test(frequency_that_perf_lowered_is_found),
		cmocka_unit_test(clock_of_the_machine_that_ticks_too_slowly_is_found),
		cmocka_unit_test(process_that_sleeps_is_no_slow_clock),
		cmocka_unit_test(what_was_lost_is_told_once),
		cmocka_unit_test(kernel_that_was_left_out_and_threads_are_found),
		cmocka_unit_test(clock_that_nothing_ties_is_found),
		cmocka_unit_test(file_without_a_build_id_is_found),
		cmocka_unit_test(samples_without_callers_have_no_flame_graph),
		cmocka_unit_test(stacks_that_end_in_nowhere_or_too_early_are_found),
		cmocka_unit_test(cut_file_misleads_before_all_else),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
