/* fuzz_counters.c - any bytes as counters in each form but tables: JSON, perf stat, sysstat, /proc
 */
#include "importers/csv.h"
#include "importers/importer.h"
#include "tests/fuzz/feed_counters.h"
#include "tests/fuzz/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	for (const struct importer *const *one = importers; *one; one++)
		if ((*one)->is_counters && *one != &importer_csv)
			feed_counters(*one, at, size);
	return 0;
}
