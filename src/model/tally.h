/* tally.h - a sink that keeps weights per call chain in memory and writes no row */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "model/sink.h"

struct capture;

/* What a stack's root frame is. */
enum tally_by {
	TALLY_BY_NONE,
	TALLY_BY_COMM,
	TALLY_BY_PROCESS,
	TALLY_BY_THREAD,
	TALLY_BY_CPU,
	TALLY_BY_TASK, /* for the store: the task itself, which is no root frame */
};

/* A root: what `by` does not ask for is the same in all, so that equal ones are one. */
struct tally_root {
	uint32_t comm;	  /* name id, NAME_NONE */
	int32_t pid, tid; /* TASK_ID_NONE where the capture does not have them */
	int32_t cpu;	  /* CPU_NONE where not asked for */
	uint32_t task;	  /* TASK_NONE where not asked for */
	bool is_named;	  /* by comm, process or thread */
	bool has_pid, has_tid;
	bool is_idle_task; /* tid 0, the idle task of a CPU; kept only where asked for */
};

struct tally_key {
	uint32_t callers; /* stack id */
	uint32_t leaf;	  /* location id, LOCATION_NONE */
	uint32_t event;
	uint32_t root; /* index into roots */
};

struct tally_entry {
	struct tally_key key;
	weight count, period;
};

#define TALLY_NONE UINT32_MAX

struct tally_options {
	enum tally_by by;
	bool keeps_address; /* a leaf's address and line matter */
	bool keeps_idle;    /* whether a sample is of the idle task matters */
};

struct tally {
	struct sink sink; /* say samples to this */
	struct capture *capture;
	struct tally_options options;
	struct tally_entry *list;
	uint32_t nr;
	size_t list_alloc;
	uint32_t *of_callers; /* per stack id: its first entry, TALLY_NONE */
	size_t of_callers_nr, of_callers_alloc;
	struct map map; /* of entries that are not the first of their callers, or of all */
	bool has_all;	/* see tally.c, find_entry() */
	struct tally_root *roots;
	uint32_t roots_nr;
	size_t roots_alloc;
	struct map root_map;
	uint32_t last;		 /* the entry of the sample that was said last */
	uint32_t root_of_nobody; /* of samples without a task */
	uint32_t *root_of_task;
	size_t root_of_task_nr, root_of_task_alloc;
};

/* The capture is borrowed until tally_release(). */
void tally_init(struct tally *tally, struct capture *capture, const struct tally_options *options);
void tally_release(struct tally *tally);
