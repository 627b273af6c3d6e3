/* gather.h - samples and counters of one incident, from profiles and captures, on one time axis */
#pragma once

#include <stdbool.h>

#include "analysis/series_tracks.h"
#include "analysis/utilisation.h"
#include "commands/profile.h"
#include "model/clock_tie.h"

/* One capture: counters, samples, or (of no format that is known) both. */
struct gathered_capture {
	char *name;		/* owned: that of the capture in the profile, or the operand */
	struct profile profile; /* profile.capture has the series, tasks and names */
	struct series_tracks counters;
	struct utilisation samples;
	/* to the axis: tracks are brought there already, and are off by at most error_ns */
	int64_t offset_ns;
	uint64_t error_ns;
	struct error *untied; /* owned: why its clock leads to no other; its times are its own */
};

/* Zeroed memory is empty. */
struct gathered {
	struct gathered_capture **list; /* owned */
	size_t nr, alloc;
	struct gathered_capture *samples; /* of the list; NULL: none has samples */
	struct gathered_capture *axis;	  /* whose clock times are on: the first with counters, else
					     the samples */
	bool has_counters;
	struct clock_ties ties; /* between indices of the list, and to wall time */
};

/*
 * Reads each operand ("-" or none: standard input): of a profile its samples (of --capture, or the
 * only capture that has any) and all its counters, else a capture. Without samples and counters it
 * is an error; so are two with samples. Captures of one clock whose times overlap are taken to be
 * of one boot; others are brought onto the axis by what ties their clocks. *ret is released by the
 * caller also after an error.
 */
ERROR_RESULT struct error *gather_run(const struct profile_options *options, int argc, char **argv,
				      struct gathered *ret);
void gather_release(struct gathered *gathered);

/* gather_clocks.c: finds the axis, and brings every capture onto it or says why not. */
void gather_settle_clocks(struct gathered *gathered);
