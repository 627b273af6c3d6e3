/* path_block.c - paths in their order, each without what it shares with the one before, as JSON */
#include "store/path_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/stacks.h"
#include "store/value.h"

/* ---- writing */

static void add_weight(struct text *block, weight w)
{
	bool is_number = value_is_integer(w);

	text_add(block, is_number ? "," : ",\"");
	weight_add(block, w);
	if (!is_number)
		text_add_char(block, '"');
}

void path_block_add(struct text *block, uint32_t shared, const uint32_t *ids, uint32_t nr,
		    int64_t base, weight count, weight period)
{
	text_add(block, block->size ? ",[" : "[[");
	value_add_id(block, shared);
	text_add_char(block, ',');
	value_add_list(block, ids, nr, base);
	add_weight(block, count);
	add_weight(block, period);
	text_add_char(block, ']');
}

void path_block_end(struct text *block)
{
	text_add_char(block, ']');
}

/* ---- reading: false where the text is not what was written */

static inline bool take(const char **at, char c)
{
	return **at == c && (*at)++;
}

/*
 * Those of the path's ids that it does not share. The block's members are copied: ids that are
 * written could be any of them, as far as the compiler can see.
 */
static inline bool take_rest(struct path_block *block, const char **at)
{
	const char *end = block->end;
	const uint64_t base = (uint64_t)block->base, limit = block->limit;
	const uint32_t *meaning_of = block->meaning_of;
	uint32_t *path = block->path, nr = block->shared, meaning;
	size_t alloc = block->path_alloc;
	uint64_t id;
	bool is_good = true;

	if (!take(at, '['))
		return false;
	if (!take(at, ']')) {
		do {
			is_good = nr <= STACK_FRAMES_MAX && value_take_id(at, end, &id) &&
				  id - base < limit; /* large for what is before the base */
			if (!is_good)
				break;
			meaning = meaning_of ? meaning_of[id - base] : (uint32_t)(id - base);
			if (meaning == PATH_BLOCK_NOTHING) {
				is_good = false;
				break;
			}
			GROW(path, (size_t)nr + 1, alloc);
			path[nr++] = meaning;
		} while (take(at, ','));
		is_good = is_good && take(at, ']');
	}
	block->path = path;
	block->path_alloc = alloc;
	block->nr = nr;
	return is_good;
}

static bool take_words(const char **at, weight *ret)
{
	const char *end = strchr(*at + 1, '"');

	if (!end || !weight_read(*at + 1, (size_t)(end - *at) - 1, ret))
		return false;
	*at = end + 1;
	return true;
}

static inline bool take_weight(const char **at, const char *end, weight *ret)
{
	uint64_t number;

	if (!take(at, ','))
		return false;
	if (**at == '"')
		return take_words(at, ret);
	if (!value_take_id(at, end, &number))
		return false;
	*ret = weight_of(number);
	return true;
}

static inline bool take_path(struct path_block *block, const char **at)
{
	const char *end = block->end;
	uint64_t shared;

	if (!take(at, '[') || !value_take_id(at, end, &shared) || shared > block->nr ||
	    !take(at, ','))
		return false;
	block->shared = (uint32_t)shared;
	return take_rest(block, at) && take_weight(at, end, &block->count) &&
	       take_weight(at, end, &block->period) && take(at, ']');
}

bool path_block_begin(struct path_block *block, const char *text, size_t size)
{
	block->at = text;
	block->end = text + size;
	block->nr = 0;
	return take(&block->at, '[');
}

enum path_block_step path_block_next(struct path_block *block)
{
	const char *at = block->at;

	if (*at == ']')
		return at + 1 == block->end ? PATH_BLOCK_END : PATH_BLOCK_DAMAGED;
	if (!take_path(block, &at) || (*at != ']' && !(take(&at, ',') && *at == '[')))
		return PATH_BLOCK_DAMAGED;
	block->at = at;
	return PATH_BLOCK_PATH;
}

void path_block_release(struct path_block *block)
{
	free(block->path);
	*block = (struct path_block){0};
}
