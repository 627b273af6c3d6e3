/* dumps.h - what unwinds the stack dumps of a capture, by the files that options name */
#pragma once

#include "base/error.h"
#include "commands/symbols.h"

struct unwinder;

struct dumps {
	struct symbols_files files;
	struct unwinder *unwinder; /* owned */
};

/*
 * With --symbols=no it looks for no file, and finds no caller. Errors are those of what the user
 * typed. Close it in any case; zeroed memory will do.
 */
ERROR_RESULT struct error *dumps_open(const struct symbols_options *options,
				      const char *capture_path, struct dumps *ret);
void dumps_close(struct dumps *dumps);
