/* fold_words.h - stacks as folded lines have them */
#pragma once

#include <stdint.h>

#include "base/text.h"

struct name;

/* A line that grows from frame to frame: what a stack begins with as the one before stays. */
struct fold_line {
	struct text text;
	size_t *ends; /* per number of frames: where they end */
	size_t ends_alloc;
};

/*
 * Puts a frame at this place, 0 the outermost, in place of what was there and behind it. ';'
 * separates frames, so one in a name is written ':'. A line feed cannot be kept.
 */
void fold_line_put(struct fold_line *line, uint32_t at, const struct name *name);

/* Leaves so many frames, and nothing else. */
void fold_line_cut(struct fold_line *line, uint32_t nr);
void fold_line_release(struct fold_line *line);
