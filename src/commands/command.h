/* command.h - a subcommand: its words, its options, its work */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/options.h"

struct command {
	const char *name;
	const char *args;    /* "[<capture>]" */
	const char *summary; /* one line, lower case */
	const struct option_entry *options;
	size_t size;	      /* of its options struct */
	const void *defaults; /* what the struct is filled with first; NULL: zeroes */

	/*
	 * Does the work with the operands (argv[0..argc-1]). *ret_status is 0 unless the answer
	 * is no (1). stdout is written to, but main looks at whether that went well.
	 */
	struct error *(*run)(const void *options, int argc, char **argv, int *ret_status);
};

/* All commands in the order of help, NULL-terminated. */
extern const struct command *const commands[];

/* The command of that name, NULL for none. */
const struct command *commands_find(const char *name);
