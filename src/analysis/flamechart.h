/* flamechart.h - stacks in order of time: a lane per thread, runs of the same function */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct paths;
struct recorder;

/* What is drawn of a chart at most; the lanes with most samples are kept. */
#define FLAMECHART_LANES_MAX 200

/*
 * A function for as long as neighbouring samples of a thread are in it at this depth, or
 * several such runs that are each shorter than the least.
 */
struct flamechart_run {
	uint32_t function; /* FUNCTION_NONE: several functions */
	uint32_t depth;	   /* 0 is the outermost frame */
	uint32_t runs; /* 0: one that is long enough; else so many, and nothing stands upon it */
	uint64_t begin_ns, end_ns;
	uint64_t samples;
};

/* A sample: what it stands for begins no earlier than the one before it of its thread ends. */
struct flamechart_moment {
	uint64_t begin_ns, end_ns;
	uint32_t path;
};

struct flamechart_lane {
	uint32_t task;	    /* of the thread's first sample; TASK_NONE */
	uint32_t begin, nr; /* its runs: each followed by what it calls */
	uint32_t depth;	    /* rows that its runs take */
	size_t first;	    /* of its moments */
	uint64_t samples;   /* so many moments */
};

struct flamechart {
	uint64_t begin_ns, end_ns; /* of all lanes, left out ones too */
	/* A sample stands for what ran before it, for no longer than this. */
	uint64_t interval_ns;
	struct flamechart_lane *lanes; /* owned: by process, then thread */
	size_t lanes_nr;
	size_t lanes_left_out; /* threads beyond the limit, and their samples */
	uint64_t samples_left_out;
	struct flamechart_run *runs; /* owned */
	uint32_t runs_nr;
	size_t runs_alloc;
	/* Owned, in the order of time within a lane, those of lanes that are left out too; NULL
	 * unless asked for. */
	struct flamechart_moment *moments;
};

struct flamechart_options {
	bool has_duration; /* periods are nanoseconds: what a sample stands for */
	bool keeps_moments;
	double least_share; /* of the whole time: a run that is shorter is merged with others */
};

/*
 * A sample stands for the time since the one before it of its thread, where that is no more
 * than half as long again as a sample stands for: its period where that is a time, else the
 * median of these times. Otherwise it stands for just that, and what is before it is empty.
 * The paths must have kept their entries. A recorder without samples gives no lanes.
 */
void flamechart_build(struct flamechart *chart, const struct recorder *recorder,
		      const struct paths *paths, const struct flamechart_options *options);
void flamechart_release(struct flamechart *chart);
