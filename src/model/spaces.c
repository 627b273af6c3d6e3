/* spaces.c - address spaces: what was mapped where in each process, as it is at the moment */
#include "model/spaces.h"

#include "base/mem.h"

static void drop(struct spaces *spaces, struct space_maps *maps)
{
	if (!maps || --maps->holders)
		return;
	spaces->maps_nr -= maps->nr;
	free(maps->list);
	free(maps);
}

void spaces_release(struct spaces *spaces)
{
	for (uint32_t i = 0; i < spaces->nr; i++)
		drop(spaces, spaces->list[i].maps);
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
	spaces->list[spaces->nr] = (struct space){.pid = pid, .version = ++spaces->versions};
	return &spaces->list[spaces->nr++];
}

/* The first mapping that ends behind the address. */
static size_t first_behind(const struct space_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct space_maps *maps, size_t at, const struct space_map *map)
{
	GROW(maps->list, maps->nr + 1, maps->alloc);
	memmove(maps->list + at + 1, maps->list + at, (maps->nr - at) * sizeof(*maps->list));
	maps->list[at] = *map;
	maps->nr++;
}

static void take_out(struct space_maps *maps, size_t at, size_t nr)
{
	if (!nr)
		return;
	memmove(maps->list + at, maps->list + at + nr, (maps->nr - at - nr) * sizeof(*maps->list));
	maps->nr -= nr;
}

/* The space's list, of its own now, so that it can be changed; NULL where there is no room. */
static struct space_maps *own(struct spaces *spaces, struct space *space)
{
	const struct space_maps *shared = space->maps;
	struct space_maps *maps;
	size_t nr = shared ? shared->nr : 0;

	/* a mapping may cut another in two */
	if (nr + 2 > SPACE_MAPS_MAX || spaces->maps_nr + nr + 2 > SPACES_MAPS_MAX)
		return NULL;
	if (shared && shared->holders == 1)
		return space->maps;
	maps = mem_zalloc(1, sizeof(*maps));
	maps->holders = 1;
	if (shared) {
		GROW(maps->list, nr, maps->alloc);
		if (nr)
			memcpy(maps->list, shared->list, nr * sizeof(*maps->list));
		maps->nr = nr;
		spaces->maps_nr += nr;
	}
	drop(spaces, space->maps);
	space->maps = maps;
	return maps;
}

/* Makes a hole from begin to end. Where in the list it is. */
static size_t clear(struct space_maps *maps, uint64_t begin, uint64_t end)
{
	size_t at = first_behind(maps, begin), last;

	if (at < maps->nr && maps->list[at].begin < begin) {
		struct space_map left = maps->list[at];

		/* the old one is cut in two; its right part is looked at below */
		maps->list[at].offset += begin - left.begin;
		maps->list[at].begin = begin;
		left.end = begin;
		insert(maps, at++, &left);
	}
	for (last = at; last < maps->nr && maps->list[last].end <= end;)
		last++;
	take_out(maps, at, last - at);
	if (at < maps->nr && maps->list[at].begin < end) {
		maps->list[at].offset += end - maps->list[at].begin;
		maps->list[at].begin = end;
	}
	return at;
}

bool spaces_add(struct spaces *spaces, int32_t pid, const struct space_map *map)
{
	struct space *space = spaces_get(spaces, pid);
	struct space_maps *maps;

	if (map->begin >= map->end)
		return true;
	if (space->is_left)
		spaces_exit(spaces, pid);
	maps = own(spaces, space);
	if (!maps)
		return false;
	space->version = ++spaces->versions;
	spaces->maps_nr -= maps->nr;
	insert(maps, clear(maps, map->begin, map->end), map);
	spaces->maps_nr += maps->nr;
	return true;
}

void spaces_remove(struct spaces *spaces, int32_t pid, uint64_t begin, uint64_t end)
{
	struct space *space = spaces_get(spaces, pid);
	struct space_maps *maps;

	if (begin >= end)
		return;
	maps = own(spaces, space);
	if (!maps)
		return;
	space->version = ++spaces->versions;
	spaces->maps_nr -= maps->nr;
	clear(maps, begin, end);
	spaces->maps_nr += maps->nr;
}

void spaces_fork(struct spaces *spaces, int32_t pid, int32_t parent)
{
	struct space from = *spaces_get(spaces, parent);
	struct space *space = spaces_get(spaces, pid);

	if (from.maps)
		from.maps->holders++;
	drop(spaces, space->maps);
	space->maps = from.maps;
	space->is_left = from.is_left;
	space->version = ++spaces->versions;
}

void spaces_exec(struct spaces *spaces, int32_t pid)
{
	spaces_get(spaces, pid)->is_left = true;
}

void spaces_exit(struct spaces *spaces, int32_t pid)
{
	struct space *space = spaces_get(spaces, pid);

	drop(spaces, space->maps);
	space->maps = NULL;
	space->is_left = false;
	space->version = ++spaces->versions;
}

const struct space_map *spaces_find(struct space *space, uint64_t address)
{
	const struct space_maps *maps = space->maps;
	size_t at = space->last;

	if (!maps)
		return NULL;
	if (at >= maps->nr || address < maps->list[at].begin || address >= maps->list[at].end)
		at = first_behind(maps, address);
	if (at >= maps->nr || address < maps->list[at].begin)
		return NULL;
	space->last = at;
	return &maps->list[at];
}
