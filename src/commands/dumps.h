/* dumps.h - what unwinds the stack dumps of a capture, by the files that options name */
#pragma once

#include "base/error.h"
#include "commands/symbols.h"
#include "unwind/trial.h"
#include "unwind/unwind.h"

struct capture;

/* Where dumps can be had a second time, from the first on, while they are read. */
struct dumps_source {
	/*
	 * Gives them to the unwinder until the trial is over. What goes wrong is not said: whoever
	 * reads the same meets it, too.
	 */
	void (*say)(void *context, struct unwinder *unwinder, const struct trial *trial);
	void *context;
};

struct dumps {
	struct unwind_judge judge;
	struct symbols_files *files; /* borrowed */
	struct unwinder *unwinder;   /* owned */
	struct dumps_source source;  /* to be set by whoever has one */
	struct trial trial;
	unsigned trials; /* that were made */
};

/*
 * By those files, which it opens. With --symbols=no it looks for no file, and finds no caller.
 * Files of modules without a build ID are tried on the source's first dumps, and without a source
 * are not used. Errors are those of what the user typed. Close it in any case; zeroed memory will
 * do. It must not be moved.
 */
ERROR_RESULT struct error *dumps_open(struct symbols_files *files, struct dumps *ret);
void dumps_close(struct dumps *dumps);

/* Files that were refuted are no source of names either: tells it to a capture that was read. */
void dumps_tell_refuted(const struct trial *trial, struct capture *capture);
