/* locations.c - places in code: where a frame's address is, and what it was called */
#include "model/locations.h"

#include "base/mem.h"
#include "model/names.h"

void locations_release(struct locations *locations)
{
	free(locations->list);
	free(locations->symbols);
	map_release(&locations->map);
	map_release(&locations->symbol_map);
	*locations = (struct locations){0};
}

struct key {
	const struct locations *locations;
	const struct location *location;
};

/* struct location has no padding, so its bytes can be compared and hashed. */
_Static_assert(sizeof(struct location) == 24, "padding in struct location");

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return memcmp(&key->locations->list[id], key->location, sizeof(*key->location)) == 0;
}

static bool is_same_symbol(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct location *a = &key->locations->list[id], *b = key->location;

	return a->name == b->name && a->module == b->module && a->flags == b->flags;
}

static uint32_t symbol_of(struct locations *locations, const struct location *location)
{
	uint32_t fields[3] = {location->name, location->module, location->flags};
	uint32_t hash = map_hash(fields, sizeof(fields));
	struct map_slot *slot;

	map_grow(&locations->symbol_map);
	slot = map_find(&locations->symbol_map, hash, is_same_symbol,
			&(struct key){locations, location});
	if (slot->id == MAP_NONE)
		map_fill(&locations->symbol_map, slot, hash, locations->nr);
	return slot->id;
}

static uint32_t append(struct locations *locations, const struct location *location,
		       uint32_t symbol)
{
	GROW(locations->list, (size_t)locations->nr + 1, locations->list_alloc);
	GROW(locations->symbols, (size_t)locations->nr + 1, locations->symbols_alloc);
	locations->list[locations->nr] = *location;
	locations->symbols[locations->nr] = symbol;
	locations->named_nr += location->name != NAME_NONE;
	return locations->nr++;
}

uint32_t locations_append(struct locations *locations, uint32_t symbol, uint64_t address)
{
	struct location location = locations->list[symbol];

	location.address = address;
	location.line = NAME_NONE;
	return append(locations, &location, symbol);
}

uint32_t locations_add(struct locations *locations, const struct location *location)
{
	uint32_t hash = map_hash(location, sizeof(*location));
	struct map_slot *slot;

	map_grow(&locations->map);
	slot = map_find(&locations->map, hash, is_same, &(struct key){locations, location});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&locations->map, slot, hash, locations->nr);
	return append(locations, location, symbol_of(locations, location));
}

uint32_t locations_add_new(struct locations *locations, const struct location *location)
{
	return append(locations, location, symbol_of(locations, location));
}
