/* flame_memo.h - what was made for one frame and is the same for others */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct figure;
struct flame_frame;

#define FLAME_MEMO_RESTS_LOG 8

/* What follows the name in a frame's tip. Strings are known by where they lie. */
struct flame_memo_rest {
	const char *value, *origin;
	double share;
	const char *text; /* NULL: nothing yet */
};

struct flame_memo_hash {
	const char *name; /* NULL: nothing yet */
	uint32_t hash;
};

/* A slot holds the last of all that falls into it. Strings must stay where they are. */
struct flame_memo {
	struct flame_memo_rest rests[1 << FLAME_MEMO_RESTS_LOG];
	struct flame_memo_hash *hashes; /* owned */
	unsigned int hashes_log;
};

/* For so many names, about. False when short of memory. Release accepts a zeroed one. */
bool flame_memo_init(struct flame_memo *memo, size_t names_nr);
void flame_memo_release(struct flame_memo *memo);

/* palette_name_hash() */
uint32_t flame_memo_name_hash(struct flame_memo *memo, const char *name);

/*
 * ", 1,012.5 samples, 10.1 %, library libc.so.6", kept by the figure; without the share where it
 * is below 0. "" when short of memory.
 */
const char *flame_memo_tip_rest(struct flame_memo *memo, struct figure *figure,
				const struct flame_frame *frame, double share);
