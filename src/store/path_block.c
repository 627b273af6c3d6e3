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

static bool take(struct path_block *block, char c)
{
	return *block->at == c && block->at++;
}

/* Those of the path's ids that it does not share. */
static bool take_rest(struct path_block *block)
{
	const char *at = block->at;
	uint32_t nr = block->shared;
	uint64_t id;

	if (*at++ != '[')
		return false;
	if (*at == ']') {
		block->at = at + 1;
		block->nr = nr;
		return true;
	}
	do {
		if (nr > STACK_FRAMES_MAX || !value_take_id(&at, block->end, &id))
			return false;
		id -= (uint64_t)block->base; /* large for what is before the base */
		if (id >= block->limit)
			return false;
		GROW(block->path, (size_t)nr + 1, block->path_alloc);
		block->path[nr++] = (uint32_t)id;
	} while (*at++ == ',');
	block->at = at;
	block->nr = nr;
	return at[-1] == ']';
}

static bool take_weight(struct path_block *block, weight *ret)
{
	const char *end;
	uint64_t number;

	if (!take(block, ','))
		return false;
	if (*block->at != '"') {
		if (!value_take_id(&block->at, block->end, &number))
			return false;
		*ret = weight_of(number);
		return true;
	}
	end = strchr(block->at + 1, '"');
	if (!end || !weight_read(block->at + 1, (size_t)(end - block->at) - 1, ret))
		return false;
	block->at = end + 1;
	return true;
}

static bool take_path(struct path_block *block)
{
	uint64_t shared;

	if (!take(block, '[') || !value_take_id(&block->at, block->end, &shared) ||
	    shared > block->nr || !take(block, ','))
		return false;
	block->shared = (uint32_t)shared;
	return take_rest(block) && take_weight(block, &block->count) &&
	       take_weight(block, &block->period) && take(block, ']');
}

bool path_block_begin(struct path_block *block, const char *text)
{
	block->at = text;
	block->end = text + strlen(text);
	block->nr = 0;
	return take(block, '[');
}

enum path_block_step path_block_next(struct path_block *block)
{
	if (*block->at == ']')
		return block->at[1] ? PATH_BLOCK_DAMAGED : PATH_BLOCK_END;
	if (!take_path(block) || (*block->at != ']' && !(take(block, ',') && *block->at == '[')))
		return PATH_BLOCK_DAMAGED;
	return PATH_BLOCK_PATH;
}

void path_block_release(struct path_block *block)
{
	free(block->path);
	*block = (struct path_block){0};
}
