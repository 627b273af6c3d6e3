/* tasks.c - who a sample belongs to: a thread and the name that it had at that time */
#include "model/tasks.h"

#include "base/mem.h"

void tasks_release(struct tasks *tasks)
{
	free(tasks->list);
	map_release(&tasks->map);
	*tasks = (struct tasks){0};
}

struct key {
	const struct tasks *tasks;
	const struct task *task;
};

_Static_assert(sizeof(struct task) == 12, "padding in struct task");

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return memcmp(&key->tasks->list[id], key->task, sizeof(*key->task)) == 0;
}

uint32_t tasks_add(struct tasks *tasks, const struct task *task)
{
	uint32_t hash = map_hash(task, sizeof(*task));
	struct map_slot *slot;

	map_grow(&tasks->map);
	slot = map_find(&tasks->map, hash, is_same, &(struct key){tasks, task});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&tasks->map, slot, hash, tasks->nr);
	GROW(tasks->list, (size_t)tasks->nr + 1, tasks->list_alloc);
	tasks->list[tasks->nr] = *task;
	return tasks->nr++;
}
