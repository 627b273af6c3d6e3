/* module_names.h - all addresses of one module named at once, from its files */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct answer;

/* An address as samples have it. */
struct module_address {
	uint64_t offset; /* in the file that was mapped; of the kernel: at run time */
	bool is_return;	 /* the call in front of it is meant */
};

/* Borrowed. */
struct module_files {
	const char *file;      /* with the code; NULL where there is only a debug file */
	const char *debug;     /* may be the same; NULL */
	const char *alt;       /* the dwz file of debug, verified; NULL */
	uint64_t map_offset;   /* see elf_file_address() */
	const char *reference; /* of the kernel: the symbol that was at reference_address; NULL */
	uint64_t reference_address;
	bool has_vaddrs; /* addresses are as the file counts them, no offsets */
	bool wants_inlined;
};

/*
 * Names the addresses in their order. To be called in a worker: it opens files with libelf and
 * libdw, which is not for the main process. What cannot be read is told in ret->unsupported,
 * addresses that nothing is known of have no frames. Source of the rules: ELF, DWARF, and what
 * people expect of `perf report`: the outermost function is called as the symbol table calls it.
 */
void module_names_find(const struct module_files *files, const struct module_address *addresses,
		       uint32_t nr, struct answer *ret);
