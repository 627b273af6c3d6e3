/* utilisation.h - CPU over time, from samples: of a process, thread or CPU, or of frames */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sink.h"

struct capture;
struct frame_marks;
struct track;

/* Samples are kept in slots of this width; bins are multiples of it. Both count from time 0. */
#define UTILISATION_SLOT_NS UINT64_C(1000000)

/* One sample, or several of the same in one slot. */
struct utilisation_cell {
	uint64_t slot;
	uint64_t period; /* of the event */
	uint32_t count;
	uint32_t task, callers, leaf;
	int32_t cpu;
};

/*
 * A sink: say the samples of one event to it, others are left out by `event`. Samples without a
 * time, and those of idle tasks (tid 0), are counted and not kept. Memory: 40 bytes a sample.
 */
struct utilisation {
	struct sink sink;
	const struct capture *capture; /* borrowed */
	uint32_t event;		       /* EVENT_NONE until the first sample, whose event it is */
	struct utilisation_cell *cells;
	size_t nr, alloc;
	uint64_t idle, without_time; /* samples */
	int64_t offset_ns; /* added to the times of what comes out: tracks, spans that are asked for
			    */
	/* by utilisation_finish(): */
	double sample_ns;  /* of CPU time that one sample stands for */
	bool is_estimated; /* the event does not count time: from the distance of samples */
	uint64_t bin_ns;   /* what the sample rate allows: 1, 2 or 5 times a power of ten */
	uint64_t *lost;	   /* seconds of which too much was lost or throttled, sorted */
	size_t lost_nr;
};

void utilisation_init(struct utilisation *utilisation, const struct capture *capture);
void utilisation_release(struct utilisation *utilisation);

/* After the last sample: the rate, and with it the width of bins. False where there is no sample.
 */
bool utilisation_finish(struct utilisation *utilisation);

/* The first cell of that slot or a later one; nr for none. */
size_t utilisation_find(const struct utilisation *utilisation, uint64_t slot);

enum utilisation_by {
	UTILISATION_ALL,
	UTILISATION_PROCESS, /* key is a pid */
	UTILISATION_THREAD,  /* key is a tid */
	UTILISATION_CPU,     /* key is a CPU */
	UTILISATION_COMM,    /* key is a name id */
	UTILISATION_STAGE,   /* key is an index of utilisation_stages() */
};

/* What a track is of; marks NULL: of all its samples, else of those with a marked frame. */
struct utilisation_of {
	enum utilisation_by by;
	int64_t key;
	const struct frame_marks *marks;
	const uint32_t *stage_of_task; /* borrowed, for UTILISATION_STAGE */
};

/*
 * Adds a point for each bin from the first to the last sample's: CPUs in use, as a rate. A bin
 * without a sample is 0; one of which too much was lost or throttled is NAN. bin_ns 0: what the
 * rate allows; another is rounded up to slots. @ret is an initialised TRACK_RATE.
 */
void utilisation_track(const struct utilisation *utilisation, const struct utilisation_of *of,
		       uint64_t bin_ns, struct track *ret);

/*
 * Adds a point for each bin with a sample: of its samples the share that the same thread's next
 * follows at once. Of a thread that waits within each item it is about what it uses of a CPU; of
 * one that works on item after item and is then stopped it is near 1.
 */
void utilisation_run_on(const struct utilisation *utilisation, const struct utilisation_of *of,
			struct track *ret);

/* Was too much of the time lost (to a full buffer) or throttled? */
bool utilisation_is_lost(const struct utilisation *utilisation, uint64_t from_ns, uint64_t to_ns);

/* One process, thread or CPU, with what it used over all. */
struct utilisation_group {
	int64_t key;
	uint32_t comm;	/* name id; NAME_NONE of a CPU, of a process that of its first sample */
	double used_ns; /* of CPU time */
	uint32_t threads;
};

/* The groups, most used first, then by key. Owned by the caller: free(). */
struct utilisation_group *utilisation_groups(const struct utilisation *utilisation,
					     enum utilisation_by by, size_t *ret_nr);

/*
 * Threads of a process that are called alike but for a number at the end are a stage: "worker-1"
 * and "worker-2". The stages, most used first; *ret_of_task is per task of the capture its index,
 * UINT32_MAX for none. Both are owned by the caller: free().
 */
struct utilisation_group *utilisation_stages(const struct utilisation *utilisation, size_t *ret_nr,
					     uint32_t **ret_of_task);
