/* fuzz_perf_script.c - any bytes as perf script text */
#include "importers/perf_script.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	return feed(&importer_perf_script, at, size);
}
