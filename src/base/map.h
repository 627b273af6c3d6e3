/* map.h - the one hash map: from a key that its owner keeps to a 32-bit id */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * Open addressing, linear probing, at most half full. A slot holds 32 bits of the hash (its
 * place comes from them too, so that growing needs no key) and the id; the key itself lives
 * with its owner, who says whether it is the same.
 * It is the hot path of interning, which is why it is ours and in a header.
 */
struct map_slot {
	uint32_t hash;
	uint32_t id;
};

struct map {
	struct map_slot *slots; /* owned */
	uint32_t mask;		/* slots - 1; 0 while empty */
	uint32_t nr;
};

#define MAP_NONE UINT32_MAX

void map_release(struct map *map);
void map_clear(struct map *map); /* forgets the keys, keeps the memory */

void map_enlarge(struct map *map);

/* Makes room for so many keys at once, where it is known that about so many are to come. */
void map_expect(struct map *map, size_t nr);

/* Makes room for one more key. Call it before the map_find() whose slot shall be filled. */
static inline void map_grow(struct map *map)
{
	if (!map->slots || map->nr > map->mask / 2)
		map_enlarge(map);
}

static inline uint32_t map_hash(const void *at, size_t size)
{
	return (uint32_t)XXH3_64bits(at, size);
}

/*
 * The slot of the key that same() knows, or the free slot where it belongs (id MAP_NONE).
 * same(key, id) is inlined: a function pointer that the compiler sees costs nothing.
 */
static inline __attribute__((always_inline)) struct map_slot *
map_find(const struct map *map, uint32_t hash, bool (*same)(const void *key, uint32_t id),
	 const void *key)
{
	for (uint32_t at = hash & map->mask;; at = (at + 1) & map->mask) {
		struct map_slot *slot = &map->slots[at];

		if (slot->id == MAP_NONE)
			return slot;
		if (slot->hash == hash && same(key, slot->id))
			return slot;
	}
}

/* Fills a free slot that map_find() returned. */
static inline void map_fill(struct map *map, struct map_slot *slot, uint32_t hash, uint32_t id)
{
	slot->hash = hash;
	slot->id = id;
	map->nr++;
}
