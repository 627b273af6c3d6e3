/* test_perf_script.c - texts of perf script in, samples out */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "tests/support/input.h"
#include "tests/support/listener.h"

/* Reads the text; shows samples, then notes. */
static void hear(const char *input, size_t size, struct text *ret)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	listener_init(&listener);
	listener_hear(&listener, &importer_perf_script, input, size, &capture);
	listener_show(&listener, &capture, ret);
	listener_show_notes(&capture, ret);
}

static void expect(const char *input, const char *shown)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	hear(input, strlen(input), &text);
	assert_string_equal(text_string(&text), shown);
}

#define KERNEL " ([kernel.kallsyms])\n"
#define RELAY  " (/opt/relay/relay)\n"

static void stacks_come_outermost_first(void **state)
{
	(void)state;
	expect("relay  4711   701.467456:     250000 cpu-clock: \n"
	       "\tffffffff81a00010 copy_from_user+0x10" KERNEL "\t    55d0a1c0 read_all+0x20" RELAY
	       "\t    55d0a000 main+0x9" RELAY "\n"
	       "relay  4712   701.467789:     250000 cpu-clock: \n"
	       "\t    55d0b000 spin+0x1" RELAY "\n",
	       "relay|-/4711|-|701.467456000|cpu-clock|1|250000|main;read_all;copy_from_user\n"
	       "relay|-/4712|-|701.467789000|cpu-clock|1|250000|spin\n");
}

static void last_sample_needs_no_blank_line_and_no_line_feed(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\t10 f" RELAY "\t20 main (/opt/relay/relay)",
	       "relay|-/1|-|1.000000000|cycles|1|5|main;f\n");
}

static void header_alone_is_a_sample_without_a_stack(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\nrelay 2 2.000000: 5 cycles: \n"
	       "relay 3 3.000000: 5 cycles: \n",
	       "relay|-/1|-|1.000000000|cycles|1|5|-\n"
	       "relay|-/2|-|2.000000000|cycles|1|5|-\n"
	       "relay|-/3|-|3.000000000|cycles|1|5|-\n");
}

static void carriage_returns_are_no_part_of_names(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \r\n\t10 f+0x1 (/opt/relay)\r\n\t20 main\r\n\r\n"
	       "relay 1 2.000000: 5 cycles: \r\n\t10 f+0x1 (/opt/relay)\r\n\t20 main\r\n\r\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|main;f\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|main;f\n");
}

static void sample_without_a_period_stands_for_itself(void **state)
{
	(void)state;
	expect("relay 1 1.000000: cycles: \n\t10 f\n\n", "relay|-/1|-|1.000000000|cycles|1|1|f\n");
}

static void frame_without_a_symbol_is_its_module(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n"
	       "\t10 [unknown] (/usr/lib/libc.so.6)\n"
	       "\t20 [unknown] ([unknown])\n"
	       "\t30 [unknown] (/opt/gone (deleted))\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|[gone];[?];[libc.so.6]\n");
}

static void leaf_on_the_header_line_is_the_stack(void **state)
{
	(void)state;
	expect("           relay  4711   1.000000:    5 cycles:  ffffffff81a0 work+0x10" KERNEL
	       "    worker 1 [b]  4712   2.000000:    5 cycles:      55d0b000 spin+0x1" RELAY
	       "           relay  4711   3.000000:    5 cycles:      7fff1234 [unknown] ([unknown])\n",
	       "relay|-/4711|-|1.000000000|cycles|1|5|work\n"
	       "worker 1 [b]|-/4712|-|2.000000000|cycles|1|5|spin\n"
	       "relay|-/4711|-|3.000000000|cycles|1|5|[?]\n");
}

static void address_and_weight_columns_are_no_frames(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles:                0\n\t10 f\n\n"
	       "relay 1 2.000000: 5 cycles:     7f0012345678 \n\t10 f\n\n"
	       "relay 1 3.000000: 5 cycles:                0      1e05080021 |OP N/A|LVL N/A or "
	       "N/A|SNP N/A|               0\n\t10 f\n               0\n"
	       "relay 1 4.000000: 5 cycles: \n\t10 g\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|f\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|f\n"
	       "relay|-/1|-|3.000000000|cycles|1|5|f\n"
	       "relay|-/1|-|4.000000000|cycles|1|5|g\n");
}

static void payload_of_a_tracepoint_is_never_a_frame(void **state)
{
	(void)state;
	expect("a 7 [000] 1.000000: sched:sched_switch: prev_comm=b prev_pid=7 ==> next_comm=c\n"
	       "\tffffffff81a0 __schedule+0x10" KERNEL "\n"
	       "a 7 [000] 2.000000: probe:work: ffffffff81a0 fake (/opt/fake)\n"
	       "a 7 [001] 3.000000: probe:work: b 8 [001] 9.000000: 5 cycles: \n\n",
	       "a|-/7|0|1.000000000|sched:sched_switch|1|1|__schedule\n"
	       "a|-/7|0|2.000000000|probe:work|1|1|-\n"
	       "a|-/7|1|3.000000000|probe:work|1|1|-\n");
}

static void samples_of_several_events_keep_theirs(void **state)
{
	(void)state;
	expect("a 7 1.000000: 5 cycles: \n\t10 f\n\n"
	       "a 7 1.000001: 2 faults: \n\t10 g\n\n"
	       "a 7 1.000002: 5 cycles:u: \n\t10 f\n\n",
	       "a|-/7|-|1.000000000|cycles|1|5|f\n"
	       "a|-/7|-|1.000001000|faults|1|2|g\n"
	       "a|-/7|-|1.000002000|cycles:u|1|5|f\n");
}

static void records_between_samples_are_counted_and_change_none(void **state)
{
	static const char input[] =
		"swapper 0 0.000000: PERF_RECORD_MMAP -1/0: [0x10(0x20) @ 0x10]: x k_text\n"
		"relay 1 0.500000: PERF_RECORD_COMM exec: relay:1/1\n"
		"relay 1 1.000000: 5 cycles: \n\t10 f\n"
		"relay 1 1.100000: PERF_RECORD_LOST lost 12\n"
		"relay 1 1.200000: PERF_RECORD_FORK(2:2):(1:1)\n\t\tgoes on\n"
		"relay 1 2.000000: 5 cycles: \n\t10 g\n\n"
		"relay 1 2.100000: PERF_RECORD_LOST lost 30\n"
		"relay 1 2.100000: PERF_RECORD_LOST_SAMPLES lost 7\n"
		"relay 1 2.200000: PERF_RECORD_EXIT(1:1):(0:0)\n";
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	listener_init(&listener);
	listener_hear(&listener, &importer_perf_script, input, strlen(input), &capture);
	listener_show(&listener, &capture, &text);
	listener_show_notes(&capture, &text);
	assert_string_equal(text_string(&text), "relay|-/1|-|1.000000000|cycles|1|5|f\n"
						"relay|-/1|-|2.000000000|cycles|1|5|g\n");
	assert_int_equal(capture.records, 7);
	assert_int_equal(capture.lost, 42);
	assert_int_equal(capture.lost_samples, 7);
}

static void header_block_gives_facts(void **state)
{
	static const char input[] = "# ========\n"
				    "# captured on    : Mon Nov 30 05:00:00 2026\n"
				    "# hostname : relay-1\n"
				    "# nrcpus online : 4\n"
				    "# arch : aarch64\n"
				    "# event : name = cycles, type = 0\n"
				    "# ========\n"
				    "#\n"
				    "relay 1 1.000000: 5 cycles: \n\t10 f\n\n"
				    "# arch : behind the first sample\n";
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	(void)state;
	listener_init(&listener);
	listener_hear(&listener, &importer_perf_script, input, strlen(input), &capture);
	assert_int_equal(listener.nr, 1);
	assert_string_equal(facts_find(&capture.facts, "hostname"), "relay-1");
	assert_string_equal(facts_find(&capture.facts, "captured on"), "Mon Nov 30 05:00:00 2026");
	assert_string_equal(facts_find(&capture.facts, "arch"), "aarch64");
	assert_string_equal(facts_find(&capture.facts, "event"), "name = cycles, type = 0");
	assert_int_equal(capture.facts.nr, 5);
}

static void thread_that_is_called_like_a_comment_is_a_thread(void **state)
{
	(void)state;
	expect("#1 4711 1.000000: 5 cycles: \n\t10 f\n\n# note 5 1.000000: 5 cycles: \n",
	       "#1|-/4711|-|1.000000000|cycles|1|5|f\n");
}

static void inlined_frames_get_the_module_of_what_they_are_inlined_into(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n"
	       "\t10 mix (inlined)\n\t10 hash (inlined)\n\t10 find+0x5 (/tmp/perf-1.map)\n"
	       "\t20 rotate (inlined)\n\t20 main+0x5 (/opt/relay)\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|main;rotate~;find{jit};hash{jit}~;mix{jit}~\n");
}

static void arrows_are_a_chain_in_generated_code_only(void **state)
{
	(void)state;
	expect("java 1 1.000000: 5 cycles: \n"
	       "\t10 LFoo;::a->LBar;::b->LBaz;::c (/tmp/perf-1.map)\n"
	       "\t20 Ptr::operator->() (/opt/relay)\n"
	       "\t30 fn(u8) -> bool (/opt/relay)\n\n",
	       "java|-/1|-|1.000000000|cycles|1|5|fn(u8) -> bool;Ptr::operator->();"
	       "LFoo;::a{jit};LBar;::b{jit}~;LBaz;::c{jit}~\n");
}

static void source_lines_belong_to_the_frame_above(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n"
	       "\t10 f+0x1 (/opt/relay)\n  relay.c:14\n"
	       "\t20 g+0x1 ([kernel.kallsyms])\n  [kernel.kallsyms][ffffffff81a0]\n"
	       "\t30 h+0x1\n  relay.c:9 (inlined)\n"
	       "\t40 main+0x1 (/opt/relay)\n  relay.c:1\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|main relay.c:1;h~ relay.c:9;g;f relay.c:14\n");
}

static void source_line_below_a_one_line_sample_is_its_own(void **state)
{
	(void)state;
	expect("           relay  1   1.000000:    5 cycles:  55d0b000 spin+0x1" RELAY
	       "  relay.c:77\n"
	       "           relay  1   2.000000:    5 cycles:  55d0b000 spin+0x1" RELAY
	       "  relay.c:78\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|spin relay.c:77\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|spin relay.c:78\n");
}

static void register_lines_end_their_sample(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\t10 f" RELAY "\t20 main" RELAY
	       " ABI:2    AX:0xe    SP:0x7fff97051dd8    IP:0x7ff25d8374ba \n"
	       "relay 1 2.000000: 5 cycles: \n\t10 g" RELAY " ilen: 0\n"
	       "relay 1 3.000000: 5 cycles: \n\t10 h" RELAY "               0\n"
	       "relay 1 4.000000: 5 cycles: \n\t10 i" RELAY
	       " 0x55d0/0x55e0/P/-/-/0  0x55d1/0x55e1/M/-/-/0 \n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|main;f\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|g\n"
	       "relay|-/1|-|3.000000000|cycles|1|5|h\n"
	       "relay|-/1|-|4.000000000|cycles|1|5|i\n");
}

static void messages_mixed_in_are_noted_and_change_nothing(void **state)
{
	(void)state;
	expect("Warning:\n"
	       "Processed 12 events and lost 1 chunks!\n"
	       "relay 1 1.000000: 5 cycles: \n\t10 f\n"
	       "addr2line: DWARF error: could not find it\n"
	       "\t20 main\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|main;f\n"
	       "message 3 1 0\n");
}

static void lines_that_are_nothing_are_noted_with_their_place(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\t10 f\n\n"
	       "what is this line doing in here\n\n"
	       "relay 1 2.000000: 5 cycles: \n\tnot an address\n\t10 f\n\n"
	       "and this\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|f\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|f\n"
	       "unrecognised-line 3 4 36\n");
}

static void odd_line_in_a_stack_is_noted_each_time(void **state)
{
	(void)state;
	expect("a 1 1.000000: 5 cycles: \n\t10 f\n\tgone\n\t20 main\n\n"
	       "a 1 2.000000: 5 cycles: \n\t10 f\n\tgone\n\t20 main\n\n"
	       "a 1 3.000000: 5 cycles: \n\t10 f\n\tgone\n\t20 main\n\n",
	       "a|-/1|-|1.000000000|cycles|1|5|main;f\n"
	       "a|-/1|-|2.000000000|cycles|1|5|main;f\n"
	       "a|-/1|-|3.000000000|cycles|1|5|main;f\n"
	       "unrecognised-line 3 3 31\n");
}

static void stack_without_a_header_is_noted_in_a_file_with_headers(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\t10 f\n\n"
	       "\t10 g\n\t20 main\n\n"
	       "relay 1 2.000000: 5 cycles: \n\t10 h\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|f\n"
	       "relay|-/1|-|2.000000000|cycles|1|5|h\n"
	       "orphan-stack 1 4 36\n");
}

static void stack_behind_an_odd_line_is_an_orphan_and_not_the_sample_before(void **state)
{
	(void)state;
	expect("relay 1 1.000000: 5 cycles: \n\t10 f\n\n"
	       "relay 1 2.00\xff cyc\n\t10 g\n\n",
	       "relay|-/1|-|1.000000000|cycles|1|5|f\n"
	       "unrecognised-line 1 4 36\n"
	       "orphan-stack 1 5 54\n");
}

static void stacks_without_headers_are_samples_of_nobody(void **state)
{
	(void)state;
	expect("\n\tffffffff81a0 work\n\t20 main\n\n\n\t10 g\n\t20 main\n\n",
	       "-|-/-|-|-|-|1|1|main;work\n-|-/-|-|-|-|1|1|main;g\n");
	expect("\n\tffffffff81a0\n\t20\n\n", "-|-/-|-|-|-|1|1|[?];[?]\n");
}

static void header_may_be_a_comm_alone(void **state)
{
	(void)state;
	expect("relay \n\t10 f\n\t20 main\n\nworker 1 [b] \n\t10 g\n\n",
	       "relay|-/-|-|-|-|1|1|main;f\nworker 1 [b]|-/-|-|-|-|1|1|g\n");
}

static void header_may_be_an_event_alone(void **state)
{
	(void)state;
	expect("cpu-clock: \n\t10 f\n\t20 main\n\ncycles:u: \n\t10 g\n\n",
	       "-|-/-|-|-|cpu-clock|1|1|main;f\n-|-/-|-|-|cycles:u|1|1|g\n");
}

static void right_aligned_lines_are_a_sample_each(void **state)
{
	(void)state;
	expect("           relay  ffffffff815fd0e1 set_pte_range\n"
	       "    worker 1 [b]      558a446a6ed5 shop::find(int)\n"
	       "               7      558a446a6390 [unknown] (/opt/relay)\n",
	       "relay|-/-|-|-|-|1|1|set_pte_range\n"
	       "worker 1 [b]|-/-|-|-|-|1|1|shop::find(int)\n"
	       "7|-/-|-|-|-|1|1|[relay]\n");
	expect(" ffffffff815fd0e1 set_pte_range\n     558a446a6ed5 shop::find(int)\n",
	       "-|-/-|-|-|-|1|1|set_pte_range\n-|-/-|-|-|-|1|1|shop::find(int)\n");
	expect(" ffffffff815fd0e1\n     558a446a6ed5\n",
	       "-|-/-|-|-|-|1|1|[?]\n-|-/-|-|-|-|1|1|[?]\n");
}

static void fields_that_are_left_out_are_not_there(void **state)
{
	(void)state;
	expect("relay   1.000000:    5 cycles: \n\t10 f\n\n",
	       "relay|-/-|-|1.000000000|cycles|1|5|f\n");
	expect("  4711   1.000000:    5 cycles: \n\t10 f\n\n",
	       "-|-/4711|-|1.000000000|cycles|1|5|f\n");
	expect("relay  4711   1.000000:    5 \n\t10 f\n\n", "relay|-/4711|-|1.000000000|-|1|5|f\n");
	expect("relay  4711    5 cycles: \n\t10 f\n\n", "relay|-/4711|-|-|cycles|1|5|f\n");
	expect("relay  4711   1.000000: something else\n\t10 f\n\n",
	       "relay|-/4711|-|1.000000000|-|1|1|f\n");
	expect("relay  4711   1.000000: \n\t10 f\n\n", "relay|-/4711|-|1.000000000|-|1|1|f\n");
}

static void names_that_are_not_utf8_are_kept(void **state)
{
	(void)state;
	expect("b\xe9ta 1 1.000000: 5 cycles: \n\t10 gr\xf6\xdf"
	       "e (/opt/\xff)\n\n",
	       "b\xe9ta|-/1|-|1.000000000|cycles|1|5|gr\xf6\xdf"
	       "e\n");
}

static void same_line_means_the_same_in_every_sample(void **state)
{
	/* leaf, callers and whole stacks are remembered: all mixes of them, many times */
	static const char *const frames[] = {"\t10 f+0x1 (/opt/a)\n", "\t10 mix (inlined)\n",
					     "\t20 g (/tmp/perf-1.map)\n", "\t30 [unknown] (b)\n"};
	static const char *const shown[] = {"f", "mix~", "g{jit}", "[b]"};
	CLEANUP(text_release) struct text input = TEXT_INIT, expected = TEXT_INIT, got = TEXT_INIT;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		unsigned leaf = i % 4 == 1 ? 0 : i % 4, middle = i / 4 % 4, outer = i / 16 % 4;

		if (outer == 1)
			outer = 0; /* what is inlined has a frame around it */
		if (middle == 1 && outer == 2)
			outer = 3;
		text_addf(&input, "a 1 1.%06u: 5 cycles: \n%s%s%s\n", i, frames[leaf],
			  frames[middle], frames[outer]);
		text_addf(&expected, "a|-/1|-|1.%06u000|cycles|1|5|%s;%s;%s\n", i, shown[outer],
			  shown[middle], shown[leaf]);
	}
	hear(input.bytes, input.size, &got);
	assert_string_equal(text_string(&got), text_string(&expected));
}

/* Samples over the borders of the reader's buffer, with lines of all lengths. */
static void long_text_has_as_many_samples_as_it_has_headers(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	(void)state;
	listener_init(&listener);
	for (unsigned i = 0; i < 20000; i++) {
		text_addf(&input, "relay  %u   1.%06u:  %u cycles: \n", i % 7, i, i + 1);
		for (unsigned j = 0; j < i % 23; j++)
			text_addf(&input, "\t%16x function_%0*u+0x%x (/opt/relay)\n", i + j,
				  (int)(i % 80), j, i % 3);
		text_add(&input, "\n");
	}
	listener_hear(&listener, &importer_perf_script, input.bytes, input.size, &capture);
	assert_int_equal(listener.nr, 20000);
	for (unsigned i = 0; i < 20000; i++) {
		const struct sample *sample = &listener.list[i];
		unsigned depth = stacks_depth(&capture.stacks, sample->callers) +
				 (sample->leaf != LOCATION_NONE);

		assert_true(sample->period == weight_of(i + 1));
		assert_int_equal(depth, i % 23);
	}
	assert_int_equal(capture.notes.list[NOTE_UNRECOGNISED_LINE].count, 0);
}

static void stack_deeper_than_the_limit_is_cut_at_its_outer_end(void **state)
{
	CLEANUP(text_release) struct text input = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;

	(void)state;
	listener_init(&listener);
	text_add(&input, "a 1 1.000000: 5 cycles: \n\t10 leaf\n");
	for (unsigned i = 0; i < STACK_FRAMES_MAX + 5; i++)
		text_add(&input, i < STACK_FRAMES_MAX ? "\t20 r\n" : "\t30 outer\n");
	listener_hear(&listener, &importer_perf_script, input.bytes, input.size, &capture);
	assert_int_equal(listener.nr, 1);
	assert_int_equal(stacks_depth(&capture.stacks, listener.list[0].callers), STACK_FRAMES_MAX);
	assert_int_equal(capture.notes.list[NOTE_DEEP_STACK].count, 1);
	for (uint32_t i = 0; i < STACK_FRAMES_MAX; i += 1000)
		assert_string_equal(
			names_display(&capture.names,
				      locations_get(&capture.locations,
						    stacks_ids(&capture.stacks,
							       listener.list[0].callers)[i])
					      ->name),
			"r");
}

static void error_of_the_sink_ends_the_reading(void **state)
{
	struct reader *reader = input_open_string("a 1 1.000000: 5 cycles: \n\t10 f\n\n"
						  "a 1 2.000000: 5 cycles: \n\t10 f\n\n");
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	struct error *err;

	(void)state;
	listener_init(&listener);
	listener.fail_after = 1;
	err = importer_perf_script.read(reader, &capture, &listener.sink);
	assert_non_null(err);
	assert_string_equal(error_text(err), "the listener has had enough");
	error_free(err);
	reader_close(reader);
}

static void text_of_perf_script_is_recognised(void **state)
{
	static const char *const texts[] = {
		"relay  4711   701.467456:     250000 cpu-clock: \n\t10 f\n",
		"# ========\n# captured on : today\n",
		"\n\tffffffff81a0 work\n",
		"relay \n\tffffffff81a0 work\n",
		"           relay  ffffffff815fd0e1 set_pte_range\n",
		" ffffffff815fd0e1 set_pte_range\n",
		"Warning:\nrelay 1 1.000000: 5 cycles: \r\n",
		"relay 1 1.000000: PERF_RECORD_COMM: relay:1/1\n",
		"b\xe9ta 1 1.000000: 5 cycles: \n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++)
		if (!importer_perf_script.sniff(texts[i], strlen(texts[i])))
			fail_msg("'%s'", texts[i]);
}

static void other_texts_are_not_recognised(void **state)
{
	static const char *const texts[] = {
		"",
		"main;read_all;read 12\n",
		"just some words\n",
		"main;f: 12 3\n",
		"{\"a\": 1}\n",
		"a;b::c(int) 5\na;10: x 7\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++)
		if (importer_perf_script.sniff(texts[i], strlen(texts[i])))
			fail_msg("'%s'", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_come_outermost_first),
		cmocka_unit_test(last_sample_needs_no_blank_line_and_no_line_feed),
		cmocka_unit_test(header_alone_is_a_sample_without_a_stack),
		cmocka_unit_test(carriage_returns_are_no_part_of_names),
		cmocka_unit_test(sample_without_a_period_stands_for_itself),
		cmocka_unit_test(frame_without_a_symbol_is_its_module),
		cmocka_unit_test(leaf_on_the_header_line_is_the_stack),
		cmocka_unit_test(address_and_weight_columns_are_no_frames),
		cmocka_unit_test(payload_of_a_tracepoint_is_never_a_frame),
		cmocka_unit_test(samples_of_several_events_keep_theirs),
		cmocka_unit_test(records_between_samples_are_counted_and_change_none),
		cmocka_unit_test(header_block_gives_facts),
		cmocka_unit_test(thread_that_is_called_like_a_comment_is_a_thread),
		cmocka_unit_test(inlined_frames_get_the_module_of_what_they_are_inlined_into),
		cmocka_unit_test(arrows_are_a_chain_in_generated_code_only),
		cmocka_unit_test(source_lines_belong_to_the_frame_above),
		cmocka_unit_test(source_line_below_a_one_line_sample_is_its_own),
		cmocka_unit_test(register_lines_end_their_sample),
		cmocka_unit_test(messages_mixed_in_are_noted_and_change_nothing),
		cmocka_unit_test(lines_that_are_nothing_are_noted_with_their_place),
		cmocka_unit_test(odd_line_in_a_stack_is_noted_each_time),
		cmocka_unit_test(stack_without_a_header_is_noted_in_a_file_with_headers),
		cmocka_unit_test(stack_behind_an_odd_line_is_an_orphan_and_not_the_sample_before),
		cmocka_unit_test(stacks_without_headers_are_samples_of_nobody),
		cmocka_unit_test(header_may_be_a_comm_alone),
		cmocka_unit_test(header_may_be_an_event_alone),
		cmocka_unit_test(right_aligned_lines_are_a_sample_each),
		cmocka_unit_test(fields_that_are_left_out_are_not_there),
		cmocka_unit_test(names_that_are_not_utf8_are_kept),
		cmocka_unit_test(same_line_means_the_same_in_every_sample),
		cmocka_unit_test(long_text_has_as_many_samples_as_it_has_headers),
		cmocka_unit_test(stack_deeper_than_the_limit_is_cut_at_its_outer_end),
		cmocka_unit_test(error_of_the_sink_ends_the_reading),
		cmocka_unit_test(text_of_perf_script_is_recognised),
		cmocka_unit_test(other_texts_are_not_recognised),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
