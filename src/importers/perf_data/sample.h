/* sample.h - PERF_RECORD_SAMPLE and the sample_id trailer, field by field */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

struct perf_attr;

/* Fields that the attr does not have are 0; arrays are ranges of the record. */
struct perf_sample {
	uint64_t ip, time, addr, id, period, weight, data_src, phys_addr, cgroup;
	uint64_t transaction, data_page_size, code_page_size;
	uint32_t pid, tid, cpu;
	bool has_ip, has_tid, has_time, has_cpu, has_period, has_addr;
	struct bytes read;  /* the read_format block and what is behind it */
	struct bytes chain; /* u64s, leaf first, with context markers */
	struct bytes raw;
	struct bytes branches; /* {from, to, flags} u64s, the newest first */
	uint64_t regs_abi;
	struct bytes regs;  /* u64s, by ascending bit of the mask */
	struct bytes stack; /* what is valid of the dump */
	bool has_chain, has_stack_user, has_leftover;
	bool is_plain; /* has words and a chain at most: the rest is known to be 0 */
};

/*
 * A PERF_RECORD_SAMPLE behind its header. False where it is shorter than its fields. *ret is what
 * another sample was read to, or zeroed: to clear all of it each time costs more than to read.
 */
bool perf_sample_read(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret);

/*
 * The trailer of another record, which ends at bytes.end. Fills what it has: tid, time, id,
 * cpu. False where the record is too short for one.
 */
bool perf_trailer_read(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret);

/* The u64 of a range at this index. The caller checks index against the range's size / 8. */
static inline uint64_t perf_sample_word(const struct bytes *words, size_t index)
{
	uint64_t word;

	memcpy(&word, words->at + index * 8, sizeof(word));
	return words->is_swapped ? __builtin_bswap64(word) : word;
}
