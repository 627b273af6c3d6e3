/* chain.h - call chains of addresses to locations: module and place in it */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memo.h"
#include "model/modules.h"
#include "model/spaces.h"

struct capture;
struct perf_attr;
struct perf_sample;

/* Addresses that were looked up lately, by a part of their hash. */
#define PERF_PLACES 16384

struct perf_place {
	uint64_t ip, generation;
	int32_t space;
	uint32_t location;
	unsigned flags; /* LOCATION_RETURN or none */
};

struct perf_chains {
	struct capture *capture; /* borrowed */
	struct spaces spaces;
	uint64_t
		generation; /* counts changes of maps, from 1: what was found before may not hold */
	struct memo chains; /* process and raw chain without its leaf -> stack */
	struct perf_place *places; /* owned, PERF_PLACES of them */
	uint32_t *ids;		   /* being built */
	size_t ids_alloc;
	uint32_t kernel_module; /* MODULE_NONE: not yet */
	uint64_t refused;	/* mappings that were too many */
};

void perf_chains_init(struct perf_chains *chains, struct capture *capture);
void perf_chains_release(struct perf_chains *chains);

/*
 * A mapping of a process (or SPACE_KERNEL); the module is called `path`. build_id is the name
 * id of the build ID that stands in the record, NAME_NONE without one.
 */
void perf_chains_map(struct perf_chains *chains, int32_t pid, uint64_t begin, uint64_t size,
		     uint64_t offset, const char *path, size_t path_size, uint32_t build_id);

/* A build ID (a name id of its hex form) that a table or an event gives for a path. */
void perf_chains_build_id(struct perf_chains *chains, const char *path, size_t path_size,
			  uint32_t build_id, enum id_source source);

/* The symbol that the offset of the kernel's mapping is the address of: "_text"; "" says nothing. */
void perf_chains_reference(struct perf_chains *chains, const char *path, size_t path_size,
			   const char *symbol, size_t symbol_size);
void perf_chains_fork(struct perf_chains *chains, int32_t pid, int32_t parent);
void perf_chains_exec(struct perf_chains *chains, int32_t pid);

/* What was found out of a chain ahead of time; it holds until a map changes. */
struct perf_chain_hint {
	struct memo_key key;
	size_t leaf; /* where it is in the chain; the chain's size where there is none */
	int32_t space;
};

/*
 * Looks at the chain of a sample and fetches what perf_chains_find() will need from memory: it
 * is called some samples later, when that has come. misc is the record's.
 */
void perf_chains_look(const struct perf_chains *chains, const struct perf_sample *sample,
		      unsigned misc, struct perf_chain_hint *ret);

/*
 * The stack (callers) and leaf of a sample: its chain or, without one, its ip alone. A chain
 * of last-branch records takes the place of the user part.
 */
void perf_chains_find(struct perf_chains *chains, const struct perf_attr *attr,
		      const struct perf_sample *sample, unsigned misc,
		      const struct perf_chain_hint *hint, uint32_t *ret_callers,
		      uint32_t *ret_leaf);
