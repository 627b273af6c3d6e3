/* utilisation_groups.c - who used the CPUs: processes, threads, CPUs, stages of threads */
#include <stdlib.h>
#include <string.h>

#include "analysis/utilisation.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/capture.h"

static int64_t key_of(const struct utilisation *utilisation, enum utilisation_by by,
		      const struct utilisation_cell *cell)
{
	const struct task *task =
		cell->task == TASK_NONE ? NULL : &utilisation->capture->tasks.list[cell->task];

	if (by == UTILISATION_CPU)
		return cell->cpu;
	if (!task || by == UTILISATION_ALL)
		return TASK_ID_NONE;
	return by == UTILISATION_PROCESS  ? task->pid
	       : by == UTILISATION_THREAD ? task->tid
					  : (int64_t)task->comm;
}

static int compare_used(const void *a, const void *b)
{
	const struct utilisation_group *x = a, *y = b;

	if (x->used_ns != y->used_ns)
		return x->used_ns > y->used_ns ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

struct groups {
	struct utilisation_group *list;
	size_t nr, alloc;
	struct map map;
};

struct group_key {
	const struct groups *groups;
	int64_t key;
};

static bool is_same_group(const void *key_of_group, uint32_t id)
{
	const struct group_key *key = key_of_group;

	return key->groups->list[id].key == key->key;
}

static struct utilisation_group *group_of(struct groups *groups, int64_t key)
{
	uint32_t hash = map_hash(&key, sizeof(key));
	struct map_slot *slot;

	map_grow(&groups->map);
	slot = map_find(&groups->map, hash, is_same_group, &(struct group_key){groups, key});
	if (slot->id != MAP_NONE)
		return &groups->list[slot->id];
	map_fill(&groups->map, slot, hash, (uint32_t)groups->nr);
	GROW(groups->list, groups->nr + 1, groups->alloc);
	groups->list[groups->nr] = (struct utilisation_group){.key = key, .comm = NAME_NONE};
	return &groups->list[groups->nr++];
}

static double used_ns(const struct utilisation *utilisation, const struct utilisation_cell *cell)
{
	return utilisation->is_estimated ? utilisation->sample_ns * cell->count
					 : (double)cell->period;
}

struct utilisation_group *utilisation_groups(const struct utilisation *utilisation,
					     enum utilisation_by by, size_t *ret_nr)
{
	const struct tasks *tasks = &utilisation->capture->tasks;
	struct groups groups = {0};

	for (size_t i = 0; i < utilisation->nr; i++) {
		const struct utilisation_cell *cell = &utilisation->cells[i];
		struct utilisation_group *group = group_of(&groups, key_of(utilisation, by, cell));

		group->used_ns += used_ns(utilisation, cell);
		if (group->comm == NAME_NONE && by != UTILISATION_CPU && cell->task != TASK_NONE)
			group->comm = tasks->list[cell->task].comm;
	}
	map_release(&groups.map);
	if (groups.nr)
		qsort(groups.list, groups.nr, sizeof(*groups.list), compare_used);
	*ret_nr = groups.nr;
	return groups.list;
}

/* ---- stages */

/* The size of a name without a number at its end: "worker-12", "worker#3", "worker 4". */
static size_t stem_size(const char *name)
{
	size_t size = strlen(name), stem = size;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	while (stem > 0 && stem < size && strchr("-_#/: ", name[stem - 1]))
		stem--;
	return stem ? stem : size;
}

/* By process, name without its number, thread: those of a stage stand together. */
static int compare_stems(const struct capture *capture, const struct task *a, const struct task *b)
{
	const char *x, *y;
	size_t x_size, y_size;
	int order;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->comm == NAME_NONE || b->comm == NAME_NONE)
		return (b->comm == NAME_NONE) - (a->comm == NAME_NONE);
	x = names_display(&capture->names, a->comm);
	y = names_display(&capture->names, b->comm);
	x_size = stem_size(x);
	y_size = stem_size(y);
	order = memcmp(x, y, x_size < y_size ? x_size : y_size);
	return order ? order : (x_size > y_size) - (x_size < y_size);
}

static int compare_tasks(const void *a, const void *b, void *capture_of)
{
	const struct capture *capture = capture_of;
	const struct task *x = &capture->tasks.list[*(const uint32_t *)a];
	const struct task *y = &capture->tasks.list[*(const uint32_t *)b];
	int order = compare_stems(capture, x, y);

	return order ? order : (x->tid > y->tid) - (x->tid < y->tid);
}

/* A stage per run of tasks that have one stem; a thread that had two names of it counts once. */
static void stages_fill(const struct capture *capture, const double *used, const uint32_t *ran,
			size_t ran_nr, struct groups *groups, uint32_t *of_task)
{
	for (size_t i = 0; i < ran_nr; i++) {
		const struct task *task = &capture->tasks.list[ran[i]];
		const struct task *before = i ? &capture->tasks.list[ran[i - 1]] : NULL;
		bool is_new = !before || compare_stems(capture, before, task) != 0;
		struct utilisation_group *group;

		if (is_new) {
			GROW(groups->list, groups->nr + 1, groups->alloc);
			groups->list[groups->nr] = (struct utilisation_group){
				.key = (int64_t)groups->nr, .comm = task->comm};
			groups->nr++;
		}
		group = &groups->list[groups->nr - 1];
		group->used_ns += used[ran[i]];
		group->threads += is_new || before->tid != task->tid;
		of_task[ran[i]] = (uint32_t)groups->nr - 1;
	}
}

/* Most used first: their keys become their places. */
static void stages_sort(struct groups *groups, uint32_t *of_task, uint32_t tasks_nr)
{
	uint32_t *place = mem_alloc((groups->nr + 1) * sizeof(*place));

	if (groups->nr)
		qsort(groups->list, groups->nr, sizeof(*groups->list), compare_used);
	for (size_t i = 0; i < groups->nr; i++) {
		place[groups->list[i].key] = (uint32_t)i;
		groups->list[i].key = (int64_t)i;
	}
	for (uint32_t i = 0; i < tasks_nr; i++) {
		if (of_task[i] != UINT32_MAX)
			of_task[i] = place[of_task[i]];
	}
	free(place);
}

struct utilisation_group *utilisation_stages(const struct utilisation *utilisation, size_t *ret_nr,
					     uint32_t **ret_of_task)
{
	uint32_t tasks_nr = utilisation->capture->tasks.nr;
	double *used = mem_zalloc((size_t)tasks_nr + 1, sizeof(*used));
	uint32_t *ran = mem_alloc(((size_t)tasks_nr + 1) * sizeof(*ran));
	uint32_t *of_task = mem_alloc(((size_t)tasks_nr + 1) * sizeof(*of_task));
	struct groups groups = {0};
	size_t ran_nr = 0;

	for (size_t i = 0; i < utilisation->nr; i++) {
		if (utilisation->cells[i].task != TASK_NONE)
			used[utilisation->cells[i].task] +=
				used_ns(utilisation, &utilisation->cells[i]);
	}
	for (uint32_t i = 0; i < tasks_nr; i++) {
		of_task[i] = UINT32_MAX;
		if (used[i] > 0)
			ran[ran_nr++] = i;
	}
	qsort_r(ran, ran_nr, sizeof(*ran), compare_tasks, (void *)(uintptr_t)utilisation->capture);
	stages_fill(utilisation->capture, used, ran, ran_nr, &groups, of_task);
	stages_sort(&groups, of_task, tasks_nr);
	free(used);
	free(ran);
	*ret_nr = groups.nr;
	*ret_of_task = of_task;
	return groups.list;
}
