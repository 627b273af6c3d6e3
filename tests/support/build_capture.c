/* build_capture.c - a perf.data with samples in these files, for tests of commands that name them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/support/perf_data_builder.h"

/*
 * build_capture [--id HEX] [--at OFFSET,...] [--samples N] FILE ... >perf.data
 *
 * Options hold for the files behind them. Each file is mapped whole and has N samples (1) at each
 * of its offsets (1000), which are hexadecimal; an empty ID is none.
 */
enum {
	MISC_USER = 2,
	MISC_BUILD_ID = 1 << 14,
	TYPE_MMAP2 = 10,
	PROCESS = 100,
	FILE_BYTES = 0x1000000,
	ID_BYTES = 20,
	CONTEXT_USER = -512,
};

#define FIRST_BEGIN UINT64_C(0x7f0000000000)

struct capture_words {
	const char *id, *offsets;
	unsigned samples;
};

static void add_id(struct builder *builder, const char *hex)
{
	size_t size = strlen(hex) / 2;

	if (size > ID_BYTES)
		exit(99);
	text_add_char(&builder->data, (char)size);
	text_add_bytes(&builder->data, "\0\0\0", 3);
	for (size_t i = 0; i < ID_BYTES; i++) {
		unsigned byte = 0;

		if (i < size && sscanf(hex + 2 * i, "%2x", &byte) != 1)
			exit(99);
		text_add_char(&builder->data, (char)byte);
	}
}

/* linux/perf_event.h, PERF_RECORD_MMAP2 with a build ID in place of device and inode */
static void add_mapping(struct builder *builder, uint64_t begin, const char *path, const char *id)
{
	if (!*id) {
		builder_mmap2(builder, MISC_USER, PROCESS, begin, FILE_BYTES, 0, path, 1);
		return;
	}
	builder_begin(builder, TYPE_MMAP2, MISC_USER | MISC_BUILD_ID);
	builder_u32(builder, &builder->data, PROCESS);
	builder_u32(builder, &builder->data, PROCESS);
	builder_u64(builder, &builder->data, begin);
	builder_u64(builder, &builder->data, FILE_BYTES);
	builder_u64(builder, &builder->data, 0);
	add_id(builder, id);
	builder_u32(builder, &builder->data, 5); /* read and execute */
	builder_u32(builder, &builder->data, 2); /* private */
	text_add_bytes(&builder->data, path, strlen(path) + 1);
	builder_trailer(builder, 0, PROCESS, PROCESS, 1);
	builder_end(builder);
}

static void add_samples(struct builder *builder, uint64_t begin, const struct capture_words *words,
			uint64_t *time)
{
	const char *at = words->offsets;

	for (;;) {
		char *end;
		uint64_t ip = begin + strtoull(at, &end, 16);
		uint64_t chain[] = {(uint64_t)CONTEXT_USER, ip};

		for (unsigned i = 0; i < words->samples; i++)
			builder_sample(builder, 0,
				       &(struct builder_sample){
					       .misc = MISC_USER,
					       .ip = ip,
					       .pid = PROCESS,
					       .tid = PROCESS,
					       .time = *time += 1000000,
					       .period = 1000000,
					       .chain = chain,
					       .chain_nr = ARRAY_NR(chain),
				       });
		if (*end != ',')
			return;
		at = end + 1;
	}
}

static void add_file(struct builder *builder, unsigned nr, const char *path,
		     const struct capture_words *words, uint64_t *time)
{
	uint64_t begin = FIRST_BEGIN + (uint64_t)nr * 2 * FILE_BYTES;

	add_mapping(builder, begin, path, words->id);
	add_samples(builder, begin, words, time);
}

int main(int argc, char **argv)
{
	/* IP TID TIME CALLCHAIN PERIOD; mmap, comm, sample_id_all, mmap2 */
	const struct builder_attr clock = {
		.type = 1,
		.period = 1000000,
		.sample_type = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8,
		.flags = 1 << 18 | 1 << 8 | 1 << 9 | 1 << 23,
	};
	struct capture_words words = {.id = "", .offsets = "1000", .samples = 1};
	struct builder builder = {0};
	struct text file = TEXT_INIT;
	uint64_t time = 1000000000;
	unsigned nr = 0;

	builder_attr(&builder, clock);
	builder_comm(&builder, 0, PROCESS, PROCESS, "app", 0);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--id") == 0 && i + 1 < argc)
			words.id = argv[++i];
		else if (strcmp(argv[i], "--at") == 0 && i + 1 < argc)
			words.offsets = argv[++i];
		else if (strcmp(argv[i], "--samples") == 0 && i + 1 < argc)
			words.samples = (unsigned)strtoul(argv[++i], NULL, 10);
		else
			add_file(&builder, nr++, argv[i], &words, &time);
	}
	builder_finish(&builder, &file);
	fwrite(file.bytes, 1, file.size, stdout);
	text_release(&file);
	builder_release(&builder);
	return fflush(stdout) == 0 ? 0 : 99;
}
