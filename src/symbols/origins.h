/* origins.h - from an instance to its declaration, and the strings on the way */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

#define ORIGINS_MAX 16 /* libdw has the same limit */

/*
 * libdw follows references into a dwz file that it found by itself, right or wrong. has_alt says
 * whether there is one that may be used; if not, what leads there is as if it was not there.
 */
const char *origin_string(Dwarf_Die *die, unsigned attribute, bool has_alt);

/* What the entry is an instance or the definition of; false: nothing. ret may be die. */
bool origin_next(Dwarf_Die *die, bool has_alt, Dwarf_Die *ret);

/* DW_AT_name of the entry or of one of its origins; NULL. */
const char *origin_name(const Dwarf_Die *die, bool has_alt);
