/* phases.h - stretches of time that somebody wrote down: begin, end, label */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct phase {
	uint64_t begin_ns, end_ns; /* on the clock of the counters; equal: a moment */
	char *label;		   /* owned, clean UTF-8 */
};

struct phases {
	struct phase *list; /* owned, in the order of the file */
	size_t nr, alloc;
};

#define PHASES_MAX 10000

/*
 * Reads a CSV file with the header begin_ns,end_ns,label (columns in any order, others are passed
 * over). A line that is no phase is an error that names it. Nothing is kept of a file with an
 * error. The caller releases.
 */
ERROR_RESULT struct error *phases_read(const char *path, struct phases *ret);
void phases_release(struct phases *phases);
