/* fetch_script.h - what a person runs on the recorded machine to bring back files for names */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* One module whose file is wanted. Borrowed, raw bytes as recorded. */
struct fetch_file {
	const char *path;
	const char *build_id; /* hex, NULL */
};

/*
 * Writes a POSIX script that packs these files (with their debug files, where that machine has
 * them), the kernel's list of functions, the maps and dumps of runtimes, and facts that
 * captures lack, into `<bundle>.tar` in the current folder. It reads only, needs no root
 * (what cannot be read it names), and uses sh, tar, mkdir, cp and cat alone. Nothing of a
 * path is trusted: each stands in quotes.
 */
void fetch_script_write(FILE *out, const char *bundle, const struct fetch_file *files, size_t nr);
