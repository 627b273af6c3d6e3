/* spaces.h - address spaces: what was mapped where in each process, as it is at the moment */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* A mapping. What the address means in the module is the module's matter. */
struct space_map {
	uint64_t begin, end; /* addresses, end excluded */
	uint64_t offset;     /* in the file, of begin */
	uint32_t module;     /* module id */
};

struct space {
	int32_t pid;
	struct space_map *maps; /* owned, by address, never overlapping */
	size_t nr, alloc;
	size_t last; /* where the last look-up was answered */
};

/* The kernel's space has this pid. */
#define SPACE_KERNEL (-1)

struct spaces {
	struct space *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
};

void spaces_release(struct spaces *spaces);

/* The space of this process, made empty where it is new. Valid until the next call. */
struct space *spaces_get(struct spaces *spaces, int32_t pid);

/* Puts a mapping in; what it overlaps is cut or taken out. An empty one does nothing. */
void spaces_add(struct space *space, const struct space_map *map);

/* A new process begins with the maps of its parent. */
void spaces_fork(struct spaces *spaces, int32_t pid, int32_t parent);

/* An exec takes all maps away. */
void spaces_clear(struct spaces *spaces, int32_t pid);

/* The mapping at this address, NULL for none. */
const struct space_map *spaces_find(struct space *space, uint64_t address);
