/* perf_script_block.c - the caller lines of a sample, looked up together */
#include "importers/perf_script_block.h"

#include <string.h>

#include "base/mem.h"
#include "base/reader.h"

/* After so many tries it is judged whether blocks repeat, else there is a pause. */
#define BLOCK_TRIES 256
#define BLOCK_PAUSE 4096

void perf_script_block_release(struct perf_script_block *block)
{
	free(block->lines);
	memo_release(&block->memo);
	*block = (struct perf_script_block){0};
}

bool perf_script_block_find(struct perf_script_block *block, const struct reader *reader)
{
	const char *at = reader->buf + reader->begin, *end = reader->buf + reader->end;

	block->nr = 0;
	while (at < end && *at == '\t') {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end)
			return false;
		GROW(block->lines, block->nr + 1, block->alloc);
		block->lines[block->nr++] =
			(struct perf_script_block_line){.at = at, .size = (size_t)(line_end - at)};
		at = line_end + 1;
	}
	return block->nr && at < end && (*at == '\n' || *at == '\r');
}

bool perf_script_block_is_tried(struct perf_script_block *block)
{
	if (block->pause) {
		block->pause--;
		return false;
	}
	if (++block->tries < BLOCK_TRIES)
		return true;
	if (block->hits < block->tries / 8)
		block->pause = BLOCK_PAUSE;
	block->hits = block->tries = 0;
	return true;
}
