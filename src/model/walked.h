/* walked.h - who walked the call chains that a capture holds, and what their frames are from */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/unwindings.h"

struct capture;

/* How the user's part of the chains of an event was to be found. */
enum walked_by {
	WALKED_UNKNOWN,	       /* the capture does not say */
	WALKED_FRAME_POINTERS, /* by the kernel, while it recorded */
	WALKED_DUMPS,	       /* later, out of registers and a copy of the stack */
	WALKED_BRANCHES,       /* by the CPU's call stack of last branches */
	WALKED_BY_NR,
};

/* "frame-pointers": a key of JSON and of table event, never renamed; NULL: not known. */
const char *walked_by_word(enum walked_by by);

/*
 * What a frame is from of a sample that no unwinding is known of: a location of its chain, or its
 * leaf. FOUND_BY_NR where the capture does not say who walked.
 */
enum found_by walked_found_by(const struct capture *capture, uint32_t event, uint32_t location,
			      bool is_leaf);

/*
 * Is it a frame whose caller a chain of frame pointers may not hold (see leaves.h)? Of a place that
 * is true where it is of the function that it is in, and of that function itself.
 */
bool walked_lacks_caller(const struct capture *capture, uint32_t location);

/* Is any of them? A capture of other chains has none, and need not be asked again. */
bool walked_has_lacking(const struct capture *capture);

/* Is any of these, and was the event walked by frame pointers? */
bool walked_chain_lacks_caller(const struct capture *capture, uint32_t event,
			       const uint32_t *locations, uint32_t nr);
