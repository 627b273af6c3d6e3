/* unwinder.h - what an importer asks for callers that stand in a stack dump */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/details.h"
#include "model/spaces.h"
#include "model/unwindings.h"

struct capture;

struct unwound_frame {
	uint64_t ip;
	uint8_t found;	/* enum found_by */
	bool is_return; /* a return address: the call is in front of it */
};

/* The frames of a dump, leaf first. */
struct unwound {
	struct unwound_frame frames[UNWIND_FRAMES_MAX];
	uint32_t nr;
	enum unwind_stop stop;
	bool lacks_file; /* the file of a module that it came by is not here: with it there might
			    be more frames, or others */
};

/* One dump of several: the space is a copy, so that each can be looked through for itself. */
struct unwinder_job {
	struct sample_user user; /* its space is this one's */
	struct space space;
	struct unwound *ret;
};

/*
 * The commands give one to whoever reads: importers know address spaces at a sample's time, and
 * nothing of files.
 */
struct unwinder {
	/*
	 * Called for each sample with a dump, whose space is that of its task at its time; modules
	 * of its maps are ids of the capture. It cannot fail: what is wrong is why it stops.
	 */
	void (*unwind)(struct unwinder *unwinder, const struct capture *capture,
		       struct space *space, const struct sample_user *user, struct unwound *ret);

	/*
	 * The same for many at once, which is faster, or NULL. Neither the capture nor any maps
	 * change until it returns.
	 */
	void (*unwind_many)(struct unwinder *unwinder, const struct capture *capture,
			    struct unwinder_job *jobs, size_t nr);
};
