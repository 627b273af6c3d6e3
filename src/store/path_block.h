/* path_block.h - paths in their order, each without what it shares with the one before, as JSON */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct text;

/*
 * A block is an array of paths: [[0,[7,8,9],1,250],[2,[12],3,"0.5"]]. Of each: how many frames
 * it shares with the path before, the ids of the others, count and period. A weight is a number,
 * or a string with all its digits where it is not whole or not below 2^63.
 */

/* What a block holds before it is ended: larger ones would be read at one go for no gain. */
#define PATH_BLOCK_BYTES (32u << 10)

/* Adds one path to a block, whose text was empty or is what this made. Ids get base added. */
void path_block_add(struct text *block, uint32_t shared, const uint32_t *ids, uint32_t nr,
		    int64_t base, weight count, weight period);
void path_block_end(struct text *block);

/* What an id means that leads nowhere. */
#define PATH_BLOCK_NOTHING UINT32_MAX

/*
 * A block while it is read. Zeroed but for base, limit and meaning_of; path_block_release() at the
 * end.
 */
struct path_block {
	const char *at, *end; /* what is left of its text, borrowed */
	int64_t base;	      /* ids are base <= id < base + limit, and base is taken off them */
	uint32_t limit;
	const uint32_t *meaning_of; /* borrowed, `limit` of them: what a path has instead of an id
				       less base; NULL: that itself */
	uint32_t *path;		    /* owned: the path at hand */
	uint32_t nr;
	uint32_t shared; /* so many of it were there before */
	size_t path_alloc;
	weight count, period;
};

enum path_block_step {
	PATH_BLOCK_PATH,
	PATH_BLOCK_END,
	PATH_BLOCK_DAMAGED,
};

/*
 * Begins the text of a block, `size` bytes and a NUL, which is borrowed until its end. False where
 * it is none.
 */
bool path_block_begin(struct path_block *block, const char *text, size_t size);
enum path_block_step path_block_next(struct path_block *block);
void path_block_release(struct path_block *block);
