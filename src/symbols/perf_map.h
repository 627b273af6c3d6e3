/* perf_map.h - perf-PID.map: what a runtime says of the code that it made */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "symbols/intervals.h"

struct perf_map_symbol {
	uint64_t lo, hi; /* absolute run-time addresses */
	size_t name;	 /* where it begins in perf_map.names, NUL-terminated */
};

struct perf_map {
	struct perf_map_symbol *list; /* owned; in the order of the lines */
	size_t nr, alloc;
	struct intervals ranges;
	struct text names;
	uint64_t lines_bad;   /* no "start size name", or a size that goes past the last address */
	uint64_t lines_empty; /* size 0: they name no code */
};

/* More lines, or more bytes of names, are not read. */
#define PERF_MAP_MAX	   (16u << 20)
#define PERF_MAP_NAMES_MAX ((size_t)1 << 30)

/*
 * Reads "START SIZE NAME" lines (hex with or without 0x; the name goes to the end of the line
 * and may hold blanks), plain or packed: tools/perf/Documentation/jit-interface.txt of Linux.
 * Where lines overlap the later one counts: runtimes use addresses again. The file has no
 * times, and says nothing of the code that was at an address before. *ret is zeroed on
 * failure.
 */
ERROR_RESULT struct error *perf_map_read(struct perf_map *ret, const char *path);
void perf_map_release(struct perf_map *map);

/* NULL for none. Borrowed. */
const struct perf_map_symbol *perf_map_find(const struct perf_map *map, uint64_t address);

static inline const char *perf_map_name(const struct perf_map *map,
					const struct perf_map_symbol *symbol)
{
	return map->names.bytes + symbol->name;
}
