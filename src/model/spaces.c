/* spaces.c - address spaces: what was mapped where in each process, as it is at the moment */
#include "model/spaces.h"

#include "base/mem.h"

void spaces_release(struct spaces *spaces)
{
	for (uint32_t i = 0; i < spaces->nr; i++)
		free(spaces->list[i].maps);
	free(spaces->list);
	map_release(&spaces->map);
	*spaces = (struct spaces){0};
}

struct key {
	const struct spaces *spaces;
	int32_t pid;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return key->spaces->list[id].pid == key->pid;
}

struct space *spaces_get(struct spaces *spaces, int32_t pid)
{
	uint32_t hash = map_hash(&pid, sizeof(pid));
	struct map_slot *slot;

	map_grow(&spaces->map);
	slot = map_find(&spaces->map, hash, is_same, &(struct key){spaces, pid});
	if (slot->id != MAP_NONE)
		return &spaces->list[slot->id];
	map_fill(&spaces->map, slot, hash, spaces->nr);
	GROW(spaces->list, (size_t)spaces->nr + 1, spaces->list_alloc);
	spaces->list[spaces->nr] = (struct space){.pid = pid};
	return &spaces->list[spaces->nr++];
}

/* The first mapping that ends behind the address. */
static size_t first_behind(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->maps[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct space *space, size_t at, const struct space_map *map)
{
	GROW(space->maps, space->nr + 1, space->alloc);
	memmove(space->maps + at + 1, space->maps + at, (space->nr - at) * sizeof(*space->maps));
	space->maps[at] = *map;
	space->nr++;
}

static void take_out(struct space *space, size_t at, size_t nr)
{
	memmove(space->maps + at, space->maps + at + nr,
		(space->nr - at - nr) * sizeof(*space->maps));
	space->nr -= nr;
}

void spaces_add(struct space *space, const struct space_map *map)
{
	size_t at = first_behind(space, map->begin), end;

	if (map->begin >= map->end)
		return;
	if (at < space->nr && space->maps[at].begin < map->begin) {
		struct space_map left = space->maps[at];

		/* the old one is cut in two; its right part is looked at below */
		space->maps[at].offset += map->begin - left.begin;
		space->maps[at].begin = map->begin;
		left.end = map->begin;
		insert(space, at++, &left);
	}
	for (end = at; end < space->nr && space->maps[end].end <= map->end;)
		end++;
	take_out(space, at, end - at);
	if (at < space->nr && space->maps[at].begin < map->end) {
		space->maps[at].offset += map->end - space->maps[at].begin;
		space->maps[at].begin = map->end;
	}
	insert(space, at, map);
}

void spaces_fork(struct spaces *spaces, int32_t pid, int32_t parent)
{
	struct space *from, *to = spaces_get(spaces, pid);

	from = spaces_get(spaces, parent);
	to = spaces_get(spaces, pid); /* the list may have moved */
	to->nr = 0;
	if (from == to || !from->nr)
		return;
	GROW(to->maps, from->nr, to->alloc);
	memcpy(to->maps, from->maps, from->nr * sizeof(*to->maps));
	to->nr = from->nr;
}

void spaces_clear(struct spaces *spaces, int32_t pid)
{
	spaces_get(spaces, pid)->nr = 0;
}

const struct space_map *spaces_find(struct space *space, uint64_t address)
{
	size_t at = space->last;

	if (at >= space->nr || address < space->maps[at].begin || address >= space->maps[at].end)
		at = first_behind(space, address);
	if (at >= space->nr || address < space->maps[at].begin)
		return NULL;
	space->last = at;
	return &space->maps[at];
}
