/* reading.h - a capture read by its importer, for every command that reads one */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct capture;
struct importer;
struct reader;
struct sink;
struct symbols_files;

/* The importer of that name, or, without one, what the input looks like. */
ERROR_RESULT struct error *reading_choose(struct reader *reader, const char *format,
					  const struct importer **ret);

/*
 * Reads all of it, with progress unless quiet; stack dumps are unwound by `files`, which are
 * opened where it may have some, damaged compression becomes a note.
 */
ERROR_RESULT struct error *reading_run(struct reader *reader, const struct importer *importer,
				       struct symbols_files *files, bool is_quiet,
				       struct capture *capture, struct sink *sink);

/* For --strict: an error where the capture holds what was damaged or odd. */
ERROR_RESULT struct error *reading_check(const char *name, const struct capture *capture);

/* Prints what was odd in a capture, a line for each kind, to stderr. */
void reading_tell_notes(const char *name, const struct capture *capture);
