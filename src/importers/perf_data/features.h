/* features.h - header features: what the recorder says of itself, in words */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

struct facts;

enum perf_feature {
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_PMU_MAPPINGS = 16,
	PERF_FEATURE_GROUP_DESC = 17,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_CLOCKID = 23,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_SIMPLEPERF = 128, /* from here on only it has them */
	PERF_FEATURE_SIMPLEPERF_FILE = 128,
	PERF_FEATURE_SIMPLEPERF_META_INFO = 129,
	PERF_FEATURE_SIMPLEPERF_FILE2 = 132,
};

/*
 * Adds what a feature says as facts, under the names of `perf script --header`. Features that
 * are no words for people add nothing. False where the bytes are no such feature.
 */
bool perf_feature_facts(unsigned feature, struct bytes bytes, struct facts *facts);

/* A string as features have it: u32 length, bytes, NULs. Borrowed, not NUL-terminated. */
bool perf_feature_string(struct bytes *bytes, const char **ret, size_t *ret_size);
