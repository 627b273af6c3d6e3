/* activity.h - a sink that counts which process was busy when */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "model/sink.h"

struct capture;

/* So many slots of time; where a capture is longer, they are doubled in length. */
#define ACTIVITY_SLOTS 256

/* The shortest slot. */
#define ACTIVITY_SLOT_NS UINT64_C(1000000)

/* Processes beyond these are not told apart. */
#define ACTIVITY_PROCESSES_MAX 4096

struct activity_process {
	int32_t pid;
	uint32_t task; /* whose name it has: the main thread where it was seen, else the first */
	bool is_idle;  /* the idle tasks of CPUs */
	weight weight; /* of all its samples */
	double slots[ACTIVITY_SLOTS];
};

struct activity {
	struct sink sink;		/* say samples to this */
	const struct capture *capture;	/* borrowed */
	const char *event;		/* borrowed; NULL: that of the first sample */
	struct activity_process **list; /* owned */
	uint32_t nr;
	size_t alloc;
	uint32_t *of_task; /* owned: process per task, plus 1 */
	size_t of_task_nr, of_task_alloc;
	uint64_t begin_ns, slot_ns, end_ns; /* valid with has_times */
	bool has_times;
};

void activity_init(struct activity *activity, const struct capture *capture, const char *event);
void activity_release(struct activity *activity);

/* Puts the heaviest first; ties go to the lower pid. Idle tasks come last. */
void activity_sort(struct activity *activity);

/*
 * The weight of a process in so many equal parts of all the time from the first sample to the
 * last, for each nanosecond: so many CPUs where the event is a clock.
 */
void activity_parts(const struct activity *activity, const struct activity_process *process,
		    double *ret, size_t nr);
