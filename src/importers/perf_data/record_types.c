/* record_types.c - what is known of each record type */
#include "importers/perf_data/record_types.h"

#include <stddef.h>

#include "base/mem.h"

static const struct {
	const char *word;
	unsigned least;
} types[] = {
	[1] = {"MMAP", 48},
	[2] = {"LOST", 24},
	[3] = {"COMM", 24},
	[4] = {"EXIT", 32},
	[5] = {"THROTTLE", 32},
	[6] = {"UNTHROTTLE", 32},
	[7] = {"FORK", 32},
	[8] = {"READ", 24},
	[9] = {"SAMPLE", 16},
	[10] = {"MMAP2", 80},
	[11] = {"AUX", 32},
	[12] = {"ITRACE_START", 16},
	[13] = {"LOST_SAMPLES", 16},
	[14] = {"SWITCH", 8},
	[15] = {"SWITCH_CPU_WIDE", 16},
	[16] = {"NAMESPACES", 24},
	[17] = {"KSYMBOL", 32},
	[18] = {"BPF_EVENT", 24},
	[19] = {"CGROUP", 24},
	[20] = {"TEXT_POKE", 24},
	[21] = {"AUX_OUTPUT_HW_ID", 16},
	[22] = {"CALLCHAIN_DEFERRED", 24},
	[64] = {"ATTR", 72},
	[65] = {"EVENT_TYPE", 24},
	[66] = {"TRACING_DATA", 12},
	[67] = {"BUILD_ID", 36},
	[68] = {"FINISHED_ROUND", 8},
	[69] = {"ID_INDEX", 16},
	[70] = {"AUXTRACE_INFO", 16},
	[71] = {"AUXTRACE", 48},
	[72] = {"AUXTRACE_ERROR", 40},
	[73] = {"THREAD_MAP", 16},
	[74] = {"CPU_MAP", 12},
	[75] = {"STAT_CONFIG", 16},
	[76] = {"STAT", 48},
	[77] = {"STAT_ROUND", 24},
	[78] = {"EVENT_UPDATE", 24},
	[79] = {"TIME_CONV", 32},
	[80] = {"FEATURE", 16},
	[81] = {"COMPRESSED", 8},
	[82] = {"FINISHED_INIT", 8},
	[83] = {"COMPRESSED2", 16},
	[84] = {"BPF_METADATA", 528},
	[85] = {"SCHEDSTAT_CPU", 24},
	[86] = {"SCHEDSTAT_DOMAIN", 24},
};

const char *perf_record_word(unsigned type)
{
	return type < ARRAY_NR(types) ? types[type].word : NULL;
}

unsigned perf_record_least(unsigned type)
{
	if (type >= PERF_RECORD_SIMPLEPERF && type < PERF_RECORD_SIMPLEPERF + 16)
		return 8;
	return type < ARRAY_NR(types) ? types[type].least : 0;
}
