/* fuzz_csv.c - any bytes as a table of counters */
#include "importers/csv.h"
#include "importers/importer.h"
#include "tests/fuzz/feed_counters.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	return feed_counters(&importer_csv, at, size);
}
