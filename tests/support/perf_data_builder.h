/* perf_data_builder.h - perf.data files written byte by byte, good ones and bad ones */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define BUILDER_ATTRS_MAX 8
#define BUILDER_IDS_MAX	  4
#define BUILDER_WORDS_MAX 16

/* linux/perf_event.h, struct perf_event_attr; fields behind its size are not written. */
struct builder_attr {
	uint32_t size; /* of the attr alone; 0: 128 */
	uint32_t type;
	uint64_t config, period, sample_type, read_format, flags, branch_sample_type;
	uint64_t regs_user, regs_intr, bp_addr;
	uint32_t bp_type, clockid;
	uint64_t ids[BUILDER_IDS_MAX];
	unsigned ids_nr;
};

struct builder {
	bool is_big;   /* written by a big-endian machine */
	bool is_pipe;  /* 16 bytes of header, all else in records */
	bool is_old;   /* version 1 */
	bool is_short; /* the header of 72 bytes, which has no features */
	bool is_killed;
	bool attrs_at_end; /* as perf inject puts them */
	bool narrow_longs; /* the bitmap is of 32-bit words */
	struct builder_attr attrs[BUILDER_ATTRS_MAX];
	unsigned attrs_nr;
	struct text data; /* the records */
	struct text event_types;
	struct {
		unsigned number;
		struct text bytes;
	} features[32];
	unsigned features_nr;
	size_t record;	    /* where the open record began in data */
	size_t pack;	    /* where what is to be packed began */
	void *packer;	    /* the zstd stream, one for all of the file */
	struct text packed; /* scratch */
};

/* One of everything that a sample can carry; the attr says what is written. */
struct builder_sample {
	uint16_t misc;
	uint64_t identifier, ip, time, addr, id, stream_id, period;
	uint32_t pid, tid, cpu;
	const uint64_t *read; /* the read_format block as words */
	unsigned read_nr;
	const uint64_t *chain;
	unsigned chain_nr;
	const char *raw; /* its size + 4 is made a multiple of 8 */
	unsigned raw_size;
	const uint64_t *branches; /* from, to, flags */
	unsigned branches_nr;
	bool lacks_branch_index; /* nr = 0 alone, as the kernel writes where it had none */
	uint64_t branch_index, regs_abi;
	const uint64_t *regs;
	unsigned regs_nr;
	const char *stack;
	uint64_t stack_size, stack_valid;
	uint64_t weight, data_src, transaction;
	uint64_t intr_abi;
	const uint64_t *intr;
	unsigned intr_nr;
	uint64_t phys_addr, cgroup, data_page, code_page;
	const char *aux;
	unsigned aux_size;
};

void builder_release(struct builder *builder);

/* The attr's number; it is in the table of a file, or a record where the builder is a pipe. */
unsigned builder_attr(struct builder *builder, struct builder_attr attr);

/* ---- numbers, in the writer's byte order */
void builder_u16(const struct builder *builder, struct text *to, uint16_t number);
void builder_u32(const struct builder *builder, struct text *to, uint32_t number);
void builder_u64(const struct builder *builder, struct text *to, uint64_t number);
/* u32 length, bytes, NULs up to a multiple of 64 */
void builder_string(const struct builder *builder, struct text *to, const char *s);

/* ---- records */
void builder_begin(struct builder *builder, uint32_t type, uint16_t misc);
void builder_end(struct builder *builder); /* pads to 8 bytes and writes the size */

/* The trailer of records that are no samples, before builder_end(). */
void builder_trailer(struct builder *builder, unsigned attr, uint32_t pid, uint32_t tid,
		     uint64_t time);

void builder_sample(struct builder *builder, unsigned attr, const struct builder_sample *sample);

/* These have the trailer of attr 0, where it has one. */
void builder_comm(struct builder *builder, uint16_t misc, uint32_t pid, uint32_t tid,
		  const char *comm, uint64_t time);
void builder_mmap(struct builder *builder, uint16_t misc, uint32_t pid, uint64_t begin,
		  uint64_t size, uint64_t offset, const char *path, uint64_t time);
void builder_mmap2(struct builder *builder, uint16_t misc, uint32_t pid, uint64_t begin,
		   uint64_t size, uint64_t offset, const char *path, uint64_t time);
void builder_task(struct builder *builder, uint32_t type, uint16_t misc, uint32_t pid,
		  uint32_t parent_pid, uint32_t tid, uint32_t parent_tid, uint64_t time);
void builder_lost(struct builder *builder, uint64_t lost, uint64_t time);
void builder_lost_samples(struct builder *builder, uint64_t lost, uint64_t time);
void builder_round(struct builder *builder);

/* A record of words alone: { type, misc, size, u64 ... }, with no trailer. */
void builder_words(struct builder *builder, uint32_t type, uint16_t misc, const uint64_t *words,
		   unsigned nr);

/* ---- packed records: what is added between the two is packed */
void builder_pack(struct builder *builder);
/* In records of type 81 or 83, each of so many packed bytes. */
void builder_packed(struct builder *builder, uint32_t type, size_t piece);

/* ---- features: a section of a file, a record of a pipe */
void builder_feature(struct builder *builder, unsigned number, const struct text *bytes);

/* The whole file. Owned by the caller's text. */
void builder_finish(const struct builder *builder, struct text *ret);
