/* fuzz_folded.c - any bytes as folded stacks */
#include "importers/folded.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	return feed(&importer_folded, at, size);
}
