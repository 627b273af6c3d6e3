/* map.c - the one hash map: from a key that its owner keeps to a 32-bit id */
#include "base/map.h"

#include "base/mem.h"

#define FIRST_SLOTS 64

/* Up to so many slots a map grows by four: whether a slot is free is a branch nobody can guess. */
#define SMALL_SLOTS (8 << 10)

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){0};
}

void map_clear(struct map *map)
{
	if (map->slots)
		memset(map->slots, 0xff, sizeof(*map->slots) * ((size_t)map->mask + 1));
	map->nr = 0;
}

static void place(struct map *map, struct map_slot moved)
{
	uint32_t at = moved.hash & map->mask;

	while (map->slots[at].id != MAP_NONE)
		at = (at + 1) & map->mask;
	map->slots[at] = moved;
}

void map_enlarge(struct map *map)
{
	struct map old = *map;
	size_t old_nr = old.slots ? (size_t)old.mask + 1 : 0;
	size_t nr = old_nr ? old_nr * (old_nr < SMALL_SLOTS ? 4 : 2) : FIRST_SLOTS;

	map->slots = mem_alloc(nr * sizeof(*map->slots));
	map->mask = (uint32_t)(nr - 1);
	memset(map->slots, 0xff, nr * sizeof(*map->slots));
	for (size_t i = 0; i < old_nr; i++)
		if (old.slots[i].id != MAP_NONE)
			place(map, old.slots[i]);
	free(old.slots);
}
