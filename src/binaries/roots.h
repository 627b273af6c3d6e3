/* roots.h - a recorded path under the file systems in which it may be found */
#pragma once

#include <stddef.h>

/* Forms of one path, tried in order. */
#define ROOTS_VARIANTS_MAX 4

struct roots_variants {
	char *paths[ROOTS_VARIANTS_MAX]; /* owned */
	size_t nr;
};

/*
 * The forms of a recorded path: as it is, without " (deleted)", and with and without the
 * /usr in front of bin, sbin and lib*, since distributions merged those. None for what is no
 * absolute path: "[vdso]", "//anon".
 */
void roots_variants(const char *path, struct roots_variants *ret);
void roots_variants_release(struct roots_variants *variants);

#define ROOTS_LINKS_MAX 40 /* symbolic links in one path, as the kernel has it */

/*
 * The path of `path` in the file system that begins in the folder `root`, whose symbolic links
 * are meant to begin there, too, and ".." never leaves it. Nothing needs to be there. root ""
 * is this machine's: the path itself. Owned; NULL for more links than the limit.
 */
char *roots_resolve(const char *root, const char *path);

/* The folder of a path: "." where it has none. Owned. */
char *roots_folder(const char *path);

/* What stands behind the last '/'. Borrowed. */
const char *roots_basename(const char *path);
