/* directory.h - the data.N of a directory, which `perf record --threads` writes */
#pragma once

#include <stddef.h>

#include "base/error.h"

/* A bare stream of records, mapped. */
struct perf_stream {
	const unsigned char *map;
	size_t size;
};

struct perf_directory {
	struct perf_stream *list; /* owned */
	size_t nr;
};

/* Maps the data.N of a folder, sorted by name, so that the same folder gives the same answers. */
ERROR_RESULT struct error *perf_directory_open(const char *folder, struct perf_directory *ret);
void perf_directory_close(struct perf_directory *directory);
