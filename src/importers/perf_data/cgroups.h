/* cgroups.h - paths of control groups, by the ids that samples have */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct perf_cgroups {
	struct perf_cgroup {
		uint64_t id;
		uint32_t path; /* name id */
	} * list;	       /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;
};

void perf_cgroups_release(struct perf_cgroups *cgroups);

/* Sets the path of an id: the latest one counts. */
void perf_cgroups_set(struct perf_cgroups *cgroups, uint64_t id, uint32_t path);

/* The path of an id as a name id, NAME_NONE where no record said it. */
uint32_t perf_cgroups_path(const struct perf_cgroups *cgroups, uint64_t id);
