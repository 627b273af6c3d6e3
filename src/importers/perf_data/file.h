/* file.h - the container of perf.data: header, attr table, data, features */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

struct reader;

enum perf_layout {
	PERF_LAYOUT_FILE,
	PERF_LAYOUT_PIPE
};

#define PERF_FEATURES_MAX 256

struct perf_section {
	uint64_t offset, size;
};

struct perf_file {
	const unsigned char *map; /* all of it, read-only */
	size_t size;
	int spool_fd; /* what could not be mapped was copied here; -1 */
	bool is_swapped;
	enum perf_layout layout;
	unsigned version;
	uint64_t attr_size; /* stride of the attr table */
	struct perf_section attrs, data, event_types;
	struct perf_section features[PERF_FEATURES_MAX]; /* by number; size 0 where absent */
	bool has_feature[PERF_FEATURES_MAX];
	bool was_killed;	/* the recorder did not write the sizes */
	unsigned lost_features; /* that the header promises and the file lacks */
	uint64_t missing_bytes; /* of data, which the header promises and the file lacks */
};

bool perf_file_sniff(const char *at, size_t size);

/*
 * Maps what the reader has open (a pipe or compressed input is copied to a temporary file
 * first) and reads the header. Damage that leaves records to be read is no error.
 */
ERROR_RESULT struct error *perf_file_open(struct reader *reader, struct perf_file *ret);
void perf_file_close(struct perf_file *file);

/* A section's bytes, cut where the file ends. */
struct bytes perf_file_section(const struct perf_file *file, struct perf_section section);

/* Maps a file that stands beside: the data.N of a directory. */
ERROR_RESULT struct error *perf_file_map(const char *path, const unsigned char **ret,
					 size_t *ret_size);
void perf_file_unmap(const unsigned char *map, size_t size);
