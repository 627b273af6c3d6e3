/* notable.h - the functions with the most below them that are not on the way to everything */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct paths;
struct top;

/* Functions that are looked at, those with the most weight. */
#define NOTABLE_LOOKED_AT 256

/*
 * Rows of the top by inclusive weight, at most `most` of them: their number. Left out are those
 * that hold 80 % and more of all samples of the roots (threads of a name) that they are in, entry
 * points by name (kinds.def), those whose weight is 90 % and more their own, what is below 1 %, and
 * what has all its weight (98 %) in common with one before.
 */
size_t notable_rows(const struct paths *paths, const struct top *top, bool counts_samples,
		    size_t *ret, size_t most);
