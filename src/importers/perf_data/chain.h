/* chain.h - call chains of addresses to locations: module and place in it */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memo.h"
#include "importers/perf_data/carried.h"
#include "model/modules.h"
#include "model/spaces.h"

struct capture;
struct perf_attr;
struct perf_sample;

/* Values from here on are no addresses: linux/perf_event.h, enum perf_callchain_context. */
#define PERF_CONTEXT_FIRST	   ((uint64_t)-4095)
#define PERF_CONTEXT_HV		   ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL	   ((uint64_t)-128)
#define PERF_CONTEXT_USER	   ((uint64_t)-512)
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define PERF_CONTEXT_GUEST	   ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER	   ((uint64_t)-2560)

/* Addresses that were looked up lately, by a part of their hash: so many as L2 has room for. */
#define PERF_PLACES 16384

struct perf_place {
	uint64_t ip;
	uint32_t key; /* of the space's maps and LOCATION_RETURN, see key_of(); 0: none */
	uint32_t location;
};

struct perf_chains {
	struct capture *capture; /* borrowed */
	struct spaces spaces;
	struct perf_carried carried; /* names, filled by whoever finds some in the file */
	uint64_t kernel_version;     /* of the kernel's maps, see struct space */
	int32_t user_pid; /* the process whose maps have user_version, SPACE_KERNEL: none */
	uint64_t user_version;
	struct memo chains;	   /* process and raw chain without its leaf -> stack */
	struct perf_place *places; /* owned, PERF_PLACES of them */
	uint32_t *ids;		   /* being built */
	size_t ids_alloc;
	uint32_t kernel_module; /* MODULE_NONE: not yet */
	unsigned caller_flags;	/* of callers: LOCATION_RETURN, or 0 where they are calls already */
	uint64_t refused;	/* mappings that were too many */
};

void perf_chains_init(struct perf_chains *chains, struct capture *capture);
void perf_chains_release(struct perf_chains *chains);

/*
 * A mapping of a process (or SPACE_KERNEL); the module is called `path`. build_id is the name
 * id of the build ID that stands in the record, NAME_NONE without one. is_data: it is not
 * executable, and says nothing of where the module's code is.
 */
void perf_chains_map(struct perf_chains *chains, int32_t pid, uint64_t begin, uint64_t size,
		     uint64_t offset, const char *path, size_t path_size, uint32_t build_id,
		     bool is_data);

/*
 * Code that came into the kernel: addresses there are in a module called `module`, and have this
 * name (a name id), until it goes.
 */
void perf_chains_name(struct perf_chains *chains, uint64_t begin, uint64_t size, const char *module,
		      size_t module_size, uint32_t name);
void perf_chains_unname(struct perf_chains *chains, uint64_t begin, uint64_t size);

/* A build ID (a name id of its hex form) that a table or an event gives for a path. */
void perf_chains_build_id(struct perf_chains *chains, const char *path, size_t path_size,
			  uint32_t build_id, enum id_source source);

/* The symbol that the offset of the kernel's mapping is the address of: "_text"; "" says nothing.
 */
void perf_chains_reference(struct perf_chains *chains, const char *path, size_t path_size,
			   const char *symbol, size_t symbol_size);
void perf_chains_fork(struct perf_chains *chains, int32_t pid, int32_t parent);
void perf_chains_exec(struct perf_chains *chains, int32_t pid);
void perf_chains_exit(struct perf_chains *chains, int32_t pid);

/*
 * The location of an address in a space: a pid, SPACE_KERNEL, or what perf_chains_space() says.
 * flags: LOCATION_RETURN for an address behind a call, 0 for one that was executed.
 */
uint32_t perf_chains_place(struct perf_chains *chains, int32_t space, int32_t pid, uint64_t ip,
			   unsigned flags);

/* The space that addresses behind a context marker of a chain are in. */
int32_t perf_chains_space(uint64_t marker, int32_t pid);

/* The process whose space a sample's user addresses are in, by what stands in it. */
int32_t perf_chains_process(uint32_t pid);
int32_t perf_chains_pid(const struct perf_sample *sample);

/* What was found out of a chain ahead of time; it holds until a map changes. */
struct perf_chain_hint {
	struct memo_key key;
	size_t leaf; /* where it is in the chain; the chain's size where there is none */
	int32_t space;
};

/*
 * What else than its u64s a call chain's meaning depends on, as a number that is another one where
 * anything of it is. pid is that of perf_chains_process(), misc the record's.
 */
uint64_t perf_chains_where(struct perf_chains *chains, int32_t pid, unsigned misc);

/*
 * Looks at a call chain: u64s, leaf first, with context markers. pid is that of
 * perf_chains_process(), misc the record's.
 */
void perf_chains_look_ips(struct perf_chains *chains, const struct bytes *ips, int32_t pid,
			  unsigned misc, struct perf_chain_hint *ret);

/*
 * Fetches from memory what perf_chains_find_ips() will need: it is called some samples later, when
 * that has come.
 */
void perf_chains_fetch(struct perf_chains *chains, const struct bytes *ips,
		       const struct perf_chain_hint *hint);

/* The stack (callers) and leaf of a chain that has a leaf, by its hint. */
void perf_chains_find_ips(struct perf_chains *chains, const struct bytes *ips, int32_t pid,
			  const struct perf_chain_hint *hint, uint32_t *ret_callers,
			  uint32_t *ret_leaf);

/* The same of a sample that has no chain, by its ip; NULL: it has none either. */
void perf_chains_find_ip(struct perf_chains *chains, const uint64_t *ip, int32_t pid, unsigned misc,
			 uint32_t *ret_callers, uint32_t *ret_leaf);

/* The first two of these for the chain of a sample. */
void perf_chains_look(struct perf_chains *chains, const struct perf_sample *sample, unsigned misc,
		      struct perf_chain_hint *ret);

/*
 * The stack (callers) and leaf of a sample: its chain or, without one, its ip alone. A chain
 * of last-branch records takes the place of the user part.
 */
void perf_chains_find(struct perf_chains *chains, const struct perf_attr *attr,
		      const struct perf_sample *sample, unsigned misc,
		      const struct perf_chain_hint *hint, uint32_t *ret_callers,
		      uint32_t *ret_leaf);
