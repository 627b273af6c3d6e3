/* addresses.h - addresses of one file named: tephra symbolize --addresses */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct symbols_options;

struct addresses_options {
	const char *list;   /* file of addresses, a hexadecimal one a line; "-": standard input */
	const char *output; /* NULL: standard output */
	int format;	    /* enum rows_format */
	const struct symbols_options *symbols; /* whose one --binary is the file */
	bool is_uninlined;
};

/* An address a line; more are refused. */
#define ADDRESSES_MAX (1u << 26)

/*
 * Prints what is at each address, in the order of the list: the innermost function first. The
 * addresses are as the file counts them (st_value), as addr2line takes them.
 */
ERROR_RESULT struct error *addresses_run(const struct addresses_options *options);
