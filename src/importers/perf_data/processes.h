/* processes.h - which processes are over, so that their maps can be given back */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct perf_process {
	int32_t pid;
	uint32_t threads; /* that live */
	uint32_t births;  /* ids are used again */
	bool is_followed; /* since it was made, or all but one of its threads ended in an exec */
};

/* A process whose last thread ended. */
struct perf_ended {
	int32_t pid;
	uint32_t births;
	uint64_t time_ns;
};

/*
 * Only of a process whose birth was seen it is known how many threads it has. CPUs' clocks differ
 * a little, so a process counts as over some time after its end.
 */
struct perf_processes {
	struct perf_process *list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;
	struct perf_ended *ended; /* owned, in the order of time from `first` on */
	size_t first, ended_nr, ended_alloc;
};

#define PERF_PROCESSES_REST_NS UINT64_C(1000000000)

void perf_processes_release(struct perf_processes *processes);

/* A thread was made; where pid is not its maker's, a process. */
void perf_processes_fork(struct perf_processes *processes, int32_t pid, int32_t parent_pid);
void perf_processes_exec(struct perf_processes *processes, int32_t pid);

/* A thread of this process ended. */
void perf_processes_exit(struct perf_processes *processes, int32_t pid, uint64_t time_ns);

/* The next process that is over at this time; false where there is none. */
bool perf_processes_over(struct perf_processes *processes, uint64_t time_ns, int32_t *ret_pid);
