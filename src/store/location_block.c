/* location_block.c - the derived table location_block: the functions of each location, as JSON */
#include "store/location_block.h"

#include <sqlite3.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/store.h"
#include "store/value.h"

/* Locations to a row: enough to make the row's own cost small, few enough for one text. */
#define BLOCK_LOCATIONS 1024

static void add_location(struct text *block, const struct capture *capture, uint32_t location,
			 uint64_t base)
{
	const uint32_t *symbols = capture->locations.symbols;
	uint32_t nr;
	const struct frame *frames = frames_of(&capture->frames, location, &nr);

	if (!nr)
		value_add_id(block, base + symbols[location]);
	if (nr > 1)
		text_add_char(block, '[');
	for (uint32_t i = 0; i < nr; i++) {
		if (i)
			text_add_char(block, ',');
		value_add_id(block, base + symbols[frames[i].function]);
	}
	if (nr > 1)
		text_add_char(block, ']');
}

static int insert_block(sqlite3_stmt *insert, const struct capture *capture, uint32_t first,
			uint32_t end, int64_t base_function)
{
	CLEANUP(text_release) struct text block = TEXT_INIT;
	int status;

	for (uint32_t i = first; i < end && i - first < BLOCK_LOCATIONS; i++) {
		text_add_char(&block, i == first ? '[' : ',');
		add_location(&block, capture, i, (uint64_t)base_function);
	}
	text_add_char(&block, ']');
	sqlite3_bind_text(insert, 3, text_string(&block), (int)block.size, SQLITE_STATIC);
	status = sqlite3_step(insert);
	sqlite3_reset(insert);
	return status == SQLITE_DONE ? SQLITE_OK : status;
}

struct error *location_block_write(struct store *store, const struct capture *capture,
				   int64_t capture_id, int64_t base_location, int64_t base_function)
{
	uint32_t nr = frames_places(&capture->frames, capture->locations.nr);
	sqlite3_stmt *insert;
	int status = sqlite3_prepare_v2(store->db, "INSERT INTO location_block VALUES (?, ?, ?)",
					-1, &insert, NULL);

	for (uint32_t i = 0; status == SQLITE_OK && i < nr; i += BLOCK_LOCATIONS) {
		sqlite3_bind_int64(insert, 1, base_location + i);
		sqlite3_bind_int64(insert, 2, capture_id);
		status = insert_block(insert, capture, i, nr, base_function);
	}
	sqlite3_finalize(insert);
	return status == SQLITE_OK ? NULL : store_error(store, status);
}

bool location_block_begin(struct location_block *block, const char *text)
{
	block->at = text + 1;
	block->end = text + strlen(text);
	block->is_first = true;
	return *text == '[';
}

static bool take_function(struct location_block *block)
{
	uint64_t id;

	if (block->nr > STACK_FRAMES_MAX || !value_take_id(&block->at, block->end, &id))
		return false;
	id -= (uint64_t)block->base; /* large for what is before the base */
	if (id >= block->limit)
		return false;
	GROW(block->functions, (size_t)block->nr + 1, block->alloc);
	block->functions[block->nr++] = (uint32_t)id;
	return true;
}

static bool take_functions(struct location_block *block)
{
	do {
		block->at++; /* the bracket, then commas */
		if (!take_function(block))
			return false;
	} while (*block->at == ',');
	return *block->at++ == ']';
}

enum location_block_step location_block_next(struct location_block *block)
{
	if (*block->at == ']')
		return block->at[1] ? LOCATION_BLOCK_DAMAGED : LOCATION_BLOCK_END;
	if (!block->is_first && *block->at++ != ',')
		return LOCATION_BLOCK_DAMAGED;
	block->is_first = false;
	block->nr = 0;
	if (*block->at == '[' ? take_functions(block) : take_function(block))
		return LOCATION_BLOCK_LOCATION;
	return LOCATION_BLOCK_DAMAGED;
}

void location_block_release(struct location_block *block)
{
	free(block->functions);
	*block = (struct location_block){0};
}
