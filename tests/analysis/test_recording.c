/* test_recording.c - the scope, frequency and program of a recording are read from its command line
 */
#include "tests/test.h"

#include "analysis/recording.h"
#include "base/mem.h"
#include "model/capture.h"

static void add_fact(struct capture *capture, const char *name, const char *value)
{
	facts_add(&capture->facts, name, strlen(name), value, strlen(value));
}

static void expect(const char *line, enum recording_scope scope, uint64_t frequency_hz,
		   const char *program)
{
	struct capture capture = {0};
	struct recording recording;

	add_fact(&capture, "cmdline", line);
	recording_read(&capture, &recording);
	print_message("# %s\n", line);
	assert_string_equal(recording_scope_text(recording.scope), recording_scope_text(scope));
	assert_int_equal(recording.frequency_hz, frequency_hz);
	assert_string_equal(recording.program, program);
	recording_release(&recording);
	capture_release(&capture);
}

static void command_lines_tell_the_scope(void **state)
{
	(void)state;
	expect("/usr/bin/perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 499 -g -o a -- ./relay -a",
	       RECORDING_SCOPE_PROCESS, 499, "./relay -a");
	expect("perf record -ag", RECORDING_SCOPE_SYSTEM, 0, "");
	expect("perf record -F99 -ag sleep 10", RECORDING_SCOPE_SYSTEM, 99, "sleep 10");
	expect("perf record -gF 99 -p 12,13", RECORDING_SCOPE_PROCESS, 99, "");
	expect("perf record --freq=max --pid=12", RECORDING_SCOPE_PROCESS, 0, "");
	expect("perf record --freq=250 --all-cpus -- sleep 1", RECORDING_SCOPE_SYSTEM, 250,
	       "sleep 1");
	expect("perf record -e cycles", RECORDING_SCOPE_SYSTEM, 0, "");
	expect("perf record -C 0-3 --call-graph dwarf", RECORDING_SCOPE_SYSTEM, 0, "");
	expect("perf record -g --call-graph fp ./a", RECORDING_SCOPE_PROCESS, 0, "./a");
	expect("perf sched record -- sleep 1", RECORDING_SCOPE_SYSTEM, 0, "sleep 1");
	expect("perf trace record -o trace.data -- ../src/sysmix", RECORDING_SCOPE_PROCESS, 0,
	       "../src/sysmix");
	expect("/system/bin/simpleperf record -a", RECORDING_SCOPE_SYSTEM, 0, "");
	expect("", RECORDING_SCOPE_UNKNOWN, 0, "");
	expect("bpftrace -e x", RECORDING_SCOPE_UNKNOWN, 0, "");
	expect("perf record -", RECORDING_SCOPE_PROCESS, 0, "-");
	expect("perf record -F", RECORDING_SCOPE_SYSTEM, 0, "");
}

static bool is_attached(const char *line)
{
	struct capture capture = {0};
	struct recording recording;
	bool is;

	add_fact(&capture, "cmdline", line);
	recording_read(&capture, &recording);
	is = recording.is_attached;
	recording_release(&recording);
	capture_release(&capture);
	return is;
}

static void a_program_may_only_be_the_time(void **state)
{
	(void)state;
	assert_true(is_attached("perf record -g -p 12 -- sleep 5"));
	assert_true(is_attached("perf record -a sleep 5"));
	assert_true(is_attached("perf sched record -- sleep 1"));
	assert_false(is_attached("perf record -g -- ./relay -a"));
	assert_false(is_attached("perf record -e cycles"));
}

/* As perf.data has it, and as perf 6.1 and 6.9 print it. */
static void events_tell_how_they_were_recorded(void **state)
{
	static const char *const lines[] = {
		"name = cycles:u, type = 0, config = 0x0, { sample_period, sample_freq } = 4000, inherit = "
		"1, exclude_kernel = 1, freq = 1, sample_stack_user = 8192",
		"name = cycles:u, , id = { 5, 6 }, type = 0, size = 128, { sample_period, sample_freq } = "
		"4000, sample_type = IP|TID, inherit = 1, exclude_kernel = 1, freq = 1, "
		"sample_stack_user = 8192",
		"name = cycles:u, , id = { 5 }, type = 0 (PERF_TYPE_HARDWARE), size = 0x88, config = 0 "
		"(PERF_COUNT_HW_CPU_CYCLES), { sample_period, sample_freq } = 4000, inherit = 1, "
		"exclude_kernel = 1, freq = 1, sample_stack_user = 8192",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(lines); i++) {
		struct capture capture = {0};
		struct recording recording;
		const struct recording_event *event;
		uint32_t id = events_add(&capture.events, &capture.names,
					 names_add(&capture.names, "cycles:u", 8));

		add_fact(&capture, "event", lines[i]);
		add_fact(&capture, "event", "name = gone, type = 2");
		add_fact(&capture, "event", "nonsense");
		recording_read(&capture, &recording);
		event = &recording.events[id];
		assert_true(event->is_known && event->is_frequency && event->inherits &&
			    event->excludes_kernel);
		assert_false(event->is_tracepoint || event->excludes_user);
		assert_int_equal(event->rate, 4000);
		assert_int_equal(event->dump_bytes, 8192);
		recording_release(&recording);
		capture_release(&capture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_lines_tell_the_scope),
		cmocka_unit_test(a_program_may_only_be_the_time),
		cmocka_unit_test(events_tell_how_they_were_recorded),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
