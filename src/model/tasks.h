/* tasks.h - who a sample belongs to: a thread and the name that it had at that time */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* A process or thread id that the capture does not have. perf prints -1 for exiting tasks. */
#define TASK_ID_NONE INT32_MIN

#define TASK_NONE UINT32_MAX

struct task {
	int32_t pid, tid;
	uint32_t comm; /* name id, NAME_NONE without one */
};

struct tasks {
	struct task *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
};

void tasks_release(struct tasks *tasks);
uint32_t tasks_add(struct tasks *tasks, const struct task *task);
