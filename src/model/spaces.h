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
	uint32_t name;	     /* name id of what all of it is called; NAME_NONE in most */
};

/* By address, never overlapping. A process that forks shares its list until one changes. */
struct space_maps {
	struct space_map *list; /* owned */
	size_t nr, alloc;
	unsigned holders;
};

struct space {
	int32_t pid;
	struct space_maps *maps; /* held, NULL: none */
	size_t last;		 /* where the last look-up was answered */
	uint64_t version;	 /* another one whenever its maps change, of all spaces; never 0 */
	bool is_left; /* the program was left by an exec: the next mapping is another's */
};

/* The kernel's space has this pid. */
#define SPACE_KERNEL (-1)

/* Mappings of one process, as many as Linux allows, and of all; what is beyond is refused. */
#define SPACE_MAPS_MAX	(1u << 16)
#define SPACES_MAPS_MAX (1u << 24)

struct spaces {
	struct space *list;
	uint32_t nr;
	size_t list_alloc;
	size_t maps_nr; /* of all lists */
	uint64_t versions;
	struct map map;
};

void spaces_release(struct spaces *spaces);

/* The space of this process, made empty where it is new. Valid until the next call. */
struct space *spaces_get(struct spaces *spaces, int32_t pid);

/*
 * Puts a mapping in; what it overlaps is cut or taken out. An empty one does nothing. False
 * where there are too many.
 */
bool spaces_add(struct spaces *spaces, int32_t pid, const struct space_map *map);

/* Takes out what is mapped there, as far as it is; nothing is refused. */
void spaces_remove(struct spaces *spaces, int32_t pid, uint64_t begin, uint64_t end);

/* A new process begins with the maps of its parent. */
void spaces_fork(struct spaces *spaces, int32_t pid, int32_t parent);

/*
 * An exec takes all maps away. Samples within it, before anything new is mapped, are of the old
 * program still: the maps go when the next one is put in.
 */
void spaces_exec(struct spaces *spaces, int32_t pid);

/* A process ended: its maps are given back. */
void spaces_exit(struct spaces *spaces, int32_t pid);

/* The mapping at this address, NULL for none. */
const struct space_map *spaces_find(struct space *space, uint64_t address);
