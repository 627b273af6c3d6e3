/* details.h - what a sample carries beside time, task and stack: weights, data addresses, pages */
#pragma once

#include <stdint.h>

#include "base/bytes.h"

struct space;

/* A number each, with the key that it has in JSON. */
enum detail {
	DETAIL_WEIGHT, /* what the hardware says: cycles of an access, mostly */
	DETAIL_WEIGHT_2,
	DETAIL_WEIGHT_3,
	DETAIL_DATA_ADDRESS,
	DETAIL_DATA_SOURCE, /* perf_mem_data_src, as linux/perf_event.h has its bits */
	DETAIL_TRANSACTION,
	DETAIL_PHYSICAL_ADDRESS,
	DETAIL_CGROUP, /* its id */
	DETAIL_DATA_PAGE_SIZE,
	DETAIL_CODE_PAGE_SIZE,
	DETAIL_NR,
};

struct details {
	uint32_t has; /* a bit for each that the sample has */
	uint64_t values[DETAIL_NR];
	uint32_t cgroup_path; /* name id, NAME_NONE where it is not known */
};

static inline void details_set(struct details *details, enum detail detail, uint64_t value)
{
	details->has |= UINT32_C(1) << detail;
	details->values[detail] = value;
}

/* "data_address": a key of JSON, never renamed. */
const char *details_key(enum detail detail);

/*
 * Registers and stack of a thread in user code as a sample found them: what its callers can be
 * found from. All is borrowed from the capture's file until the sink returns.
 */
struct sample_user {
	uint64_t abi;	    /* 1: of 32 bits, 2: of 64 bits */
	uint64_t mask;	    /* which registers: asm/perf_regs.h of the recording's machine */
	struct bytes regs;  /* a u64 for each bit of the mask, from the lowest on */
	struct bytes stack; /* from the stack pointer on, as far as it is valid; may be empty */
	const struct space *space; /* of the process, at the sample's time; NULL: not known */
};
