/* gather.h - samples and counters of one incident, from profiles and captures, on one time axis */
#pragma once

#include <stdbool.h>

#include "analysis/series_tracks.h"
#include "analysis/utilisation.h"
#include "commands/profile.h"

/* One capture: counters, samples, or (of no format that is known) both. */
struct gathered_capture {
	char *name;		/* owned: that of the capture in the profile, or the operand */
	struct profile profile; /* profile.capture has the series, tasks and names */
	struct series_tracks counters;
	struct utilisation samples;
	bool is_other_clock; /* of counters: on a clock that the others are not on */
};

/* Zeroed memory is empty. */
struct gathered {
	struct gathered_capture **list; /* owned */
	size_t nr, alloc;
	struct gathered_capture *samples; /* of the list; NULL: none has samples */
	enum source_clock
		clock; /* that times are on: the first counters', without any the samples' */
	bool has_counters;
	bool has_unknown_clock; /* of the samples: nothing ties theirs to it */
	uint64_t error_ns;	/* how far the samples' clock may be from it */
};

/*
 * Reads each operand ("-" or none: standard input): of a profile its samples (of --capture, or the
 * only capture that has any) and all its counters, else a capture. Without samples and counters it
 * is an error; so are two with samples. *ret is released by the caller also after an error.
 */
ERROR_RESULT struct error *gather_run(const struct profile_options *options, int argc, char **argv,
				      struct gathered *ret);
void gather_release(struct gathered *gathered);
