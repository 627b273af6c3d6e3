/* fuzz_perf_map.c - any bytes as a perf-PID.map */
#include <stdlib.h>

#include "symbols/perf_map.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/spill.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	struct perf_map map;
	struct error *err = perf_map_read(&map, spill(at, size));

	if (err) {
		error_free(err);
		return 0;
	}
	for (size_t i = 0; i < map.nr; i++) {
		const struct perf_map_symbol *symbol = perf_map_find(&map, map.list[i].lo);

		/* it, or one of a later line */
		if (!symbol || symbol < &map.list[i] || !perf_map_name(&map, symbol)[0])
			abort();
	}
	perf_map_release(&map);
	return 0;
}
