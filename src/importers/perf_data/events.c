/* events.c - the events of a file and the ids that records know them by */
#include "importers/perf_data/events.h"

#include "base/mem.h"
#include "importers/perf_data/features.h"
#include "importers/perf_data/sample.h"

#define ATTR_NONE UINT32_MAX

void perf_events_release(struct perf_events *events)
{
	for (uint32_t i = 0; i < events->nr; i++)
		free(events->list[i].name);
	free(events->list);
	free(events->ids);
	map_release(&events->map);
	*events = (struct perf_events){0};
}

struct key {
	const struct perf_events *events;
	uint64_t id;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->events->ids[index].id == key->id;
}

static struct map_slot *slot_of(const struct perf_events *events, uint64_t id)
{
	return map_find(&events->map, map_hash(&id, sizeof(id)), is_same,
			&(struct key){events, id});
}

uint32_t perf_events_find(const struct perf_events *events, uint64_t id)
{
	const struct map_slot *slot;

	if (!events->ids_nr)
		return ATTR_NONE;
	slot = slot_of(events, id);
	return slot->id == MAP_NONE ? ATTR_NONE : events->ids[slot->id].attr;
}

void perf_events_add_ids(struct perf_events *events, uint32_t attr, struct bytes ids)
{
	uint64_t id;

	while (events->ids_seen < PERF_IDS_MAX && bytes_u64(&ids, &id)) {
		struct map_slot *slot;

		events->ids_seen++;
		map_grow(&events->map);
		slot = slot_of(events, id);
		if (slot->id != MAP_NONE) /* the first that claims an id has it */
			continue;
		map_fill(&events->map, slot, map_hash(&id, sizeof(id)), events->ids_nr);
		GROW(events->ids, (size_t)events->ids_nr + 1, events->ids_alloc);
		events->ids[events->ids_nr++] = (struct perf_id){id, attr};
	}
}

uint32_t perf_events_add(struct perf_events *events, const struct perf_attr *attr, struct bytes ids)
{
	if (events->nr >= PERF_ATTRS_MAX)
		return ATTR_NONE;
	GROW(events->list, (size_t)events->nr + 1, events->list_alloc);
	events->list[events->nr] = *attr;
	events->list[events->nr].fields = perf_attr_fields(attr);
	events->has_others |= !events->list[events->nr].fields.is_plain;
	perf_events_add_ids(events, events->nr, ids);
	return events->nr++;
}

void perf_events_name(struct perf_events *events, uint32_t attr, const char *name, size_t size)
{
	if (attr >= events->nr || events->list[attr].name || !size)
		return;
	events->list[attr].name = mem_alloc(size + 1);
	memcpy(events->list[attr].name, name, size);
	events->list[attr].name[size] = '\0';
}

bool perf_events_describe(struct perf_events *events, struct bytes bytes)
{
	uint32_t nr, attr_size;

	if (!bytes_u32(&bytes, &nr) || !bytes_u32(&bytes, &attr_size) || nr > PERF_ATTRS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		struct bytes attr, ids;
		const char *name;
		size_t size;
		uint32_t ids_nr, index = i;
		uint64_t id;

		if (!bytes_part(&bytes, attr_size, &attr) || !bytes_u32(&bytes, &ids_nr) ||
		    !perf_feature_string(&bytes, &name, &size) ||
		    !bytes_part(&bytes, (uint64_t)ids_nr * 8, &ids))
			return false;
		/* by an id that the attr table has, too; else by the order, which is the same */
		if (ids_nr && bytes_u64(&(struct bytes){ids.at, ids.end, ids.is_swapped}, &id) &&
		    perf_events_find(events, id) != ATTR_NONE)
			index = perf_events_find(events, id);
		perf_events_name(events, index, name, size);
		if (index < events->nr)
			perf_events_add_ids(events, index, ids);
	}
	return true;
}

/* Words before the id of a sample that has no IDENTIFIER. */
static size_t words_before_id(const struct perf_attr *attr)
{
	return 1u + perf_attr_has(attr, PERF_BIT_IP) + perf_attr_has(attr, PERF_BIT_TID) +
	       perf_attr_has(attr, PERF_BIT_TIME) + perf_attr_has(attr, PERF_BIT_ADDR);
}

uint32_t perf_events_by_id(const struct perf_events *events, const struct bytes *record)
{
	const struct perf_attr *first = events->list;
	size_t at;

	if (events->nr == 1)
		return 0;
	if (!events->nr)
		return ATTR_NONE;
	if (perf_attr_has(first, PERF_BIT_IDENTIFIER))
		at = 1;
	else if (perf_attr_has(first, PERF_BIT_ID))
		at = words_before_id(first);
	else
		return 0;
	if (bytes_left(record) < (at + 1) * 8)
		return ATTR_NONE;
	return perf_events_find(events, perf_sample_word(record, at));
}

uint32_t perf_events_of_other(const struct perf_events *events, const struct bytes *record)
{
	const struct perf_attr *first = events->list;
	struct perf_sample trailer;
	uint32_t found;

	if (events->nr <= 1)
		return events->nr ? 0 : ATTR_NONE;
	/* all attrs have their ids at the same place, counted from the end */
	if (!perf_trailer_read(*record, first, &trailer) || !trailer.id)
		return 0;
	found = perf_events_find(events, trailer.id);
	return found == ATTR_NONE ? 0 : found;
}
