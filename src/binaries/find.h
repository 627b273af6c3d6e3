/* find.h - the files that ran, found by build ID and shown to be the ones */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "binaries/elf_file.h"
#include "model/modules.h"

/*
 * Where to look. All is borrowed and must outlive the struct binaries; lists may be NULL.
 * HOME, XDG_CACHE_HOME and DEBUGINFOD_CACHE_PATH say where the caches of perf and debuginfod
 * are, as they do for those. Nothing is ever fetched.
 */
struct binaries_options {
	const char *const *debug_dirs; /* .build-id trees, or folders of any files */
	size_t debug_dirs_nr;
	const char *const *binaries; /* "MODULE=FILE" */
	size_t binaries_nr;
	const char *const *sysroots; /* folders that hold a file system like the recorded one */
	size_t sysroots_nr;
	const char *const *accept_mismatch; /* MODULE: a file with another ID will do */
	size_t accept_mismatch_nr;
	const char *capture_path; /* what stands beside it is looked at; NULL or "-": nothing */
	bool only_given;	  /* neither this machine's files nor the caches in HOME */
};

/* MODULE is a recorded path, its base name, or a build ID in hex. */

struct binaries;

/*
 * Fails where something that was typed is not there: a folder, a file, the "=". Owned:
 * binaries_free(). Folders are read when they are first needed. Not for several threads.
 */
ERROR_RESULT struct error *binaries_new(const struct binaries_options *options,
					struct binaries **ret);
void binaries_free(struct binaries *binaries);

/* A file that unwinding by it spoke against: of so many places so many had a call. Borrowed. */
struct binaries_refuted {
	const char *path; /* as struct binaries_found named it */
	size_t ok, total;
};

/* What is known of one module. Borrowed. */
struct binaries_wanted {
	const char *path;     /* as recorded; " (deleted)" and brackets may be there */
	const char *build_id; /* lower-case hex, NULL where none was recorded */
	enum id_source id_source;
	bool is_kernel;	     /* the kernel or a module of it: the call-site test says nothing */
	uint64_t map_offset; /* lowest file offset of its executable mappings, or
				ELF_FILE_OFFSET_UNKNOWN */
	const uint64_t *return_offsets; /* distinct return addresses as file offsets, user code */
	size_t return_offsets_nr;
	bool returns_are_unwound; /* by call frame information, each of them; else perhaps by frame
				     pointers, which code may not keep: then the test can only
				     say yes */
	const struct binaries_refuted *refuted; /* they are turned down where there is no ID */
	size_t refuted_nr;
	bool takes_digests; /* fill binaries_found.*_sha256, which reads each file used */
};

struct binaries_rejected {
	char *path;   /* owned */
	char *reason; /* owned; a clause: "its build ID is 11..., not the recorded 22..." */
};

/*
 * The answer. Where the status is mismatch, contradicted or missing, no file is named: none
 * may be used. Otherwise at least one of `file` and `debug` is.
 */
struct binaries_found {
	enum module_status status;
	char *file;   /* owned: with the code, NULL where only a debug file was found */
	char *debug;  /* owned: with DWARF or .symtab; may be the same path as file; NULL: file has
			 neither */
	char *alt;    /* owned: the dwz file of `debug`, NULL for none */
	char *detail; /* owned: one line for people: why this status */
	char build_id[ELF_FILE_ID_HEX_SIZE]; /* in the file used, "" for none */
	char file_sha256[DIGEST_HEX_SIZE];   /* "" where there is no such file, or not asked for */
	char debug_sha256[DIGEST_HEX_SIZE];
	char alt_sha256[DIGEST_HEX_SIZE];
	size_t callsites_ok, callsites_total; /* of `file`, or of the one that it contradicted */
	struct binaries_rejected *rejected;   /* owned: every candidate turned down, in order */
	size_t rejected_nr, rejected_alloc;
};

/* Cannot fail: what cannot be opened is a rejected candidate. Release with the next. */
void binaries_find(struct binaries *binaries, const struct binaries_wanted *wanted,
		   struct binaries_found *ret);
void binaries_found_release(struct binaries_found *found);

/*
 * The kallsyms file that perf cached for a kernel with this build ID, NULL for none. Owned.
 * Nothing in it proves the ID: compare its _text with the recorded mapping.
 */
char *binaries_find_kallsyms(struct binaries *binaries, const char *build_id);

/*
 * The MODULEs of --binary and --accept-mismatch that no binaries_find() so far was about, one
 * a call; begin with *at = 0. NULL at the end. Borrowed.
 */
const char *binaries_next_unmatched(const struct binaries *binaries, size_t *at);
