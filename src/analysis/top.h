/* top.h - self and total weight per function, over all places */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct paths;

struct top_row {
	uint32_t function;   /* of the most weight, where a name is in several modules */
	weight self;	     /* of paths that end in it */
	weight total;	     /* of paths that hold it, each counted once */
	weight lacks_caller; /* of self: of chains that may lack a caller, see walked.h */
};

struct top {
	struct top_row *rows; /* by self, then total, then name */
	size_t nr;
	weight total;
};

/* Roots that are no code (command, process, thread, CPU) are no rows. */
void top_build(struct top *top, const struct paths *paths, bool counts_samples);
void top_release(struct top *top);
