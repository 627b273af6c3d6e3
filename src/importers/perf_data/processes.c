/* processes.c - which processes are over, so that their maps can be given back */
#include "importers/perf_data/processes.h"

#include "base/mem.h"

void perf_processes_release(struct perf_processes *processes)
{
	free(processes->list);
	free(processes->ended);
	map_release(&processes->map);
	*processes = (struct perf_processes){0};
}

struct key {
	const struct perf_processes *processes;
	int32_t pid;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->processes->list[index].pid == key->pid;
}

static struct perf_process *process_of(struct perf_processes *processes, int32_t pid)
{
	uint32_t hash = map_hash(&pid, sizeof(pid));
	struct map_slot *slot;

	map_grow(&processes->map);
	slot = map_find(&processes->map, hash, is_same, &(struct key){processes, pid});
	if (slot->id != MAP_NONE)
		return &processes->list[slot->id];
	map_fill(&processes->map, slot, hash, processes->nr);
	GROW(processes->list, (size_t)processes->nr + 1, processes->alloc);
	processes->list[processes->nr] = (struct perf_process){.pid = pid};
	return &processes->list[processes->nr++];
}

static void be_born(struct perf_process *process)
{
	process->threads = 1;
	process->births++;
	process->is_followed = true;
}

void perf_processes_fork(struct perf_processes *processes, int32_t pid, int32_t parent_pid)
{
	struct perf_process *process = process_of(processes, pid);

	if (pid != parent_pid)
		be_born(process);
	else
		process->threads++;
}

void perf_processes_exec(struct perf_processes *processes, int32_t pid)
{
	be_born(process_of(processes, pid));
}

void perf_processes_exit(struct perf_processes *processes, int32_t pid, uint64_t time_ns)
{
	struct perf_process *process = process_of(processes, pid);

	if (!process->threads || --process->threads || !process->is_followed)
		return;
	/* what was taken is taken out before the list would grow, where it is half of it */
	if (processes->first > processes->ended_nr / 2 &&
	    processes->ended_nr == processes->ended_alloc) {
		processes->ended_nr -= processes->first;
		memmove(processes->ended, processes->ended + processes->first,
			processes->ended_nr * sizeof(*processes->ended));
		processes->first = 0;
	}
	GROW(processes->ended, processes->ended_nr + 1, processes->ended_alloc);
	processes->ended[processes->ended_nr++] =
		(struct perf_ended){pid, process->births, time_ns};
}

bool perf_processes_over(struct perf_processes *processes, uint64_t time_ns, int32_t *ret_pid)
{
	while (processes->first < processes->ended_nr) {
		const struct perf_ended *ended = &processes->ended[processes->first];

		if (time_ns < ended->time_ns || time_ns - ended->time_ns < PERF_PROCESSES_REST_NS)
			return false;
		processes->first++;
		if (process_of(processes, ended->pid)->births != ended->births)
			continue; /* another one has the id now */
		*ret_pid = ended->pid;
		return true;
	}
	return false;
}
