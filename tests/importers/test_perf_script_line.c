/* test_perf_script_line.c - the grammar of one line of perf script text */
#include "tests/test.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "importers/perf_script_line.h"
#include "model/sink.h"
#include "model/tasks.h"

static void add_span(struct text *text, struct span span)
{
	if (span.at)
		text_add_bytes(text, span.at, span.size);
	else
		text_add_char(text, '-');
	text_add_char(text, '|');
}

static void add_id(struct text *text, int32_t id, int32_t none, char after)
{
	if (id == none)
		text_add_char(text, '-');
	else
		text_addf(text, "%" PRId32, id);
	text_add_char(text, after);
}

/* "comm|pid/tid|cpu|time|period|event|rest", '-' for what is not there. */
static void show_header(const struct perf_script_header *header, struct text *text)
{
	if (header->kind == HEADER_RECORD)
		text_add(text, "record:");
	add_span(text, header->comm);
	add_id(text, header->pid, TASK_ID_NONE, '/');
	add_id(text, header->tid, TASK_ID_NONE, '|');
	add_id(text, header->cpu, CPU_NONE, '|');
	if (header->has_time)
		units_add_seconds(text, header->time_ns);
	else
		text_add_char(text, '-');
	text_add_char(text, '|');
	if (header->has_period)
		text_addf(text, "%" PRIu64 "|", header->period);
	else
		text_add(text, "-|");
	add_span(text, header->event);
	text_add_bytes(text, header->rest.at ? header->rest.at : "", header->rest.size);
}

struct line {
	const char *line, *shown;
};

static void expect_headers(const struct line *lines, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;
		struct perf_script_header header;

		if (!perf_script_header(lines[i].line, strlen(lines[i].line), &header))
			text_add(&text, "no header");
		else
			show_header(&header, &text);
		if (strcmp(text_string(&text), lines[i].shown) != 0)
			fail_msg("'%s'\nis       '%s'\nexpected '%s'", lines[i].line,
				 text_string(&text), lines[i].shown);
	}
}

static void default_header_has_comm_tid_time_period_and_event(void **state)
{
	static const struct line lines[] = {
		{"relay  4711   701.467456:     250000 cpu-clock: ",
		 "relay|-/4711|-|701.467456000|250000|cpu-clock|"},
		{"relay  4711   701.467456:     250000 cpu-clock:ppp: ",
		 "relay|-/4711|-|701.467456000|250000|cpu-clock:ppp|"},
		{"relay 4711 [003] 701.467456: cycles:u: ",
		 "relay|-/4711|3|701.467456000|-|cycles:u|"},
		{"relay  4700/4711  [000]   701.467456:          1 cycles: ",
		 "relay|4700/4711|0|701.467456000|1|cycles|"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void comm_may_hold_anything(void **state)
{
	static const struct line lines[] = {
		{"pool worker 7  4711   701.467456:     1 cycles: ",
		 "pool worker 7|-/4711|-|701.467456000|1|cycles|"},
		{"worker [b] (2)  4711 [001] 701.467456:     1 cycles: ",
		 "worker [b] (2)|-/4711|1|701.467456000|1|cycles|"},
		{"42  4711   701.467456:     1 cycles: ", "42|-/4711|-|701.467456000|1|cycles|"},
		{"42 [001]  4711   701.467456:     1 cycles: ",
		 "42 [001]|-/4711|-|701.467456000|1|cycles|"},
		{"x  4711   701.467456:     1 cycles: ", "x|-/4711|-|701.467456000|1|cycles|"},
		{"  4711   701.467456:     1 cycles: ", "|-/4711|-|701.467456000|1|cycles|"},
		{":4711  4711   701.467456:     1 cycles: ",
		 ":4711|-/4711|-|701.467456000|1|cycles|"},
		{"größe  4711   701.467456:     1 cycles: ",
		 "größe|-/4711|-|701.467456000|1|cycles|"},
		{"b\xe9ta  4711   701.467456:     1 cycles: ",
		 "b\xe9ta|-/4711|-|701.467456000|1|cycles|"},
		{"kworker/u8:3+ev  41   701.467456:     1 cycles: ",
		 "kworker/u8:3+ev|-/41|-|701.467456000|1|cycles|"},
		{"migration/0  18 [000] 701.467456:     1 cycles: ",
		 "migration/0|-/18|0|701.467456000|1|cycles|"},
		{"a:b: c;d  4711   701.467456:     1 cycles: ",
		 "a:b: c;d|-/4711|-|701.467456000|1|cycles|"},
		{"1/2 3  4711   701.467456:     1 cycles: ",
		 "1/2 3|-/4711|-|701.467456000|1|cycles|"},
		{"v1.2:  4711   701.467456:     1 cycles: ",
		 "v1.2:|-/4711|-|701.467456000|1|cycles|"},
		{"#1  4711   701.467456:     1 cycles: ", "#1|-/4711|-|701.467456000|1|cycles|"},
		{"         padded  4711   701.467456:     1 cycles:  ",
		 "padded|-/4711|-|701.467456000|1|cycles|"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void ids_may_be_minus_one_zero_or_missing(void **state)
{
	static const struct line lines[] = {
		{":-1    -1   701.467456:     1 cycles: ", ":-1|-/-1|-|701.467456000|1|cycles|"},
		{":-1 -1/-1   701.467456:     1 cycles: ", ":-1|-1/-1|-|701.467456000|1|cycles|"},
		{"swapper     0 [002]   701.467456:     1 cycles: ",
		 "swapper|-/0|2|701.467456000|1|cycles|"},
		{"relay   701.467456:     1 cycles: ", "relay|-/-|-|701.467456000|1|cycles|"},
		{"relay [001] 701.467456:  1 cycles: ", "relay|-/-|1|701.467456000|1|cycles|"},
		{"  701.467456:     1 cycles: ", "|-/-|-|701.467456000|1|cycles|"},
		{"relay 4294967296 701.467456: 1 cycles: ",
		 "relay 4294967296|-/-|-|701.467456000|1|cycles|"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void times_have_micro_or_nanoseconds(void **state)
{
	static const struct line lines[] = {
		{"relay 7 0.000000: cycles: ", "relay|-/7|-|0.000000000|-|cycles|"},
		{"relay 7 701.467456358: cycles: ", "relay|-/7|-|701.467456358|-|cycles|"},
		{"relay 7 1764481505.467456: cycles: ",
		 "relay|-/7|-|1764481505.467456000|-|cycles|"},
		{"relay 7 701.4674: cycles: ", "no header"},
		{"relay 7 701.4674563581: cycles: ", "no header"},
		{"relay 7 99999999999999999999.467456: 1 cycles: ", "no header"},
		{"relay 7 9223372036.854775807: cycles: ",
		 "relay|-/7|-|9223372036.854775807|-|cycles|"},
		{"relay 7 9223372036.854775808: 1 cycles: ", "no header"},
		{"relay 7 18446744073.709551616: 1 cycles: ", "no header"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void header_without_time_needs_ids_and_an_event(void **state)
{
	static const struct line lines[] = {
		{"relay  4711    1001001 cpu-clock: ", "relay|-/4711|-|-|1001001|cpu-clock|"},
		{"relay  4711 cpu-clock: ", "relay|-/4711|-|-|-|cpu-clock|"},
		{"relay  4700/4711 [003] 12 cycles:u: ", "relay|4700/4711|3|-|12|cycles:u|"},
		{"pool 7 x  4711 12 cycles: ", "pool 7 x|-/4711|-|-|12|cycles|"},
		{"relay  4711", "no header"},
		{"relay  cycles:", "no header"},
		{"just some words: really", "no header"},
		{"", "no header"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void events_have_modifiers_slashes_and_colons(void **state)
{
	static const struct line lines[] = {
		{"r 7 1.000000: 5 cycles:ukhppp: ", "r|-/7|-|1.000000000|5|cycles:ukhppp|"},
		{"r 7 1.000000: 5 cpu/event=0x3c,umask=0x1/u: ",
		 "r|-/7|-|1.000000000|5|cpu/event=0x3c,umask=0x1/u|"},
		{"r 7 1.000000: 5 cpu_core/cycles/P: ", "r|-/7|-|1.000000000|5|cpu_core/cycles/P|"},
		{"r 7 1.000000: sched:sched_switch: a b",
		 "r|-/7|-|1.000000000|-|sched:sched_switch|a b"},
		{"r 7 1.000000: 5 mem:0x400b:rw: ", "r|-/7|-|1.000000000|5|mem:0x400b:rw|"},
		{"r 7 1.000000: 5 L1-dcache-load-misses: ",
		 "r|-/7|-|1.000000000|5|L1-dcache-load-misses|"},
		{"r 7 1.000000: 5 r01c2: ", "r|-/7|-|1.000000000|5|r01c2|"},
		{"r 7 1.000000: 5 ", "r|-/7|-|1.000000000|5|-|"},
		{"r 7 1.000000: ", "r|-/7|-|1.000000000|-|-|"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void payload_is_left_whole(void **state)
{
	static const struct line lines[] = {
		{"a 7 [000] 1.000000: sched:sched_switch: prev_comm=b 8 [001] 2.000000: 5 cycles: "
		 "prev_pid=7 ==> next_comm=x:y",
		 "a|-/7|0|1.000000000|-|sched:sched_switch|prev_comm=b 8 [001] 2.000000: 5 cycles: "
		 "prev_pid=7 ==> next_comm=x:y"},
		{"a 7 1.000000: syscalls:sys_enter_write: fd: 0x00000003, buf: 0x55652a0d5f80",
		 "a|-/7|-|1.000000000|-|syscalls:sys_enter_write|fd: 0x00000003, buf: "
		 "0x55652a0d5f80"},
		{"a 7 1.000000: probe:f: (ffffffff81a0) arg=\"x; y\"",
		 "a|-/7|-|1.000000000|-|probe:f|(ffffffff81a0) arg=\"x; y\""},
		{"a 7 1.000000: 5 cycles:  ffffffff81a0 work+0x10 ([kernel.kallsyms])",
		 "a|-/7|-|1.000000000|5|cycles|ffffffff81a0 work+0x10 ([kernel.kallsyms])"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void misc_and_time_of_day_are_no_part_of_the_comm(void **state)
{
	static const struct line lines[] = {
		{"relay  4711 K       1.000000:    5 cycles: ",
		 "relay|-/4711|-|1.000000000|5|cycles|"},
		{"relay  4711 U       1.000000:    5 cycles: ",
		 "relay|-/4711|-|1.000000000|5|cycles|"},
		{"relay  4711/4712 Sp  1.000000:    5 cycles: ",
		 "relay|4711/4712|-|1.000000000|5|cycles|"},
		{"Vitamin K   1.000000:    5 cycles: ", "Vitamin K|-/-|-|1.000000000|5|cycles|"},
		{"relay  4711 [000] 2026-11-30 05:05:01.283322   1.000000:    5 cycles: ",
		 "relay|-/4711|0|1.000000000|5|cycles|"},
		{"relay  4711 2026-11-30 05:05:01.283322   1.000000:    5 cycles: ",
		 "relay|-/4711|-|1.000000000|5|cycles|"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void records_are_no_samples(void **state)
{
	static const struct line lines[] = {
		{"relay  4711   1.000000: PERF_RECORD_COMM exec: relay:4711/4711",
		 "record:relay|-/4711|-|1.000000000|-|-|PERF_RECORD_COMM exec: relay:4711/4711"},
		{"swapper     0 [000]     0.000000: PERF_RECORD_FORK(1:1):(0:0)",
		 "record:swapper|-/0|0|0.000000000|-|-|PERF_RECORD_FORK(1:1):(0:0)"},
		{"relay  4711 PERF_RECORD_COMM: relay:4711/4711",
		 "record:relay|-/4711|-|-|-|-|PERF_RECORD_COMM: relay:4711/4711"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

static void frame_and_source_lines_are_no_headers(void **state)
{
	static const struct line lines[] = {
		{"\tffffffff81a00010 worker_thread+0x10 ([kernel.kallsyms])", "no header"},
		{"\t    55d0 std::pair<int, a::b>::f (/opt/x)", "no header"},
		{"  relay.c:137", "no header"},
		{" ABI:2    AX:0xe    SP:0x7fff97051dd8 ", "no header"},
		{"\t    55d0 f(int): g (/opt/x)", "no header"},
	};

	(void)state;
	expect_headers(lines, ARRAY_NR(lines));
}

/* "address|symbol|module" and " inlined", " no symbol column". */
static void show_frame(const struct perf_script_frame *frame, struct text *text)
{
	text_addf(text, "%" PRIx64 "|", frame->address);
	add_span(text, frame->symbol);
	if (frame->module.at)
		text_add_bytes(text, frame->module.at, frame->module.size);
	else
		text_add_char(text, '-');
	if (frame->is_inlined)
		text_add(text, " inlined");
	if (!frame->has_symbol_column)
		text_add(text, " no symbol column");
}

static void expect_frames(const struct line *lines, size_t nr,
			  bool (*parse)(const char *, size_t, struct perf_script_frame *))
{
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;
		struct perf_script_frame frame;

		if (!parse(lines[i].line, strlen(lines[i].line), &frame))
			text_add(&text, "no frame");
		else
			show_frame(&frame, &text);
		if (strcmp(text_string(&text), lines[i].shown) != 0)
			fail_msg("'%s'\nis       '%s'\nexpected '%s'", lines[i].line,
				 text_string(&text), lines[i].shown);
	}
}

static void frame_is_address_symbol_and_module(void **state)
{
	static const struct line lines[] = {
		{"\tffffffff81a00010 worker_thread+0x10 ([kernel.kallsyms])",
		 "ffffffff81a00010|worker_thread|[kernel.kallsyms]"},
		{"\t    55d0a1c0 main (/opt/relay/relay)", "55d0a1c0|main|/opt/relay/relay"},
		{"            55d0 main+0x1f", "55d0|main|-"},
		{"55d0 main", "55d0|main|-"},
		{"\t               0 [unknown] ([unknown])", "0|-|-"},
		{"\t    7fcfaf87a758 [unknown] (/usr/lib/libc.so.6)",
		 "7fcfaf87a758|-|/usr/lib/libc.so.6"},
		{"\t    55d0 f ([unknown])", "55d0|f|-"},
		{"\tffffffff81a00010", "ffffffff81a00010|-|- no symbol column"},
		{"\tffffffff81a00010 (/opt/relay/relay)",
		 "ffffffff81a00010|-|/opt/relay/relay no symbol column"},
		{"\tFFFFFFFF81A00010 f", "ffffffff81a00010|f|-"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_frame);
}

static void symbols_are_kept_whole(void **state)
{
	static const struct line lines[] = {
		{"\t1 std::map<int, std::string>::find(int const&) const+0x3 (/opt/x)",
		 "1|std::map<int, std::string>::find(int const&) const|/opt/x"},
		{"\t1 run(int)::{lambda(unsigned int)#1}::operator()(unsigned int) const (/opt/x)",
		 "1|run(int)::{lambda(unsigned int)#1}::operator()(unsigned int) const|/opt/x"},
		{"\t1 net/http.(*conn).serve+0x8 (/opt/x)", "1|net/http.(*conn).serve|/opt/x"},
		{"\t1 Ptr::operator->() const+0x8 (/opt/x)", "1|Ptr::operator->() const|/opt/x"},
		{"\t1 grow.constprop.0.isra.0.cold+0x1 (/opt/x)",
		 "1|grow.constprop.0.isra.0.cold|/opt/x"},
		{"\t1 core::ops::function::FnOnce::call_once::h0123456789abcdef+0x2 (/opt/x)",
		 "1|core::ops::function::FnOnce::call_once::h0123456789abcdef|/opt/x"},
		{"\t1 Lcom/acme/Vec;::add+0x1 (/tmp/perf-1.map)",
		 "1|Lcom/acme/Vec;::add|/tmp/perf-1.map"},
		{"\t1 (anonymous namespace)::f+0x1 (/opt/x)", "1|(anonymous namespace)::f|/opt/x"},
		{"\t1 f+0x10+0x20 (/opt/x)", "1|f+0x10|/opt/x"},
		{"\t1 f+0x (/opt/x)", "1|f+0x|/opt/x"},
		{"\t1 f+10 (/opt/x)", "1|f+10|/opt/x"},
		{"\t1 memcpy@@GLIBC_2.14+0x1 (/opt/x)", "1|memcpy@@GLIBC_2.14|/opt/x"},
		{"\t1 größe+0x1 (/opt/x)", "1|größe|/opt/x"},
		{"\t1 b\xe9ta+0x1 (/opt/x)", "1|b\xe9ta|/opt/x"},
		{"\t1 deadbeef+0x1 (/opt/x)", "1|deadbeef|/opt/x"},
		{"\t1 f(int)", "1|f(int)|-"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_frame);
}

static void module_paths_hold_blanks_and_parentheses(void **state)
{
	static const struct line lines[] = {
		{"\t1 f+0x1 (/opt/my app/relay)", "1|f|/opt/my app/relay"},
		{"\t1 f+0x1 (/opt/app (old)/relay)", "1|f|/opt/app (old)/relay"},
		{"\t1 f+0x1 (/opt/app (old))", "1|f|/opt/app (old)"},
		{"\t1 f(int)+0x1 (/opt/relay (deleted))", "1|f(int)|/opt/relay (deleted)"},
		{"\t1 f+0x1 (/opt/odd)name)", "1|f|/opt/odd)name"},
		{"\t1 f(a (b) c)+0x1 (/opt/x)", "1|f(a (b) c)|/opt/x"},
		{"\t1 f+0x1 (/usr/lib/libc.so.6+0x1234)", "1|f|/usr/lib/libc.so.6"},
		{"\t1 f+0x1 ([vdso])", "1|f|[vdso]"},
		{"\t1 [unknown] ([JIT] tid 4711)", "1|-|[JIT] tid 4711"},
		{"\t1 f+0x1 ()", "1|f|-"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_frame);
}

static void inlined_is_no_module(void **state)
{
	static const struct line lines[] = {
		{"\t1 mix (inlined)", "1|mix|- inlined"},
		{"\t1 std::swap<int>(int&, int&) (inlined)",
		 "1|std::swap<int>(int&, int&)|- inlined"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_frame);
}

static void line_that_begins_with_no_address_is_no_frame(void **state)
{
	static const struct line lines[] = {
		{"", "no frame"},
		{"\t", "no frame"},
		{"\tmain (/opt/x)", "no frame"},
		{"\t12345678901234567 f", "no frame"},
		{"\t1g f", "no frame"},
		{"\t0x55d0 f", "no frame"},
		{"\t...", "no frame"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_frame);
}

static void data_address_before_the_ip_is_skipped(void **state)
{
	static const struct line lines[] = {
		{"ffffffff81a0 work+0x10 ([kernel.kallsyms])",
		 "ffffffff81a0|work|[kernel.kallsyms]"},
		{"7f12a0 ffffffff81a0 work+0x10 ([kernel.kallsyms])",
		 "ffffffff81a0|work|[kernel.kallsyms]"},
		{"0 55d0 [unknown] ([unknown])", "55d0|-|-"},
		{"55d0 add (/opt/x)", "55d0|add|/opt/x"},
		{"55d0", "55d0|-|- no symbol column"},
	};

	(void)state;
	expect_frames(lines, ARRAY_NR(lines), perf_script_inline_frame);
}

static void tracepoints_are_told_from_modifiers(void **state)
{
	static const struct {
		const char *event;
		bool is_tracepoint;
	} cases[] = {
		{"sched:sched_switch", true}, {"syscalls:sys_enter_write", true},
		{"probe:work", true},	      {"cycles:u", false},
		{"cycles:ppp", false},	      {"cycles", false},
		{"cpu/event=0x3c/u", false},  {"cpu-clock:uhH", false},
		{"sdt_libc:setjmp", true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		struct span event = {cases[i].event, strlen(cases[i].event)};

		if (perf_script_is_tracepoint(event) != cases[i].is_tracepoint)
			fail_msg("'%s'", cases[i].event);
	}
}

static void messages_of_perf_are_known(void **state)
{
	static const char *const messages[] = {
		"Warning:",
		"Processed 1234 events and lost 5 chunks!",
		"Check IO/CPU overload!",
		"addr2line: DWARF error: could not find variable specification",
		"[ perf record: Woken up 1 times to write data ]",
		"  Warning: something indented",
	};
	static const char *const others[] = {"relay", "main;run 12", "ffffffff81a0 f", "",
					     "warned"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(messages); i++)
		if (!perf_script_is_message(messages[i], strlen(messages[i])))
			fail_msg("'%s'", messages[i]);
	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (perf_script_is_message(others[i], strlen(others[i])))
			fail_msg("'%s'", others[i]);
}

/* No byte beyond the line is read, wherever it is cut: the sanitizers watch. */
static void every_prefix_of_a_line_can_be_parsed(void **state)
{
	static const char *const lines[] = {
		("worker [b] (2)  4700/4711 Sp [001] 2026-11-30 05:05:01.283322 701.467456358: 7 "
		 "cpu/event=0x3c,umask=0x1/u:  7f12a0 ffffffff81a0 a(b)+0x10 (/opt/x (y))"),
		"\tffffffff81a00010 std::f<(a)>(int)+0x10 (/opt/app (old) (deleted))",
		"relay  4711   1.000000: PERF_RECORD_LOST lost 5",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(lines); i++) {
		for (size_t size = 0; size <= strlen(lines[i]); size++) {
			char *copy = mem_memdup(lines[i], size);
			struct perf_script_header header;
			struct perf_script_frame frame;

			perf_script_header(copy, size, &header);
			perf_script_frame(copy, size, &frame);
			perf_script_inline_frame(copy, size, &frame);
			perf_script_is_message(copy, size);
			free(copy);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_header_has_comm_tid_time_period_and_event),
		cmocka_unit_test(comm_may_hold_anything),
		cmocka_unit_test(ids_may_be_minus_one_zero_or_missing),
		cmocka_unit_test(times_have_micro_or_nanoseconds),
		cmocka_unit_test(header_without_time_needs_ids_and_an_event),
		cmocka_unit_test(events_have_modifiers_slashes_and_colons),
		cmocka_unit_test(payload_is_left_whole),
		cmocka_unit_test(misc_and_time_of_day_are_no_part_of_the_comm),
		cmocka_unit_test(records_are_no_samples),
		cmocka_unit_test(frame_and_source_lines_are_no_headers),
		cmocka_unit_test(frame_is_address_symbol_and_module),
		cmocka_unit_test(symbols_are_kept_whole),
		cmocka_unit_test(module_paths_hold_blanks_and_parentheses),
		cmocka_unit_test(inlined_is_no_module),
		cmocka_unit_test(line_that_begins_with_no_address_is_no_frame),
		cmocka_unit_test(data_address_before_the_ip_is_skipped),
		cmocka_unit_test(tracepoints_are_told_from_modifiers),
		cmocka_unit_test(messages_of_perf_are_known),
		cmocka_unit_test(every_prefix_of_a_line_can_be_parsed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
