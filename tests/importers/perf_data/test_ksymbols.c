/* test_ksymbols.c - code that comes into the kernel has its name while it is there */
#include "tests/test.h"

#include "importers/perf_data/ksymbols.h"

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	KERNEL_MODE = 1,
	KSYMBOL = 17,
	BPF_EVENT = 18,
	GOES = 1,
};

#define TYPE   (1 << 0 | 1 << 1 | 1 << 2) /* IP TID TIME */
#define ID_ALL (1 << 18)
#define AT     UINT64_C(0xffffffffc0001000)

#define PROGRAM "bpf_prog_00112233445566ff_f"

static void begin(struct builder *builder)
{
	builder_attr(builder,
		     (struct builder_attr){
			     .type = 1, .period = 1, .sample_type = TYPE, .flags = ID_ALL});
	builder_comm(builder, 0, 7, 7, "a", 0);
}

static void ksymbol(struct builder *builder, uint64_t time, uint64_t at, uint16_t kind,
		    uint16_t flags, const char *name)
{
	builder_begin(builder, KSYMBOL, 0);
	builder_u64(builder, &builder->data, at);
	builder_u32(builder, &builder->data, 0x40);
	builder_u16(builder, &builder->data, kind);
	builder_u16(builder, &builder->data, flags);
	text_add_bytes(&builder->data, name, strlen(name) + 1);
	builder_trailer(builder, 0, 0, 0, time);
	builder_end(builder);
}

static void sample(struct builder *builder, uint64_t time, uint64_t ip)
{
	builder_sample(builder, 0,
		       &(struct builder_sample){
			       .misc = KERNEL_MODE, .ip = ip, .pid = 7, .tid = 7, .time = time});
}

static void name_holds_from_register_to_unregister(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	sample(&builder, 10, AT + 8);
	ksymbol(&builder, 20, AT, 1, 0, PROGRAM);
	sample(&builder, 30, AT);
	sample(&builder, 31, AT + 0x3f);
	sample(&builder, 32, AT + 0x40);
	ksymbol(&builder, 40, AT, 1, GOES, PROGRAM);
	sample(&builder, 50, AT + 8);
	ksymbol(&builder, 60, AT, 1, 0, "bpf_prog_other");
	sample(&builder, 70, AT + 8);
	heard_expect(&builder,
		     "10 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffffc0001008\n"
		     "30 a 7/7 cpu-clock 1 [" PROGRAM "]+ffffffffc0001000(" PROGRAM ")\n"
		     "31 a 7/7 cpu-clock 1 [" PROGRAM "]+ffffffffc000103f(" PROGRAM ")\n"
		     "32 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffffc0001040\n"
		     "50 a 7/7 cpu-clock 1 [kernel.kallsyms]+ffffffffc0001008\n"
		     "70 a 7/7 cpu-clock 1 [bpf_prog_other]+ffffffffc0001008(bpf_prog_other)\n");
}

static void trampolines_have_names_too(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;

	(void)state;
	begin(&builder);
	builder_mmap(&builder, KERNEL_MODE, UINT32_MAX, AT - 0x1000, 0x10000, 0, "[mod]", 0);
	ksymbol(&builder, 5, AT, 2, 0, "ftrace_trampoline");
	sample(&builder, 10, AT + 8);
	sample(&builder, 20, AT + 0x80);
	heard_built(&heard, &builder);
	assert_string_equal(
		text_string(&heard.lines),
		"10 a 7/7 cpu-clock 1 [ftrace_trampoline]+ffffffffc0001008(ftrace_trampoline)\n"
		"20 a 7/7 cpu-clock 1 [mod]+ffffffffc0001080\n");
	assert_int_equal(heard.capture.modules.list[1].origin, ORIGIN_KERNEL);
	assert_int_equal(heard.capture.ksymbols.list[0].kind, KSYMBOL_OUT_OF_LINE);
}

static void hidden_addresses_name_nothing(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};

	(void)state;
	begin(&builder);
	ksymbol(&builder, 5, 0, 1, 0, PROGRAM);
	ksymbol(&builder, 6, AT, 1, GOES, PROGRAM); /* never came */
	sample(&builder, 10, 8);
	heard_expect(&builder, "10 a 7/7 cpu-clock 1 [kernel.kallsyms]+8\n");
}

static void model_keeps_what_came_and_went(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(heard_release) struct heard heard;
	const struct ksymbol *list;

	(void)state;
	begin(&builder);
	ksymbol(&builder, 20, AT, 1, 0, PROGRAM);
	builder_begin(&builder, BPF_EVENT, 0);
	builder_u16(&builder, &builder.data, 1);
	builder_u16(&builder, &builder.data, 0);
	builder_u32(&builder, &builder.data, 42);
	text_add_bytes(&builder.data, "\x00\x11\x22\x33\x44\x55\x66\xff", 8);
	builder_trailer(&builder, 0, 0, 0, 21);
	builder_end(&builder);
	ksymbol(&builder, 40, AT, 1, GOES, PROGRAM);
	ksymbol(&builder, 60, AT, 1, 0, "bpf_prog_other");
	sample(&builder, 70, AT);
	heard_built(&heard, &builder);
	assert_int_equal(heard.capture.ksymbols.nr, 2);
	list = heard.capture.ksymbols.list;
	assert_true(list[0].begin == AT && list[0].size == 0x40);
	assert_int_equal(list[0].kind, KSYMBOL_BPF);
	assert_int_equal(list[0].program, 42);
	assert_int_equal(list[0].from_ns, 20);
	assert_int_equal(list[0].to_ns, 40);
	assert_int_equal(list[1].program, 0);
	assert_int_equal(list[1].to_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(name_holds_from_register_to_unregister),
		cmocka_unit_test(trampolines_have_names_too),
		cmocka_unit_test(hidden_addresses_name_nothing),
		cmocka_unit_test(model_keeps_what_came_and_went),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
