/* index.h - the ELF files in a folder, by build ID and by name */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What is beyond these is not looked at, and index.is_cut says so. */
#define INDEX_DEPTH_MAX	  32u
#define INDEX_ENTRIES_MAX (1u << 20)

struct index_entry {
	char *path;	/* owned: the folder as it was given, and the way below it */
	char *build_id; /* owned, "" for none */
};

struct index {
	struct index_entry *by_id; /* owned; sorted by build ID, then path */
	size_t nr, alloc;
	struct index_entry **by_name; /* owned; sorted by base name, then path */
	bool is_cut;
};

/*
 * Reads the folder and all below it; symbolic links are followed, and each folder is read
 * once. What cannot be opened or is no ELF file is not in it. The order does not depend on
 * the file system.
 */
void index_read(const char *folder, struct index *ret);
void index_release(struct index *index);

/* The files with this build ID, or of this name: the first of them, *ret_nr of them. */
const struct index_entry *index_find_id(const struct index *index, const char *build_id,
					size_t *ret_nr);
struct index_entry *const *index_find_name(const struct index *index, const char *name,
					   size_t *ret_nr);
