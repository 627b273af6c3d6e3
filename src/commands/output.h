/* output.h - where a result goes: standard output, or a file that is complete or absent */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct output {
	FILE *file; /* write to this */
	char *path; /* owned; NULL: standard output */
	char *part; /* owned; what is written before it is renamed to path; NULL: path itself */
};

/*
 * Opens the output; "-" and NULL are standard output. A file is written beside its place and
 * renamed by output_commit(), so that nothing half-written is ever there. Places that are
 * no regular file (a device, a named pipe) are written to directly.
 */
ERROR_RESULT struct error *output_open(const char *path, struct output *ret);

/* Finishes the output, whose writing went well until now. Frees what output owns. */
ERROR_RESULT struct error *output_commit(struct output *output);

/* Gives the output up and removes what was written. */
void output_abort(struct output *output);

/* The same where writing failed, with the error for it: errno says why. */
ERROR_RESULT struct error *output_failed(struct output *output);

/* What happened while standard output was written to, NULL if nothing. */
ERROR_RESULT struct error *output_check_stdout(void);
