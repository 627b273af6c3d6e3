/* fuzz_perf_data.c - any bytes as perf.data */
#include "importers/perf_data/perf_data.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	return feed(&importer_perf_data, at, size);
}
