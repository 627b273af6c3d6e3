/* symbolizer.h - the places of a capture named, from files shown to be the ones that ran */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct binaries;
struct capture;
struct progress;

/* All borrowed; lists may be NULL. */
struct symbolizer_options {
	struct binaries *binaries;
	const char *kallsyms;	     /* the kernel's list of the recording machine; NULL */
	const char *capture_path;    /* what lies beside it is read, kallsyms too; NULL */
	const char *const *map_dirs; /* folders with perf-PID.map and jit-PID.dump files */
	size_t map_dirs_nr;
	bool only_given;    /* not this machine's kernel, even where it is the recorded one */
	bool is_uninlined;  /* only the functions that were called */
	bool takes_digests; /* also the SHA-256 of each file used, which reads all of it */
	unsigned processes; /* that read files at the same time; 0: as many as there are CPUs */
};

/*
 * Gives frames (capture->frames) to the places that have a module and an address but no name,
 * and each such module its status, file and detail. Frames that were there are replaced. Only
 * for captures with has_offsets. An error is the system's, or that of a file the user named;
 * what is odd in a file that was found is its module's status.
 */
ERROR_RESULT struct error *symbolizer_run(struct capture *capture,
					  const struct symbolizer_options *options,
					  struct progress *progress);
