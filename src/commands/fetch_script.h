/* fetch_script.h - what a person runs on the recorded machine to bring back files for names */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text;

/* One module whose file is wanted. Borrowed, raw bytes as recorded. */
struct fetch_file {
	const char *path;
	const char *build_id; /* hex, NULL */
};

/*
 * Writes a POSIX script that packs these files (with their debug files, where that machine has
 * them), the kernel's list of functions, the maps and dumps of runtimes, and facts that
 * captures lack, and a log of what its CPUs, pressure and cgroup count, into `<bundle>.tar` in the
 * current folder. It reads only, needs no root (what cannot be read it names), and uses sh, tar,
 * mkdir, cp, cat, grep, tr, date, sleep and uname alone.
 * Nothing of a path is trusted: each stands in quotes, and one that leads out of the bundle
 * ("..") is not copied but named.
 */
void fetch_script_write(FILE *out, const char *bundle, const struct fetch_file *files, size_t nr);

/*
 * Adds s as one word of a shell's command line that names a file: in quotes where it needs them,
 * and never taken for an option or for a host (tar's "host:file").
 */
void fetch_script_add_word(struct text *text, const char *s);

/* Is it hexadecimal, as build IDs are? What is not may be anything. */
bool fetch_script_is_build_id(const char *s);
