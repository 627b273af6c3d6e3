/* trust.h - how far the names in a result are shown to be right */
#pragma once

#include <stdbool.h>

#include "base/units.h"
#include "model/modules.h"

struct paths;
struct text;

/* By the module of each path's leaf, as counted by the tally. */
struct trust {
	weight all;
	weight by_status[MODULE_STATUS_NR]; /* those without a module are in none */
};

void trust_count(struct trust *trust, const struct paths *paths, bool counts_samples);

/*
 * Adds a sentence for each status that a reader must know of, with its share, each behind
 * `before`: "12.4 % is in modules whose files here are not those that ran, and has no names".
 * Nothing where all is well.
 */
void trust_add(const struct trust *trust, const char *before, struct text *text);
