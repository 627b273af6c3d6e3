/* files.h - the files of modules that callers are looked for in, opened once each */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binaries/elf_file.h"

struct binaries;
struct capture;
struct rules;

struct trial;
struct trial_file;
struct unwind_judge;

struct unwind_file {
	bool has_none;	 /* it is no file: generated code, memory without a name */
	bool is_missing; /* there is one, and it is not here or cannot be used */
	struct elf_file binary, debug;
	const struct elf_file *elf;  /* the one with the code, or with its addresses alone; NULL */
	struct rules *rules;	     /* owned, NULL where there is no elf */
	struct trial_file *on_trial; /* borrowed; NULL: nothing is to be found out about it */
};

struct unwind_files {
	struct binaries *binaries; /* borrowed; NULL: nothing is looked for */
	struct unwind_file **list; /* owned, by module id; NULL: not asked for yet */
	size_t nr, alloc;
	struct trial *trial;	    /* borrowed; NULL: what no ID speaks for is used as it is */
	struct unwind_judge *judge; /* borrowed; NULL: this is the trial */
	bool is_shared;		    /* several threads ask: one after the other then */
	pthread_mutex_t lock;
};

void unwind_files_init(struct unwind_files *files, struct binaries *binaries);
void unwind_files_release(struct unwind_files *files);

/* What is known of a module's file; never NULL, lives as long as `files`. */
struct unwind_file *unwind_files_get(struct unwind_files *files, const struct capture *capture,
				     uint32_t module, uint64_t map_offset);

/* Does a call stand before vaddr? */
bool unwind_file_is_behind_call(const struct unwind_file *file, uint64_t vaddr);
