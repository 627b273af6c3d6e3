/* frame_memo.c - the raw bytes of frame lines that were parsed before */
#include "importers/frame_memo.h"

#include "base/mem.h"
#include "model/locations.h"

void frame_memo_release(struct frame_memo *memo)
{
	free(memo->bytes);
	free(memo->list);
	map_release(&memo->map);
	*memo = (struct frame_memo){0};
}

struct key {
	const struct frame_memo *memo;
	const char *at;
	size_t size;
};

static inline bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct frame_memo_entry *entry = &key->memo->list[id];

	return entry->size == key->size &&
	       memcmp(key->memo->bytes + entry->offset, key->at, key->size) == 0;
}

uint32_t frame_memo_find(const struct frame_memo *memo, const char *at, size_t size, uint32_t hash)
{
	struct map_slot *slot;

	if (!memo->nr)
		return LOCATION_NONE;
	slot = map_find(&memo->map, hash, is_same, &(struct key){memo, at, size});
	return slot->id == MAP_NONE ? LOCATION_NONE : memo->list[slot->id].location;
}

static void forget_all(struct frame_memo *memo)
{
	memo->nr = 0;
	memo->bytes_nr = 0;
	map_clear(&memo->map);
}

void frame_memo_add(struct frame_memo *memo, const char *at, size_t size, uint32_t hash,
		    uint32_t location)
{
	struct map_slot *slot;

	if (memo->bytes_nr + size > FRAME_MEMO_BYTES_MAX)
		forget_all(memo);
	if (size > FRAME_MEMO_BYTES_MAX)
		return;
	map_grow(&memo->map);
	slot = map_find(&memo->map, hash, is_same, &(struct key){memo, at, size});
	map_fill(&memo->map, slot, hash, memo->nr);
	GROW(memo->list, (size_t)memo->nr + 1, memo->list_alloc);
	GROW(memo->bytes, memo->bytes_nr + size, memo->bytes_alloc);
	memo->list[memo->nr++] =
		(struct frame_memo_entry){memo->bytes_nr, (uint32_t)size, location};
	memcpy(memo->bytes + memo->bytes_nr, at, size);
	memo->bytes_nr += size;
}
