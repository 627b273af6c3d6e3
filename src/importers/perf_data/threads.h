/* threads.h - who runs: threads, their processes and their names as they are at the moment */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/tasks.h"

struct capture;

struct perf_thread {
	int32_t tid, pid;
	uint32_t comm; /* name id, NAME_NONE where it was never said */
	uint32_t task; /* task id in the capture, TASK_NONE: not yet asked for since a change */
};

#define PERF_THREADS_LATELY 64

struct perf_threads {
	struct perf_thread *list;
	uint32_t nr;
	size_t list_alloc;
	uint32_t lately[PERF_THREADS_LATELY]; /* that were asked for, by the low bits of tid */
	struct map map;			      /* by tid */
};

void perf_threads_release(struct perf_threads *threads);

/* The thread of this id; made, in process pid, where it is new. Valid until the next call. */
struct perf_thread *perf_threads_get(struct perf_threads *threads, int32_t pid, int32_t tid);

/* The task of a sample: its thread with the name that it has now. */
uint32_t perf_threads_task(struct perf_threads *threads, struct capture *capture, int32_t pid,
			   int32_t tid);

/* The same where it was asked for lately and is still the same, else TASK_NONE. */
static inline uint32_t perf_threads_task_lately(const struct perf_threads *threads, int32_t pid,
						int32_t tid)
{
	uint32_t lately = threads->lately[(uint32_t)tid % PERF_THREADS_LATELY];
	const struct perf_thread *thread = &threads->list[lately];

	return lately < threads->nr && thread->tid == tid && thread->pid == pid ? thread->task
										: TASK_NONE;
}

void perf_threads_rename(struct perf_thread *thread, uint32_t comm);

/* A new thread has the name of the one that made it. */
void perf_threads_fork(struct perf_threads *threads, int32_t pid, int32_t tid, int32_t parent_pid,
		       int32_t parent_tid);
