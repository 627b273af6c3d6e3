/* scopes.h - the namespaces, classes and functions around an entry, as a prefix of its name */
#pragma once

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dies.h"

struct debug_sections;
struct text;
struct unit_body;

/*
 * libdw knows no parents. The scopes of one unit, kept until another unit is asked for: ask
 * for names in the order of their offsets. Owned: scopes_release().
 */
struct scopes {
	struct scope {
		uint64_t begin, end; /* offsets of the entry and of the end of its children */
		uint32_t parent;
	} * scopes; /* by begin */
	size_t scopes_nr, scopes_alloc;
	const unsigned char *info; /* whose they are */
	uint64_t header;
	uint32_t *levels; /* while reading */
	size_t levels_nr, levels_alloc;
	struct dies dies;
	Dwarf *alt; /* a dwz file; names may lead into it. NULL: there is none that may be used */
	const struct debug_sections *alt_sections;
};

#define SCOPES_MAX	   (UINT32_C(1) << 28) /* of one unit */
#define SCOPE_DEPTH_MAX	   4096
#define SCOPES_IN_NAME_MAX 32 /* outer ones are left out */

#define SCOPE_NONE UINT32_MAX

void scopes_release(struct scopes *scopes);

/*
 * Appends "a::b::" for the entry; nothing where it stands at the top of its unit. body: of any
 * unit of the same file.
 */
void scopes_add_prefix(struct scopes *scopes, const struct unit_body *body, Dwarf_Die *die,
		       struct text *ret);
