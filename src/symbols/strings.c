/* strings.c - strings that are kept once, and stay where they are */
#include "symbols/strings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_SIZE 65536

struct key {
	const struct strings *strings;
	const char *string;
};

static bool is_same(const void *at, uint32_t id)
{
	const struct key *key = at;

	return strcmp(key->strings->strings[id], key->string) == 0;
}

void strings_release(struct strings *strings)
{
	for (size_t i = 0; i < strings->blocks_nr; i++)
		free(strings->blocks[i]);
	free(strings->blocks);
	free(strings->strings);
	map_release(&strings->map);
	*strings = (struct strings){0};
}

static char *block_take(struct strings *strings, size_t size)
{
	if (strings->block_size - strings->block_used < size) {
		strings->block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
		strings->block_used = 0;
		GROW(strings->blocks, strings->blocks_nr + 1, strings->blocks_alloc);
		strings->blocks[strings->blocks_nr++] = mem_alloc(strings->block_size);
	}
	strings->block_used += size;
	return strings->blocks[strings->blocks_nr - 1] + strings->block_used - size;
}

const char *strings_keep(struct strings *strings, const char *string)
{
	const struct key key = {strings, string};
	size_t size = strlen(string) + 1;
	uint32_t hash = map_hash(string, size);
	struct map_slot *slot;
	char *kept;

	map_grow(&strings->map);
	slot = map_find(&strings->map, hash, is_same, &key);
	if (slot->id != MAP_NONE)
		return strings->strings[slot->id];
	kept = block_take(strings, size);
	memcpy(kept, string, size);
	map_fill(&strings->map, slot, hash, (uint32_t)strings->strings_nr);
	GROW(strings->strings, strings->strings_nr + 1, strings->strings_alloc);
	strings->strings[strings->strings_nr++] = kept;
	return kept;
}
