/* perf_data_world.c - a recording that is good in all parts: two processes on two CPUs, in rounds
 */
#include "tests/support/perf_data_world.h"

#include "base/mem.h"
#include "tests/support/perf_data_builder.h"

enum {
	TYPE_FORK = 7,
	TYPE_EXIT = 4,
	MISC_KERNEL = 1,
	MISC_USER = 2,
	MISC_EXEC = 1 << 13,
	FEATURE_HOSTNAME = 3,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	CONTEXT_KERNEL = -128,
	CONTEXT_USER = -512,
};

#define START	     UINT64_C(5000000000)
#define KERNEL_BEGIN 0xffffffff81000000u
#define PROGRAM	     0x555500000000u
#define LIBRARY	     0x7f0000000000u

/* IP TID TIME CALLCHAIN CPU PERIOD IDENTIFIER; sample_id_all */
static void add_attrs(struct builder *builder, const struct world_options *options)
{
	const uint64_t bits = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 16;
	const struct builder_attr clock = {
		.size = options->attr_size,
		.type = 1,
		.period = 999,
		.sample_type = bits,
		.read_format = 4,
		.flags = 1 << 18 | 1 << 10 | 1 << 8 | 1 << 9 | 1 << 23 | 1 << 24,
		.ids = {11, 12},
		.ids_nr = 2,
	};
	struct builder_attr faults = clock;

	faults.config = 2;
	faults.flags = 1 << 18;
	faults.period = 1;
	faults.ids[0] = 21;
	faults.ids[1] = 22;
	builder_attr(builder, clock);
	builder_attr(builder, faults);
}

static void add_state(struct builder *builder)
{
	builder_mmap(builder, MISC_KERNEL, UINT32_MAX, KERNEL_BEGIN, 0x1000000, KERNEL_BEGIN,
		     "[kernel.kallsyms]_text", 0);
	builder_comm(builder, 0, 100, 100, "shell", 0);
	builder_mmap2(builder, MISC_USER, 100, PROGRAM, 0x10000, 0x1000, "/usr/bin/shell", 0);
	builder_mmap2(builder, MISC_USER, 100, LIBRARY, 0x20000, 0x2000, "/usr/lib/libc.so.6", 0);
}

/* The events of time: what belongs to the samples of this time and later. */
static void add_change(struct builder *builder, unsigned round, uint64_t time)
{
	switch (round) {
	case 1:
		builder_task(builder, TYPE_FORK, 0, 200, 100, 200, 100, time);
		break;
	case 2:
		builder_comm(builder, MISC_EXEC, 200, 200, "work", time);
		builder_mmap2(builder, MISC_USER, 200, PROGRAM, 0x8000, 0, "/opt/work", time + 1);
		builder_mmap2(builder, MISC_USER, 200, LIBRARY, 0x20000, 0x2000,
			      "/usr/lib/libc.so.6", time + 2);
		break;
	case 3:
		builder_task(builder, TYPE_FORK, 0, 200, 200, 201, 200, time);
		builder_comm(builder, 0, 201, 201, "helper", time + 1);
		builder_lost(builder, 7, time + 2);
		break;
	case 4: /* over the middle of the program */
		builder_mmap2(builder, MISC_USER, 200, PROGRAM + 0x2000, 0x1000, 0x7000,
			      "/opt/plugin.so", time);
		builder_words(builder, 250, 0, (const uint64_t[]){1, 2, 3, 4}, 4);
		break;
	}
}

static void add_sample(struct builder *builder, unsigned round, unsigned nr, uint64_t time,
		       uint32_t cpu)
{
	const bool is_fault = nr % 5 == 4, in_kernel = nr % 3 == 0;
	const uint64_t from = PROGRAM + 0x100 * (nr % 32);
	const uint64_t chain[] = {
		(uint64_t)CONTEXT_KERNEL,
		KERNEL_BEGIN + 0x40 + nr % 7,
		KERNEL_BEGIN + 0x800,
		(uint64_t)CONTEXT_USER,
		from,
		PROGRAM + 0x2040,
		LIBRARY + 0x500 + 16 * round,
		PROGRAM + 0x10,
	};
	const unsigned skipped = in_kernel ? 0 : 3;
	const uint32_t pid = cpu && round > 1 ? 200 : 100;
	const uint64_t id = is_fault ? 21 + cpu : 11 + cpu;

	builder_sample(builder, is_fault,
		       &(struct builder_sample){
			       .misc = in_kernel ? MISC_KERNEL : MISC_USER,
			       .identifier = id,
			       .ip = in_kernel ? chain[1] : from,
			       .pid = pid,
			       .tid = pid == 200 && nr % 2 && round > 3 ? 201 : pid,
			       .time = time,
			       .cpu = cpu,
			       .period = is_fault ? 1 : 1001001 + nr,
			       .chain = chain + skipped,
			       .chain_nr = ARRAY_NR(chain) - skipped,
		       });
}

/*
 * Each CPU's buffer is in order, one behind the other. Times of a round overlap those of the
 * next by as much as perf allows.
 */
static void add_round(struct builder *builder, const struct world_options *options, unsigned round)
{
	const uint64_t begin = START + round * UINT64_C(1600000);

	if (options->is_packed)
		builder_pack(builder);
	add_change(builder, round, begin);
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		for (unsigned i = 0; i < 8; i++)
			add_sample(builder, round, 16 * round + 8 * cpu + i,
				   begin + 10 + 200000 * i + 100000 * cpu + (cpu ? 150000 : 0),
				   cpu);
	if (options->is_packed)
		builder_packed(builder, options->packing ? options->packing : 81, 333);
	if (!options->lacks_rounds)
		builder_round(builder);
}

static void add_features(struct builder *builder)
{
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	builder_string(builder, &bytes, "relay-1");
	builder_feature(builder, FEATURE_HOSTNAME, &bytes);
	text_clear(&bytes);
	builder_u32(builder, &bytes, 2);
	builder_string(builder, &bytes, "/usr/bin/perf");
	builder_string(builder, &bytes, "record");
	builder_feature(builder, FEATURE_CMDLINE, &bytes);
	text_clear(&bytes);
	builder_u32(builder, &bytes, 2);
	builder_u32(builder, &bytes, 64);
	for (int i = 0; i < 2; i++) {
		for (int byte = 0; byte < 64; byte++)
			text_add_char(&bytes, 0);
		builder_u32(builder, &bytes, 1);
		builder_string(builder, &bytes, i ? "page-faults:u" : "cpu-clock:u");
		builder_u64(builder, &bytes, i ? 21 : 11);
	}
	builder_feature(builder, FEATURE_EVENT_DESC, &bytes);
}

void world_build(const struct world_options *options, struct text *ret)
{
	CLEANUP(builder_release)
	struct builder builder = {.is_big = options->is_big, .is_pipe = options->is_pipe};

	add_attrs(&builder, options);
	if (options->is_pipe)
		add_features(&builder);
	add_state(&builder);
	for (unsigned i = 0; i < options->rounds; i++)
		add_round(&builder, options, i);
	builder_task(&builder, TYPE_EXIT, 0, 200, 100, 200, 100,
		     START + options->rounds * UINT64_C(1600000) + 700000);
	if (!options->is_pipe)
		add_features(&builder);
	builder_finish(&builder, ret);
}
