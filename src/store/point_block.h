/* point_block.h - many points of a series, and their times, as the texts of one row each */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/series.h"

struct text;

/* Points of a block; schema/README.md has the form of the texts. */
#define POINT_BLOCK_POINTS 1024u

/*
 * Adds what the times are beside start + n * step: a JSON array, or nothing where they are just
 * that. *ret_step_ns is the mean distance. nr > 0.
 */
void tick_block_add(struct text *offsets, const uint64_t *times_ns, uint32_t nr,
		    uint64_t *ret_step_ns);

/* Reads them again; offsets may be NULL. False where the text is not what was written. */
bool tick_block_read(const char *offsets, uint64_t start_ns, uint64_t step_ns, uint32_t nr,
		     uint64_t *ret_times_ns);

/* Adds a point but for its end_ns. */
void point_block_add(struct text *block, const struct point *point);
void point_block_end(struct text *block);

enum point_block_step {
	POINT_BLOCK_POINT,
	POINT_BLOCK_END,
	POINT_BLOCK_DAMAGED,
};

/* A block that is read: false for a text that does not begin as one. */
bool point_block_begin(const char **at);

/* The next point, which ends at end_ns. */
enum point_block_step point_block_next(const char **at, uint64_t end_ns, struct point *ret);
