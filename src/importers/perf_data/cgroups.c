/* cgroups.c - paths of control groups, by the ids that samples have */
#include "importers/perf_data/cgroups.h"

#include "base/mem.h"
#include "model/names.h"

void perf_cgroups_release(struct perf_cgroups *cgroups)
{
	free(cgroups->list);
	map_release(&cgroups->map);
	*cgroups = (struct perf_cgroups){0};
}

struct key {
	const struct perf_cgroups *cgroups;
	uint64_t id;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->cgroups->list[index].id == key->id;
}

void perf_cgroups_set(struct perf_cgroups *cgroups, uint64_t id, uint32_t path)
{
	uint32_t hash = map_hash(&id, sizeof(id));
	struct map_slot *slot;

	map_grow(&cgroups->map);
	slot = map_find(&cgroups->map, hash, is_same, &(struct key){cgroups, id});
	if (slot->id != MAP_NONE) {
		cgroups->list[slot->id].path = path;
		return;
	}
	map_fill(&cgroups->map, slot, hash, cgroups->nr);
	GROW(cgroups->list, (size_t)cgroups->nr + 1, cgroups->alloc);
	cgroups->list[cgroups->nr++] = (struct perf_cgroup){id, path};
}

uint32_t perf_cgroups_path(const struct perf_cgroups *cgroups, uint64_t id)
{
	const struct map_slot *slot;

	if (!cgroups->nr)
		return NAME_NONE;
	slot = map_find(&cgroups->map, map_hash(&id, sizeof(id)), is_same,
			&(struct key){cgroups, id});
	return slot->id == MAP_NONE ? NAME_NONE : cgroups->list[slot->id].path;
}
