/* threads.c - who runs: threads, their processes and their names as they are at the moment */
#include "importers/perf_data/threads.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "model/capture.h"

void perf_threads_release(struct perf_threads *threads)
{
	free(threads->list);
	map_release(&threads->map);
	*threads = (struct perf_threads){0};
}

struct key {
	const struct perf_threads *threads;
	int32_t tid;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->threads->list[index].tid == key->tid;
}

struct perf_thread *perf_threads_get(struct perf_threads *threads, int32_t pid, int32_t tid)
{
	uint32_t *lately = &threads->lately[(uint32_t)tid % PERF_THREADS_LATELY];
	uint32_t hash;
	struct map_slot *slot;

	if (*lately < threads->nr && threads->list[*lately].tid == tid)
		return &threads->list[*lately];
	hash = map_hash(&tid, sizeof(tid));
	map_grow(&threads->map);
	slot = map_find(&threads->map, hash, is_same, &(struct key){threads, tid});
	*lately = slot->id;
	if (slot->id != MAP_NONE)
		return &threads->list[slot->id];
	*lately = threads->nr;
	map_fill(&threads->map, slot, hash, threads->nr);
	GROW(threads->list, (size_t)threads->nr + 1, threads->list_alloc);
	threads->list[threads->nr] = (struct perf_thread){tid, pid, NAME_NONE, TASK_NONE};
	return &threads->list[threads->nr++];
}

void perf_threads_rename(struct perf_thread *thread, uint32_t comm)
{
	thread->comm = comm;
	thread->task = TASK_NONE;
}

void perf_threads_fork(struct perf_threads *threads, int32_t pid, int32_t tid, int32_t parent_pid,
		       int32_t parent_tid)
{
	uint32_t comm = perf_threads_get(threads, parent_pid, parent_tid)->comm;
	struct perf_thread *thread = perf_threads_get(threads, pid, tid);

	thread->pid = pid; /* ids are used again */
	perf_threads_rename(thread, comm);
}

/* Like perf: the idle task is called swapper, a thread whose name was never said ":TID". */
static uint32_t comm_of(const struct perf_thread *thread, struct capture *capture)
{
	char unknown[16];

	if (thread->comm != NAME_NONE)
		return thread->comm;
	if (thread->tid == 0)
		return names_add_string(&capture->names, "swapper");
	snprintf(unknown, sizeof(unknown), ":%" PRId32, thread->tid);
	return names_add_string(&capture->names, unknown);
}

uint32_t perf_threads_task(struct perf_threads *threads, struct capture *capture, int32_t pid,
			   int32_t tid)
{
	struct perf_thread *thread = perf_threads_get(threads, pid, tid);
	struct task task = {pid, tid, NAME_NONE};

	if (thread->task != TASK_NONE && thread->pid == pid)
		return thread->task;
	thread->pid = pid;
	task.comm = comm_of(thread, capture);
	thread->task = tasks_add(&capture->tasks, &task);
	return thread->task;
}
