/* chain.h - call chains of addresses to locations: module and place in it */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memo.h"
#include "model/spaces.h"

struct capture;
struct perf_attr;
struct perf_sample;

struct perf_chains {
	struct capture *capture; /* borrowed */
	struct spaces spaces;
	uint64_t generation; /* counts changes of maps: what was found before may not hold */
	struct memo chains;  /* process and raw chain without its leaf -> stack */
	struct memo places;  /* process and address -> location */
	uint32_t *ids;	     /* being built */
	size_t ids_alloc;
	uint32_t kernel_module; /* MODULE_NONE: not yet */
	uint64_t refused;	/* mappings that were too many */
};

void perf_chains_init(struct perf_chains *chains, struct capture *capture);
void perf_chains_release(struct perf_chains *chains);

/* A mapping of a process (or SPACE_KERNEL); the module is called `path`. */
void perf_chains_map(struct perf_chains *chains, int32_t pid, uint64_t begin, uint64_t size,
		     uint64_t offset, const char *path, size_t path_size);
void perf_chains_fork(struct perf_chains *chains, int32_t pid, int32_t parent);
void perf_chains_exec(struct perf_chains *chains, int32_t pid);

/*
 * The stack (callers) and leaf of a sample: its chain or, without one, its ip alone. A chain
 * of last-branch records takes the place of the user part. misc is the record's.
 */
void perf_chains_find(struct perf_chains *chains, const struct perf_attr *attr,
		      const struct perf_sample *sample, unsigned misc, uint32_t *ret_callers,
		      uint32_t *ret_leaf);
