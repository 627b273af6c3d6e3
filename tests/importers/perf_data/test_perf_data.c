/* test_perf_data.c - whole files: what is mapped, named, counted and lost as time goes by */
#include "tests/test.h"

#include "importers/perf_data/perf_data.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "tests/support/input.h"
#include "tests/support/listener.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"
#include "tests/support/perf_data_world.h"

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	EXEC = 1 << 13,
};

#define TYPE	   (1 << 0 | 1 << 1 | 1 << 2) /* IP TID TIME */
#define ID_ALL	   (1 << 18)
#define FREQ	   (1 << 10)
#define IDENTIFIER (1 << 16)
#define PERIOD	   (1 << 8)
#define PROGRAM	   0x400000

static void clock_attr(struct builder *builder)
{
	builder_attr(builder,
		     (struct builder_attr){
			     .type = 1, .period = 99, .sample_type = TYPE, .flags = ID_ALL | FREQ});
}

static void sample_at(struct builder *builder, uint64_t time, uint32_t pid, uint32_t tid,
		      uint64_t ip)
{
	builder_sample(builder, 0,
		       &(struct builder_sample){
			       .misc = USER_MODE, .ip = ip, .pid = pid, .tid = tid, .time = time});
}

/* ---- processes over time */

static void maps_are_those_of_the_samples_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	sample_at(&builder, 10, 7, 7, PROGRAM + 8);
	sample_at(&builder, 30, 7, 7, PROGRAM + 8);
	/* as another CPU's buffer has it: behind the samples, but before one of them */
	builder_mmap(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0x200, "/bin/a", 20);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0x300, "/bin/b", 40);
	sample_at(&builder, 50, 7, 7, PROGRAM + 8);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 ?+400008\n"
			       "30 a 7/7 cpu-clock 1 /bin/a+208\n"
			       "50 a 7/7 cpu-clock 1 /bin/b+308\n");
}

static void overlapping_map_cuts_the_old_one(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x3000, 0, "/bin/a", 1);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM + 0x1000, 0x1000, 0, "/bin/b", 2);
	sample_at(&builder, 10, 7, 7, PROGRAM + 0xfff);
	sample_at(&builder, 11, 7, 7, PROGRAM + 0x1000);
	sample_at(&builder, 12, 7, 7, PROGRAM + 0x2000);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 /bin/a+fff\n"
			       "11 a 7/7 cpu-clock 1 /bin/b+0\n"
			       "12 a 7/7 cpu-clock 1 /bin/a+2000\n");
}

static void fork_copies_maps_and_exec_takes_them_away(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "sh", 0);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/bin/sh", 0);
	builder_task(&builder, 7, 0, 8, 7, 8, 7, 10);
	sample_at(&builder, 11, 8, 8, PROGRAM + 1);
	builder_comm(&builder, EXEC, 8, 8, "work", 20);
	sample_at(&builder, 21, 8, 8, PROGRAM + 2);
	builder_mmap2(&builder, USER_MODE, 8, PROGRAM, 0x1000, 0, "/bin/work", 22);
	sample_at(&builder, 23, 8, 8, PROGRAM + 3);
	sample_at(&builder, 24, 7, 7, PROGRAM + 4);
	heard_expect(&builder, "11 sh 8/8 cpu-clock 1 /bin/sh+1\n"
			       "21 work 8/8 cpu-clock 1 ?+400002\n"
			       "23 work 8/8 cpu-clock 1 /bin/work+3\n"
			       "24 sh 7/7 cpu-clock 1 /bin/sh+4\n");
}

static void threads_share_maps_and_synthesized_forks_copy_none(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_task(&builder, 7, 0, 7, 7, 9, 7, 5);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/bin/a", 6);
	builder_task(&builder, 7, EXEC, 8, 7, 8, 7, 7);
	sample_at(&builder, 10, 7, 9, PROGRAM + 1);
	sample_at(&builder, 11, 8, 8, PROGRAM + 1);
	heard_expect(&builder, "10 a 7/9 cpu-clock 1 /bin/a+1\n"
			       "11 a 8/8 cpu-clock 1 ?+400001\n");
}

static void names_change_with_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "before", 0);
	builder_comm(&builder, 0, 7, 7, "after", 20);
	sample_at(&builder, 10, 7, 7, 1);
	sample_at(&builder, 20, 7, 7, 1);
	sample_at(&builder, 19, 7, 7, 1);
	sample_at(&builder, 30, 7, 9, 1);
	heard_expect(&builder, "10 before 7/7 cpu-clock 1 ?+1\n"
			       "19 before 7/7 cpu-clock 1 ?+1\n"
			       "20 after 7/7 cpu-clock 1 ?+1\n"
			       "30 :9 7/9 cpu-clock 1 ?+1\n");
}

static void task_that_has_no_id_any_more_is_not_the_kernel(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_mmap(&builder, KERNEL_MODE, UINT32_MAX, 0, UINT64_MAX, 0, "[kernel.kallsyms]_text",
		     0);
	/* nor do its name and its children take the kernel's maps away */
	builder_comm(&builder, EXEC, UINT32_MAX, UINT32_MAX, "gone", 5);
	builder_task(&builder, 7, 0, UINT32_MAX, 7, UINT32_MAX, 7, 6);
	sample_at(&builder, 10, UINT32_MAX, UINT32_MAX, PROGRAM);
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = KERNEL_MODE, .ip = 0x99, .time = 11});
	heard_expect(&builder, "10 :-1 -1/-1 cpu-clock 1 ?+400000\n"
			       "11 swapper 0/0 cpu-clock 1 [kernel.kallsyms]+99\n");
}

static void memory_of_no_file_is_called_after_what_it_holds(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_mmap2(&builder, USER_MODE, 7, 0x1000, 0x1000, 0, "//anon", 0);
	builder_mmap2(&builder, USER_MODE, 7, 0x2000, 0x1000, 0, "[heap]", 0);
	builder_mmap2(&builder, USER_MODE, 7, 0x3000, 0x1000, 0, "[vdso]", 0);
	sample_at(&builder, 1, 7, 7, 0x1010);
	sample_at(&builder, 2, 7, 7, 0x2010);
	sample_at(&builder, 3, 7, 7, 0x3010);
	heard_expect(&builder, "1 a 7/7 cpu-clock 1 /tmp/perf-7.map+1010\n"
			       "2 a 7/7 cpu-clock 1 [heap]+2010\n"
			       "3 a 7/7 cpu-clock 1 [vdso]+10\n");
}

/* ---- events and periods */

static void period_is_the_samples_the_events_or_one(void **state)
{
	static const struct {
		uint64_t type, flags, period;
		const char *line;
	} cases[] = {
		{TYPE | PERIOD, FREQ, 99, "1 :7 7/7 cpu-clock 1234 ?+1\n"},
		{TYPE | PERIOD, 0, 5000, "1 :7 7/7 cpu-clock 1234 ?+1\n"},
		{TYPE, 0, 5000, "1 :7 7/7 cpu-clock 5000 ?+1\n"},
		{TYPE, FREQ, 99, "1 :7 7/7 cpu-clock 1 ?+1\n"},
		{TYPE, 0, 0, "1 :7 7/7 cpu-clock 1 ?+1\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(builder_release) struct builder builder = {0};

		builder_attr(&builder, (struct builder_attr){.type = 1,
							     .period = cases[i].period,
							     .sample_type = cases[i].type,
							     .flags = cases[i].flags});
		builder_sample(&builder, 0,
			       &(struct builder_sample){.misc = USER_MODE,
							.ip = 1,
							.pid = 7,
							.tid = 7,
							.time = 1,
							.period = 1234});
		heard_expect(&builder, cases[i].line);
	}
}

static void two_events_of_different_fields_are_told_apart(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	const struct builder_attr clock = {.type = 1,
					   .sample_type = TYPE | IDENTIFIER,
					   .ids = {5, 6},
					   .ids_nr = 2,
					   .flags = ID_ALL};
	const struct builder_attr faults = {.type = 1,
					    .config = 2,
					    .sample_type = TYPE | IDENTIFIER | PERIOD | 1 << 3,
					    .ids = {9},
					    .ids_nr = 1,
					    .flags = ID_ALL};
	struct builder_sample sample = {.misc = USER_MODE,
					.identifier = 6,
					.ip = 1,
					.pid = 7,
					.tid = 7,
					.time = 10,
					.period = 3};

	(void)state;
	builder_attr(&builder, clock);
	builder_attr(&builder, faults);
	builder_sample(&builder, 0, &sample);
	sample.identifier = 9;
	sample.time = 5;
	builder_sample(&builder, 1, &sample);
	sample.identifier = 5;
	sample.time = 7;
	builder_sample(&builder, 0, &sample);
	heard_expect(&builder, "5 :7 7/7 page-faults 3 ?+1\n"
			       "7 :7 7/7 cpu-clock 1 ?+1\n"
			       "10 :7 7/7 cpu-clock 1 ?+1\n");
	sample.identifier = 77;
	builder_sample(&builder, 0, &sample);
	heard_expect_notes(&builder, "unknown-event 1 0 552\n");
}

static void simpleperfs_events_have_the_names_of_its_meta_info(void **state)
{
	static const char info[] = "a\0b\0event_type_info\0"
				   "cpu-clock,1,0\nsched:switch,2,63\nsched:wake,2,64";
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text bytes = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard;
	const struct events *events = &heard.capture.events;

	(void)state;
	builder_attr(&builder, (struct builder_attr){.type = 1, .sample_type = TYPE | IDENTIFIER});
	for (unsigned i = 0; i < 3; i++)
		builder_attr(&builder, (struct builder_attr){.type = 2,
							     .config = 63 + i,
							     .sample_type = TYPE | IDENTIFIER});
	text_add_bytes(&bytes, info, sizeof(info));
	builder_feature(&builder, 129, &bytes);
	builder_round(&builder);
	heard_built(&heard, &builder);
	assert_int_equal(events->nr, 4);
	assert_string_equal(names_display(&heard.capture.names, events->list[0].name), "cpu-clock");
	assert_string_equal(names_display(&heard.capture.names, events->list[1].name),
			    "sched:switch");
	assert_string_equal(names_display(&heard.capture.names, events->list[2].name),
			    "sched:wake");
	assert_string_equal(names_display(&heard.capture.names, events->list[3].name), "tp#65");
}

static void version_1_names_events_in_its_header(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_old = true};

	(void)state;
	builder_attr(&builder,
		     (struct builder_attr){.type = 4, .config = 0xc0, .sample_type = TYPE});
	builder_u64(&builder, &builder.event_types, 0xc0);
	text_add(&builder.event_types, "instructions-retired");
	while (builder.event_types.size < 72)
		text_add_char(&builder.event_types, '\0');
	sample_at(&builder, 1, 7, 7, 1);
	heard_expect(&builder, "1 :7 7/7 instructions-retired 1 ?+1\n");
}

static void pipe_names_an_event_by_any_of_its_ids(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};

	(void)state;
	builder_attr(&builder, (struct builder_attr){
				       .type = 1, .sample_type = TYPE, .ids = {5, 6}, .ids_nr = 2});
	builder_begin(&builder, 78, 0);
	builder_u64(&builder, &builder.data, 2);
	builder_u64(&builder, &builder.data, 6);
	text_add_bytes(&builder.data, "my-clock", 9);
	builder_end(&builder);
	sample_at(&builder, 1, 7, 7, 1);
	heard_expect(&builder, "1 :7 7/7 my-clock 1 ?+1\n");
}

/* ---- times */

static void times_that_are_none_are_not_given(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	sample_at(&builder, 10, 7, 7, 1);
	sample_at(&builder, UINT64_MAX, 7, 7, 2);
	sample_at(&builder, 0xffffffff00000000, 7, 7, 3); /* perf record --off-cpu */
	sample_at(&builder, (uint64_t)INT64_MAX + 1, 7, 7, 4);
	sample_at(&builder, INT64_MAX, 7, 7, 5);
	heard_expect(&builder, "- :7 7/7 cpu-clock 1 ?+2\n"
			       "10 :7 7/7 cpu-clock 1 ?+1\n"
			       "9223372036854775807 :7 7/7 cpu-clock 1 ?+5\n"
			       "- :7 7/7 cpu-clock 1 ?+4\n"
			       "- :7 7/7 cpu-clock 1 ?+3\n");
}

static void without_times_the_order_of_the_file_counts(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	builder_attr(&builder, (struct builder_attr){.type = 1, .sample_type = 1 << 0 | 1 << 1});
	builder_comm(&builder, 0, 7, 7, "a", 0);
	sample_at(&builder, 0, 7, 7, 3);
	builder_comm(&builder, 0, 7, 7, "b", 0);
	sample_at(&builder, 0, 7, 7, 1);
	heard_expect(&builder, "- a 7/7 cpu-clock 1 ?+3\n- b 7/7 cpu-clock 1 ?+1\n");
}

static void state_at_the_end_counts_from_the_beginning(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	builder_attr(&builder, (struct builder_attr){
				       .type = 1, .sample_type = TYPE, .flags = ID_ALL | 1 << 27});
	sample_at(&builder, 10, 7, 7, PROGRAM);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/bin/a", 0);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 /bin/a+0\n");
}

/* ---- what was lost, and what is odd */

static void lost_events_and_samples_are_kept_apart(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	clock_attr(&builder);
	builder_lost(&builder, 7, 5);
	builder_lost(&builder, 8, 6);
	builder_lost_samples(&builder, 100, 7);
	sample_at(&builder, 10, 7, 7, 1);
	heard_built(&heard, &builder);
	assert_int_equal(heard.capture.lost, 15);
	assert_int_equal(heard.capture.lost_samples, 100);
	assert_int_equal(heard.capture.records, 3);
}

static void odd_things_are_noted_where_they_are(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	builder_words(&builder, 5, 0, (const uint64_t[]){1, 2, 3, 0, 0}, 5);
	builder_words(&builder, 50, 0, (const uint64_t[]){1}, 1);
	builder_words(&builder, 9, 0, (const uint64_t[]){1}, 1); /* no room for its time */
	heard_expect_notes(&builder, "short-sample 1 0 312\nunknown-record 1 0 296\n"
				     "throttled 1 0 248\n");
}

static void killed_recorders_samples_come(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_killed = true};

	(void)state;
	clock_attr(&builder);
	sample_at(&builder, 10, 7, 7, 1);
	heard_expect(&builder, "10 :7 7/7 cpu-clock 1 ?+1\n");
	heard_expect_notes(&builder, "killed-recorder 1 0 40\n");
}

static void sections_of_features_may_be_empty(void **state)
{
	static const unsigned numbers[] = {3, 7, 8, 10, 11, 12, 15, 16, 17, 19, 21, 27, 29, 129};
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text nothing = TEXT_INIT;

	(void)state;
	clock_attr(&builder);
	builder_round(&builder);
	text_add(&nothing, "");
	for (size_t i = 0; i < ARRAY_NR(numbers); i++)
		builder_feature(&builder, numbers[i], &nothing);
	heard_expect_notes(&builder, "");
}

static void damaged_feature_does_not_lose_the_others(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text bad = TEXT_INIT, good = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	clock_attr(&builder);
	builder_round(&builder);
	builder_u32(&builder, &bad, 3013029764u);
	builder_string(&builder, &good, "6.1");
	builder_feature(&builder, 3, &bad);
	builder_feature(&builder, 5, &good);
	heard_built(&heard, &builder);
	assert_null(facts_find(&heard.capture.facts, "hostname"));
	assert_string_equal(facts_find(&heard.capture.facts, "perf version"), "6.1");
	assert_int_equal(heard.capture.notes.list[NOTE_DAMAGED_FEATURE].count, 1);
}

static void records_are_counted_by_type(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;
	CLEANUP(text_release) struct text shown = TEXT_INIT;
	const struct counts *counts = &heard.capture.record_types;

	(void)state;
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_mmap2(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/bin/a", 0);
	sample_at(&builder, 10, 7, 7, 1);
	sample_at(&builder, 11, 7, 7, 1);
	builder_round(&builder);
	builder_words(&builder, 61, 0, NULL, 0);
	heard_built(&heard, &builder);
	for (size_t i = 0; i < counts->nr; i++)
		text_addf(&shown, "%s %u\n", counts->list[i].word, (unsigned)counts->list[i].nr);
	assert_string_equal(text_string(&shown),
			    "61 1\nCOMM 1\nSAMPLE 2\nMMAP2 1\nFINISHED_ROUND 1\n");
}

static void sinks_error_ends_the_reading(void **state)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	struct reader *reader;
	struct error *err;

	(void)state;
	world_build(&(struct world_options){.rounds = 8}, &file);
	listener_init(&listener);
	listener.fail_after = 3;
	reader = input_open(file.bytes, file.size);
	err = importer_perf_data.read(reader, &capture, &listener.sink);
	assert_non_null(err);
	assert_string_equal(error_text(err), "the listener has had enough");
	error_free(err);
	reader_close(reader);
	assert_int_equal(listener.nr, 3);
}

/* ---- one recording in all forms */

static void expect_like_plain(struct world_options options)
{
	CLEANUP(text_release) struct text plain = TEXT_INIT, other = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard_plain, heard_other;

	options.rounds = 20;
	world_build(&(struct world_options){.rounds = 20}, &plain);
	world_build(&options, &other);
	heard_file(&heard_plain, &plain);
	heard_file(&heard_other, &other);
	assert_int_equal(heard_plain.listener.nr, 320);
	assert_string_equal(text_string(&heard_other.lines), text_string(&heard_plain.lines));
	assert_int_equal(heard_other.capture.lost, 7);
	assert_string_equal(facts_find(&heard_other.capture.facts, "cmdline"),
			    "/usr/bin/perf record");
}

static void both_byte_orders_give_the_same_samples(void **state)
{
	(void)state;
	expect_like_plain((struct world_options){.is_big = true});
	expect_like_plain((struct world_options){.is_big = true, .is_pipe = true});
	expect_like_plain((struct world_options){.is_big = true, .is_packed = true});
}

static void every_attr_size_gives_the_same_samples(void **state)
{
	static const uint32_t sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(sizes); i++)
		for (int form = 0; form < 4; form++)
			expect_like_plain((struct world_options){
				.attr_size = sizes[i], .is_big = form & 1, .is_pipe = form & 2});
}

static void pipe_gives_the_same_samples_as_a_file(void **state)
{
	(void)state;
	expect_like_plain((struct world_options){.is_pipe = true});
}

static void packed_records_give_the_same_samples(void **state)
{
	(void)state;
	expect_like_plain((struct world_options){.is_packed = true});
	expect_like_plain((struct world_options){.is_packed = true, .packing = 83});
	expect_like_plain((struct world_options){.is_packed = true, .is_pipe = true});
	expect_like_plain(
		(struct world_options){.is_packed = true, .is_pipe = true, .packing = 83});
}

static void rounds_change_nothing_but_memory(void **state)
{
	(void)state;
	expect_like_plain((struct world_options){.lacks_rounds = true});
	expect_like_plain((struct world_options){.lacks_rounds = true, .is_packed = true});
}

static void samples_come_in_the_order_of_time(void **state)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	world_build(&(struct world_options){.rounds = 40}, &file);
	heard_file(&heard, &file);
	for (size_t i = 1; i < heard.listener.nr; i++)
		assert_true(heard.listener.list[i - 1].time_ns <= heard.listener.list[i].time_ns);
}

/* ---- a directory, as perf record --threads makes it */

static void write_file(const char *folder, const char *name, const struct text *bytes)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->bytes, bytes->size), bytes->size);
	close(fd);
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = {"data", "data.0", "data.1", "data.2"};
	char path[256];

	for (size_t i = 0; i < ARRAY_NR(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/data.folder", folder);
	rmdir(path);
	rmdir(folder);
}

static void directory_is_merged_by_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0}, first = {0}, second = {0};
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(heard_release) struct heard heard = {0};
	char folder[] = "perf-data-XXXXXX", path[64];
	struct reader *reader;
	struct error *err;

	(void)state;
	assert_non_null(mkdtemp(folder));
	clock_attr(&builder);
	builder_comm(&builder, 0, 7, 7, "a", 0);
	builder_finish(&builder, &file);
	write_file(folder, "data", &file);
	clock_attr(&first);
	sample_at(&first, 10, 7, 7, 1);
	sample_at(&first, 30, 7, 7, 3);
	write_file(folder, "data.0", &first.data);
	clock_attr(&second);
	builder_pack(&second); /* each stream is packed for itself */
	sample_at(&second, 20, 7, 7, 2);
	sample_at(&second, 40, 7, 7, 4);
	builder_packed(&second, 81, 9);
	write_file(folder, "data.1", &second.data);
	text_clear(&file);
	text_add(&file, "");
	write_file(folder, "data.2", &file);
	/* what is no file is no stream */
	snprintf(path, sizeof(path), "%s/data.folder", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	listener_init(&heard.listener);
	err = reader_open(folder, &reader);
	if (!err)
		err = importer_perf_data.read(reader, &heard.capture, &heard.listener.sink);
	remove_folder(folder);
	assert_null(err);
	reader_close(reader);
	heard_add_lines(&heard);
	assert_string_equal(text_string(&heard.lines), "10 a 7/7 cpu-clock 1 ?+1\n"
						       "20 a 7/7 cpu-clock 1 ?+2\n"
						       "30 a 7/7 cpu-clock 1 ?+3\n"
						       "40 a 7/7 cpu-clock 1 ?+4\n");
}

/* ---- hostile files of 1 MB: none may take long */

static void expect_soon(const struct builder *builder)
{
	CLEANUP(heard_release) struct heard heard;
	clock_t begin = clock();

	heard_built(&heard, builder);
	/* 2 s is the aim; sanitizers and a busy machine are slower */
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 20);
}

static void many_unknown_types_take_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	for (uint32_t i = 0; i < 130000; i++)
		builder_words(&builder, 100000 + i, 0, NULL, 0);
	expect_soon(&builder);
}

static void many_lines_of_event_types_take_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	clock_attr(&builder);
	text_add_bytes(&bytes, "event_type_info", 16);
	while (bytes.size < 1 << 20)
		text_add(&bytes, "a,2,3\n");
	builder_feature(&builder, 129, &bytes);
	builder_round(&builder);
	expect_soon(&builder);
}

static void many_meta_infos_take_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	clock_attr(&builder);
	text_add_bytes(&bytes, "event_type_info", 16);
	while (bytes.size < 60000)
		text_add(&bytes, "a,2,3\n");
	builder_feature(&builder, 129, &bytes);
	text_clear(&bytes);
	text_add_bytes(&bytes, "a\0b", 4);
	for (int i = 0; i < 45000; i++)
		builder_feature(&builder, 129, &bytes);
	expect_soon(&builder);
}

static void many_forks_of_many_maps_take_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	clock_attr(&builder);
	for (uint32_t i = 0; i < 6000; i++)
		builder_mmap(&builder, USER_MODE, 7, 0x1000 * (6000 - i), 0x800, 0, "a", 0);
	for (uint32_t i = 0; i < 14000; i++)
		builder_task(&builder, 7, 0, 100 + i, 7, 100 + i, 7, 0);
	expect_soon(&builder);
}

static void garbage_takes_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};
	uint32_t chance = 1;

	(void)state;
	clock_attr(&builder);
	/* in each place something that looks like a record, and is none behind the third */
	while (builder.data.size < 1 << 20) {
		for (int i = 0; i < 3; i++)
			builder_words(&builder, 68, 0, NULL, 0);
		chance = chance * 1664525 + 1013904223;
		builder_words(&builder, 9, 0, (const uint64_t[]){chance}, 1);
		builder.data.bytes[builder.record + 7] = '\xff';
	}
	expect_soon(&builder);
}

static void many_small_packed_pieces_take_no_time(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};
	uint32_t chance = 1;

	(void)state;
	clock_attr(&builder);
	/* one record of 64 KB, of which each piece brings some bytes */
	for (int round = 0; round < 12; round++) {
		builder_pack(&builder);
		builder_begin(&builder, 60, 0);
		for (int i = 0; i < 65000; i++) {
			chance = chance * 1664525 + 1013904223;
			text_add_char(&builder.data, (char)(chance >> 24));
		}
		builder_end(&builder);
		builder_packed(&builder, 81, 1);
	}
	expect_soon(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_are_those_of_the_samples_time),
		cmocka_unit_test(overlapping_map_cuts_the_old_one),
		cmocka_unit_test(fork_copies_maps_and_exec_takes_them_away),
		cmocka_unit_test(threads_share_maps_and_synthesized_forks_copy_none),
		cmocka_unit_test(names_change_with_time),
		cmocka_unit_test(task_that_has_no_id_any_more_is_not_the_kernel),
		cmocka_unit_test(memory_of_no_file_is_called_after_what_it_holds),
		cmocka_unit_test(period_is_the_samples_the_events_or_one),
		cmocka_unit_test(two_events_of_different_fields_are_told_apart),
		cmocka_unit_test(simpleperfs_events_have_the_names_of_its_meta_info),
		cmocka_unit_test(version_1_names_events_in_its_header),
		cmocka_unit_test(pipe_names_an_event_by_any_of_its_ids),
		cmocka_unit_test(times_that_are_none_are_not_given),
		cmocka_unit_test(without_times_the_order_of_the_file_counts),
		cmocka_unit_test(state_at_the_end_counts_from_the_beginning),
		cmocka_unit_test(lost_events_and_samples_are_kept_apart),
		cmocka_unit_test(odd_things_are_noted_where_they_are),
		cmocka_unit_test(killed_recorders_samples_come),
		cmocka_unit_test(sections_of_features_may_be_empty),
		cmocka_unit_test(damaged_feature_does_not_lose_the_others),
		cmocka_unit_test(records_are_counted_by_type),
		cmocka_unit_test(sinks_error_ends_the_reading),
		cmocka_unit_test(both_byte_orders_give_the_same_samples),
		cmocka_unit_test(every_attr_size_gives_the_same_samples),
		cmocka_unit_test(pipe_gives_the_same_samples_as_a_file),
		cmocka_unit_test(packed_records_give_the_same_samples),
		cmocka_unit_test(rounds_change_nothing_but_memory),
		cmocka_unit_test(samples_come_in_the_order_of_time),
		cmocka_unit_test(directory_is_merged_by_time),
		cmocka_unit_test(many_unknown_types_take_no_time),
		cmocka_unit_test(many_lines_of_event_types_take_no_time),
		cmocka_unit_test(many_meta_infos_take_no_time),
		cmocka_unit_test(many_forks_of_many_maps_take_no_time),
		cmocka_unit_test(garbage_takes_no_time),
		cmocka_unit_test(many_small_packed_pieces_take_no_time),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
