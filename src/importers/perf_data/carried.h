/* carried.h - names of code that the recording itself carries (simpleperf) */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"

struct names;
struct space_map;

/* simpleperf's DsoType, as feature FILE has it */
enum perf_carried_kind {
	PERF_CARRIED_KERNEL,
	PERF_CARRIED_KERNEL_MODULE,
	PERF_CARRIED_ELF,
	PERF_CARRIED_DEX,
	PERF_CARRIED_SYMBOL_MAP,
};

struct perf_carried_symbol {
	uint64_t begin, end; /* as the file counts addresses, see perf_carried_find() */
	uint32_t name;	     /* name id */
};

struct perf_carried_file {
	uint32_t path; /* name id */
	enum perf_carried_kind kind;
	bool has_base;
	uint64_t min_vaddr;
	uint64_t base; /* where min_vaddr is in the file, of a kernel module in its memory */
	struct perf_carried_symbol *list; /* owned, sorted by begin */
	uint32_t nr;
	size_t alloc;
};

struct perf_carried {
	struct perf_carried_file *list; /* owned */
	uint32_t nr;
	size_t alloc;
	uint32_t symbols_nr;
	struct map map;
};

/* Files, and symbols of all; what a recording has beyond them is left out. */
#define PERF_CARRIED_FILES_MAX	 65536
#define PERF_CARRIED_SYMBOLS_MAX (1u << 22)

void perf_carried_release(struct perf_carried *carried);

/*
 * simpleperf's feature FILE (128): entries { u32 size of the rest; path NUL; u32 kind; u64
 * min_vaddr; u32 nr; { u64 vaddr, u32 size, name NUL } x nr; by kind more }. False: damaged.
 */
bool perf_carried_take_files(struct perf_carried *carried, struct names *names, struct bytes bytes);

/* simpleperf's feature FILE2 (132): { u32 size, protobuf of the same }. False: damaged. */
bool perf_carried_take_files2(struct perf_carried *carried, struct names *names,
			      struct bytes bytes);

/* A text as /proc/kallsyms: lines "address type name". */
void perf_carried_take_kallsyms(struct perf_carried *carried, struct names *names,
				struct bytes bytes);

/*
 * What a module calls an address: NAME_NONE where it says nothing. map is the mapping that the
 * address is in, NULL for one of the kernel without one.
 */
uint32_t perf_carried_find(const struct perf_carried *carried, uint32_t path,
			   const struct space_map *map, uint64_t ip);
