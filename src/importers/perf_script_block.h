/* perf_script_block.h - the caller lines of a sample, looked up together */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memo.h"

struct reader;

/*
 * The caller lines of the current sample, where they lie in the reader's buffer as a whole: call
 * chains repeat, and to know all of their bytes at once is what makes text fast. Zeroed memory is
 * empty.
 */
struct perf_script_block {
	struct perf_script_block_line {
		const char *at; /* borrowed from the buffer */
		size_t size;
		struct memo_key key;
	} * lines; /* owned */
	size_t nr, alloc;
	struct memo memo;     /* all caller lines of a sample -> stack */
	uint32_t hits, tries; /* of the memo, lately */
	uint32_t pause;	      /* so many samples are not looked up as a block */
};

void perf_script_block_release(struct perf_script_block *block);

/*
 * Finds the caller lines that follow in the buffer. False where they are not all there, or where
 * something else than an empty line follows them.
 */
bool perf_script_block_find(struct perf_script_block *block, const struct reader *reader);

/* Is it to be looked up? Where blocks do not repeat there is a pause. The caller counts hits. */
bool perf_script_block_is_tried(struct perf_script_block *block);
