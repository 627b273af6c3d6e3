/* gather.h - samples and counters of one incident, from profiles and captures, on one time axis */
#pragma once

#include <stdbool.h>

#include "analysis/series_tracks.h"
#include "analysis/utilisation.h"
#include "commands/profile.h"
#include "model/clock_tie.h"

/* What becomes of what is outside of a range. */
enum gather_range {
	GATHER_CUT,  /* it is left out */
	GATHER_WHOLE /* it is kept, and the range is for the caller to look at */
};

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
	/*
	 * The capture whose clock a range is on, and with "+" is counted from whose start: the one
	 * that is named, else the samples, else the first with counters.
	 */
	struct gathered_capture *reference;
	struct moment from, to; /* of the range, as they were said */
	/* on the axis: */
	uint64_t start_ns; /* what "+4" counts from, and what is printed with a "+" */
	bool has_from, has_to;
	uint64_t from_ns, to_ns;
};

/*
 * Reads each operand ("-" or none: standard input): of a profile its samples (of --capture, or the
 * only capture that has any) and all its counters, else a capture. Without samples and counters it
 * is an error; so are two with samples. Captures are brought onto the axis by what ties their
 * clocks.
 *
 * A range is --from and --to, or stands behind one of the operands; it is one of the whole
 * incident, wherever it stands, on the clock of that operand. *ret is released by the caller also
 * after an error.
 */
ERROR_RESULT struct error *gather_run(const struct profile_options *options,
				      enum gather_range range, int argc, char **argv,
				      struct gathered *ret);
void gather_release(struct gathered *gathered);

/* gather_clocks.c: finds the axis, and brings every capture onto it or says why not. */
void gather_settle_clocks(struct gathered *gathered);

/*
 * gather_range.c: brings the range onto the axis, and with GATHER_CUT leaves out what is outside of
 * it. Of samples that were read within the range nothing is. A rate's point is inside when all of
 * its time is.
 */
ERROR_RESULT struct error *gather_settle_range(struct gathered *gathered, enum gather_range range);

/* Says on stderr which captures are on no clock of the others; `samples` and `others` is what
 * becomes of them, "left out". */
void gather_tell_untied(const struct gathered *gathered, const char *samples, const char *others);
