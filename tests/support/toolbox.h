/* toolbox.h - compilers, linkers and their like, run by a test to build what it looks at */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

struct text;

/* A folder of this program's own, made at the first call and removed at its end. */
const char *toolbox_folder(void);

/* Are all these tools (words with blanks between) there? If not, a line "# ..." says so. */
bool toolbox_has(const char *tools);

/* Writes a file into the folder. */
void toolbox_write(const char *name, const void *at, size_t size);

/* Runs a shell command in the folder; its output is shown where it fails, and the test too. */
void toolbox_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, where failing is an answer. */
bool toolbox_try(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs a shell command in the folder and adds what it writes. */
void toolbox_read(struct text *ret, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A file of the folder, or at an absolute path, as Elf; closed by toolbox_close(). */
Elf *toolbox_elf(const char *name);
void toolbox_close(Elf *elf);

/*
 * The path of a file in the corpus beside the checkout (or where $TEPHRA_SHARED is), in
 * static memory; NULL, and a line "# ...", where it is not there.
 */
const char *toolbox_corpus(const char *name);
