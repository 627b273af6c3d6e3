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

static void resize(struct map *map, size_t nr)
{
	struct map old = *map;
	size_t old_nr = old.slots ? (size_t)old.mask + 1 : 0;

	map->slots = mem_alloc(nr * sizeof(*map->slots));
	map->mask = (uint32_t)(nr - 1);
	memset(map->slots, 0xff, nr * sizeof(*map->slots));
	for (size_t i = 0; i < old_nr; i++)
		if (old.slots[i].id != MAP_NONE)
			place(map, old.slots[i]);
	free(old.slots);
}

void map_enlarge(struct map *map)
{
	size_t nr = map->slots ? (size_t)map->mask + 1 : 0;

	resize(map, nr ? nr * (nr < SMALL_SLOTS ? 4 : 2) : FIRST_SLOTS);
}

void map_expect(struct map *map, size_t nr)
{
	size_t slots_nr = FIRST_SLOTS;

	while (slots_nr / 2 < nr && slots_nr <= UINT32_MAX / 2)
		slots_nr *= 2;
	if (!map->slots || slots_nr > (size_t)map->mask + 1)
		resize(map, slots_nr);
}
