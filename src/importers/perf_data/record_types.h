/* record_types.h - numbers of record types: linux/perf_event.h and tools/lib/perf/include */
#pragma once

enum perf_record_type {
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_UNTHROTTLE = 6,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_READ = 8,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_KSYMBOL = 17,
	PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	PERF_RECORD_USER_TYPE = 64, /* from here on without a sample_id trailer */
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_TYPES_END = 86,	/* the last that is known; 0 is none */
	PERF_RECORD_SIMPLEPERF = 32768, /* simpleperf's own, with sizes of 32 bits */
};

enum perf_misc {
	PERF_MISC_CPUMODE = 7,
	PERF_MISC_KERNEL = 1,
	PERF_MISC_USER = 2,
	PERF_MISC_HYPERVISOR = 3,
	PERF_MISC_GUEST_KERNEL = 4,
	PERF_MISC_GUEST_USER = 5,
	PERF_MISC_MMAP_DATA = 1 << 13,	      /* MMAP */
	PERF_MISC_COMM_EXEC = 1 << 13,	      /* COMM */
	PERF_MISC_FORK_EXEC = 1 << 13,	      /* FORK */
	PERF_MISC_MMAP_BUILD_ID = 1 << 14,    /* MMAP2 */
	PERF_MISC_LOST_SAMPLES_BPF = 1 << 15, /* LOST_SAMPLES */
	PERF_MISC_BUILD_ID_SIZE = 1 << 15,
};

/* The word for a record type: "MMAP2", NULL for one that is not known. */
const char *perf_record_word(unsigned type);

/* The least size of a record of this type, header included; 0 for a type that is not known. */
unsigned perf_record_least(unsigned type);
