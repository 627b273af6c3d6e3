/* attr.h - perf_event_attr as a file has it: of any size, in either byte order */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

struct text;

/* linux/perf_event.h, enum perf_event_sample_format */
enum perf_sample_bit {
	PERF_BIT_IP = 0,
	PERF_BIT_TID = 1,
	PERF_BIT_TIME = 2,
	PERF_BIT_ADDR = 3,
	PERF_BIT_READ = 4,
	PERF_BIT_CALLCHAIN = 5,
	PERF_BIT_ID = 6,
	PERF_BIT_CPU = 7,
	PERF_BIT_PERIOD = 8,
	PERF_BIT_STREAM_ID = 9,
	PERF_BIT_RAW = 10,
	PERF_BIT_BRANCH_STACK = 11,
	PERF_BIT_REGS_USER = 12,
	PERF_BIT_STACK_USER = 13,
	PERF_BIT_WEIGHT = 14,
	PERF_BIT_DATA_SRC = 15,
	PERF_BIT_IDENTIFIER = 16,
	PERF_BIT_TRANSACTION = 17,
	PERF_BIT_REGS_INTR = 18,
	PERF_BIT_PHYS_ADDR = 19,
	PERF_BIT_AUX = 20,
	PERF_BIT_CGROUP = 21,
	PERF_BIT_DATA_PAGE_SIZE = 22,
	PERF_BIT_CODE_PAGE_SIZE = 23,
	PERF_BIT_WEIGHT_STRUCT = 24,
};

enum perf_read_format {
	PERF_READ_TIME_ENABLED = 1 << 0,
	PERF_READ_TIME_RUNNING = 1 << 1,
	PERF_READ_ID = 1 << 2,
	PERF_READ_GROUP = 1 << 3,
	PERF_READ_LOST = 1 << 4,
};

enum perf_attr_flag {
	PERF_ATTR_INHERIT = 1,
	PERF_ATTR_FREQ = 10,
	PERF_ATTR_SAMPLE_ID_ALL = 18,
	PERF_ATTR_EXCLUDE_CALLCHAIN_USER = 22,
	PERF_ATTR_COMM_EXEC = 24,
	PERF_ATTR_USE_CLOCKID = 25,
};

enum perf_branch_bit {
	PERF_BRANCH_CALL_STACK = 11,
	PERF_BRANCH_HW_INDEX = 17,
	PERF_BRANCH_COUNTERS = 19
};

enum perf_type {
	PERF_TYPE_HARDWARE,
	PERF_TYPE_SOFTWARE,
	PERF_TYPE_TRACEPOINT,
	PERF_TYPE_HW_CACHE,
	PERF_TYPE_RAW,
	PERF_TYPE_BREAKPOINT,
};

/*
 * Where the fields of a sample stand in its record, whose header is 8 bytes long: so none is at 0,
 * which says that it is not there.
 */
struct perf_fields {
	bool is_plain; /* it has these words and a call chain alone; else chain and least are void
			*/
	uint8_t ip, tid, time, cpu, period;
	uint8_t chain; /* the number of its words; they follow */
	uint8_t least; /* bytes that a record has without the chain */
};

struct perf_attr {
	uint32_t type, size, bp_type;
	uint64_t config, sample_period, sample_type, read_format, flags, bp_addr;
	uint64_t branch_sample_type, sample_regs_user, sample_regs_intr;
	uint32_t clockid;	    /* valid with PERF_ATTR_USE_CLOCKID */
	uint32_t sample_stack_user; /* bytes of a stack dump */
	uint16_t sample_max_stack;  /* frames; 0: as the system has it */
	char *name;		    /* owned, NULL until something names it */
	uint32_t event;		    /* event id in the capture */
	struct perf_fields fields;  /* of its samples, see perf_attr_fields() */
};

#define PERF_ATTR_SIZE_LEAST 64

static inline bool perf_attr_has(const struct perf_attr *attr, enum perf_sample_bit bit)
{
	return attr->sample_type >> bit & 1;
}

static inline bool perf_attr_flag(const struct perf_attr *attr, enum perf_attr_flag flag)
{
	return attr->flags >> flag & 1;
}

/* Does it record last branches as a call stack (perf record --call-graph lbr)? */
static inline bool perf_attr_is_call_stack(const struct perf_attr *attr)
{
	return perf_attr_has(attr, PERF_BIT_BRANCH_STACK) &&
	       attr->branch_sample_type >> PERF_BRANCH_CALL_STACK & 1;
}

/* Reads an attr of bytes' whole size; what this build does not know at its end is ignored. */
bool perf_attr_read(struct bytes bytes, struct perf_attr *ret);

/* By its sample_type. */
struct perf_fields perf_attr_fields(const struct perf_attr *attr);

/* Words and sizes of the sample_id trailer of records that are no samples. */
unsigned perf_attr_trailer_size(const struct perf_attr *attr);

/* Adds the name of an event that no feature names, from type and config: "cycles", "tp#63". */
void perf_attr_add_name(const struct perf_attr *attr, struct text *text);
