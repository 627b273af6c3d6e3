/* program.h - a command of tephra run inside a test, for tests that run it a thousand times */
#pragma once

#include <stddef.h>

#include "base/text.h"

/*
 * Runs words[0] (a command) with its options, NULL-terminated; `input` comes through
 * standard input. Adds what the command writes to `out`. NULL, or what it says of its
 * failure, owned. The command must know -o.
 */
char *program_run(const char *const *words, const void *input, size_t size, struct text *out);

/*
 * Runs words[0] with exactly these words. NULL, or what it says of its failure and, a line
 * below, its hint; owned.
 */
char *program_call(const char *const *words);
