/* frame_memo.h - the raw bytes of frame lines that were parsed before */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/*
 * In real text most frame lines stand there again and again; a lookup by their bytes costs a
 * fraction of the grammar. The memory is bounded: when it is full it forgets all and begins
 * again.
 */
#define FRAME_MEMO_BYTES_MAX ((size_t)32 << 20)

struct frame_memo_entry {
	size_t offset; /* into bytes */
	uint32_t size;
	uint32_t location;
};

struct frame_memo {
	char *bytes;
	size_t bytes_nr, bytes_alloc;
	struct frame_memo_entry *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
};

void frame_memo_release(struct frame_memo *memo);

/* The location of this line, LOCATION_NONE where it was not seen yet. */
uint32_t frame_memo_find(const struct frame_memo *memo, const char *at, size_t size, uint32_t hash);

/* Remembers a line that frame_memo_find() did not know. */
void frame_memo_add(struct frame_memo *memo, const char *at, size_t size, uint32_t hash,
		    uint32_t location);
