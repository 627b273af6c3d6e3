/* find_parts.h - what the files that find binaries share among themselves */
#pragma once

#include <sys/types.h>

#include "binaries/find.h"
#include "binaries/index.h"
#include "binaries/roots.h"

/* ---- find_options.c */

/* A folder that was given, or the bundle of the capture; read when it is first needed. */
struct find_folder {
	char *path; /* owned */
	struct index index;
	bool is_read;
};

struct binaries {
	struct binaries_options options; /* borrowed lists */
	struct find_folder *folders;	 /* owned */
	size_t folders_nr;
	char *archive;	  /* owned: the capture's folder, where `perf archive` was unpacked; NULL */
	char *perf_cache; /* owned, NULL: not looked at */
	char *debuginfod_cache; /* owned, NULL: not looked at */
	const char **roots;	/* owned array: sysroots, then "" for this machine */
	size_t roots_nr;
	bool *is_matched; /* owned: of options.binaries, then of options.accept_mismatch */
};

/* The FILE of the nth --binary if its MODULE is the wanted one, else NULL. Borrowed. */
const char *find_given(struct binaries *binaries, const struct binaries_wanted *wanted, size_t nr);

/* Is one of --accept-mismatch the wanted one? */
bool find_accepts_mismatch(struct binaries *binaries, const struct binaries_wanted *wanted);

/* ---- find_check.c: candidates are opened and compared */

/* What the reason for turning a candidate down says of the module. */
enum find_verdict {
	FIND_NO_WORD,	   /* nothing: it could not be read */
	FIND_UNSUPPORTED,  /* it may be the one, we cannot tell */
	FIND_OTHER,	   /* it is another one */
	FIND_CONTRADICTED, /* the ID is the one, or none is known, but the code is another */
	FIND_VERDICT_NR,
};

/* What a candidate must be. */
struct find_check {
	const char *build_id; /* NULL: any */
	bool has_crc;	      /* no ID can be compared: the CRC of the whole file */
	uint32_t crc;
	bool is_quiet; /* another ID says nothing: the place holds all sorts of files */
};

struct find_candidate {
	struct elf_file file;
	size_t callsites_ok, callsites_total;
};

#define FIND_CANDIDATES_MAX 64u /* good ones of one module */

struct find_search {
	struct binaries *binaries;
	const struct binaries_wanted *wanted;
	struct binaries_found *found;
	struct find_candidate list[FIND_CANDIDATES_MAX];
	size_t nr;
	struct find_candidate forced; /* the first that was turned down, if the user will have it */
	bool has_forced, accepts_mismatch;
	struct find_file {
		dev_t device;
		ino_t inode;
	} * seen; /* owned */
	size_t seen_nr, seen_alloc;
	size_t first[FIND_VERDICT_NR]; /* 1 + the number of the first rejected one, 0: none */
};

void find_reject(struct find_search *search, enum find_verdict verdict, const char *path,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Opens the file at path, if there is one and it is what is asked for. Close *ret. */
bool find_open(struct find_search *search, const char *path, const struct find_check *check,
	       struct elf_file *ret);

/* The same for a file that was not seen yet; adds it to the list. */
void find_try(struct find_search *search, const char *path, const struct find_check *check);
void find_tryf(struct find_search *search, const struct find_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Did the call-site test say that this file ran? */
bool find_is_proven(const struct find_candidate *candidate);

/* The first candidate with code, NULL for none. */
struct find_candidate *find_runtime(struct find_search *search);

/* ---- find_places.c: the order of places */

/* By build ID, in all places; the recorded path is one of them if asked for. */
void find_by_id(struct find_search *search, const char *build_id, bool by_path);

/* No ID was recorded: by hand, by name in the folders that were given, by path. */
void find_by_name(struct find_search *search);

/* ---- find_debug.c */

/* The files that the .gnu_debuglink of `binary` may mean. */
void find_debuglink(struct find_search *search, const struct elf_file *binary);

/* The dwz file that `debug` names; false: it names none, or there is none. Close *ret. */
bool find_alt(struct find_search *search, const struct elf_file *debug, struct elf_file *ret);
