/* machine_clock.h - the moment of both clocks that fetch-list's script noted on the machine */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/clock_tie.h"

struct facts;

enum machine_clock {
	MACHINE_CLOCK_NONE,   /* nothing was noted, or nothing that is of use */
	MACHINE_CLOCK_TIED,   /* the tie is there */
	MACHINE_CLOCK_BEFORE, /* it is of a time before the recording ended: of another boot */
};

/*
 * Looks among what was noted of the machine for a moment of the kernel log. It ties a capture whose
 * times are of perf's own clock, from source 0 to wall time. end_ns is the capture's latest time:
 * the script runs after the recording, and a kernel that shows less was booted since.
 */
enum machine_clock machine_clock_find(const struct facts *facts, enum source_clock clock,
				      uint64_t end_ns, struct clock_tie *ret);

/* What is said of a moment that is of another boot; `file` is the capture or profile. */
void machine_clock_tell(const char *file);
