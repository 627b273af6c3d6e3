/* symbols.h - the options that say which files names come from, and the naming itself */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/options.h"
#include "base/text.h"

struct binaries;
struct capture;

/* A member of a command's options. */
struct symbols_options {
	int from; /* enum symbols_from */
	struct option_texts debug_dirs, binaries, sysroots, accepted, map_dirs;
	const char *kallsyms;
	int64_t jobs; /* 0: as many as there are CPUs */
};

enum symbols_from {
	SYMBOLS_AUTO,
	SYMBOLS_GIVEN,
	SYMBOLS_NO
};

extern const char *const symbols_from_words[];

/* clang-format off */
/* Entries for a table of options whose struct has them as `member`: where files are. */
#define SYMBOLS_FOLDER_OPTIONS(options, member)                                                    \
	OPTION_TEXTS(0, "debug-dir", options, member.debug_dirs, "<folder>",                       \
		     "where debug files and binaries are: a .build-id tree, or any folder"),       \
	OPTION_TEXTS(0, "binary", options, member.binaries, "<module>=<file>",                     \
		     "the file of this module (recorded path, base name or build ID)"),            \
	OPTION_TEXTS(0, "sysroot", options, member.sysroots, "<folder>",                           \
		     "a copy of the recorded machine's file system")

/* All of them. */
#define SYMBOLS_OPTIONS(options, member)                                                           \
	SYMBOLS_FOLDER_OPTIONS(options, member),                                                   \
	OPTION_TEXT(0, "kallsyms", options, member.kallsyms, "<file>",                             \
		    "/proc/kallsyms of the recorded machine"),                                     \
	OPTION_TEXTS(0, "perf-map-dir", options, member.map_dirs, "<folder>",                      \
		     "where its perf-PID.map and jit-PID.dump files are"),                      \
	OPTION_TEXTS(0, "accept-mismatch", options, member.accepted, "<module>",                   \
		     "name this module's frames by a file that is not the one that ran"),          \
	OPTION_CHOICE(0, "symbols", options, member.from, "auto|given|no", symbols_from_words,     \
		      "names from what this machine has, from given files alone, or none"),        \
	OPTION_NUMBER(0, "jobs", options, member.jobs, "<n>", 0, 64,                               \
		      "processes that read files, threads that unwind; 0: one per CPU")
/* clang-format on */

/*
 * Where files of one capture are looked for, and the words that it borrows. Unwinding and naming
 * share it, so that folders are read once.
 */
struct symbols_files {
	const struct symbols_options *options; /* borrowed */
	const char *capture_path;	       /* borrowed; "-": standard input */
	struct binaries *binaries;	       /* owned; NULL: not open */
	struct text bundle;
	const char **sysroots; /* owned */
};

/*
 * Opens it, unless it is open, where options and capture_path are set and the rest is zeroed.
 * Errors are those of what the user typed. Close it in any case.
 */
ERROR_RESULT struct error *symbols_files_open(struct symbols_files *files);
void symbols_files_close(struct symbols_files *files);

/* Does it name files? A profile has its names already. */
bool symbols_has_given(const struct symbols_options *options);

enum symbols_flags {
	SYMBOLS_UNINLINED = 1 << 0, /* only the functions that were called */
	SYMBOLS_QUIET = 1 << 1,
	SYMBOLS_DIGESTS = 1 << 2, /* also the SHA-256 of each file used, which reads all of it */
	SYMBOLS_BUILD_FACTS = 1 << 3, /* also how the main executable was built, as facts */
};

/*
 * Names the places of a capture by those files, which it opens, if its addresses are of files and
 * names are wanted. Errors are those of what the user typed.
 */
ERROR_RESULT struct error *symbols_name(struct symbols_files *files, unsigned flags,
					struct capture *capture);
