/* names.h - each name once: raw bytes are its identity, a display form is for people */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* No name: a location without a symbol, a sample without a comm. */
#define NAME_NONE UINT32_MAX

/* Longest name that is kept whole; a longer one is cut, with its full length at the end. */
#define NAME_SIZE_MAX ((size_t)1 << 20)

struct name {
	const char *bytes;   /* interned, NUL behind them */
	const char *display; /* interned: valid UTF-8 without control characters */
	uint32_t size;	     /* of bytes */
	uint32_t display_size;
};

struct names_block;

struct names {
	struct name *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
	struct names_block *blocks;
};

void names_release(struct names *names);

/* The id of these bytes, interned until names_release(). Ids count from 0 in order of appearance.
 */
uint32_t names_add(struct names *names, const char *at, size_t size);
uint32_t names_add_string(struct names *names, const char *s);

static inline const struct name *names_get(const struct names *names, uint32_t id)
{
	return &names->list[id];
}

static inline const char *names_display(const struct names *names, uint32_t id)
{
	return names->list[id].display;
}

/* Order of two names by their raw bytes, as strcmp(). Ids and hashes decide nothing. */
int names_compare(const struct names *names, uint32_t a, uint32_t b);

/*
 * The place of each name in the order of names_compare(), so that names can be compared as
 * numbers. An array of names->nr; the caller frees it.
 */
uint32_t *names_ranks(const struct names *names);
