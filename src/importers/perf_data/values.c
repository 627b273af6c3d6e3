/* values.c - counters that were read with a sample: what each counted since the last one */
#include "importers/perf_data/values.h"

#include <string.h>

#include "base/mem.h"

void perf_values_release(struct perf_values *values)
{
	free(values->list);
	free(values->lasts);
	map_release(&values->map);
	*values = (struct perf_values){0};
}

struct key {
	const struct perf_values *values;
	uint64_t id;
	uint32_t tid;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;
	const struct last *last = &key->values->lasts[index];

	return last->id == key->id && last->tid == key->tid;
}

static struct last *last_of(struct perf_values *values, uint64_t id, uint32_t tid)
{
	uint64_t words[2] = {id, tid};
	uint32_t hash = map_hash(words, sizeof(words));
	struct map_slot *slot;

	map_grow(&values->map);
	slot = map_find(&values->map, hash, is_same, &(struct key){values, id, tid});
	if (slot->id == MAP_NONE) {
		map_fill(&values->map, slot, hash, values->lasts_nr);
		GROW(values->lasts, (size_t)values->lasts_nr + 1, values->lasts_alloc);
		values->lasts[values->lasts_nr++] = (struct last){.id = id, .tid = tid};
	}
	return &values->lasts[slot->id];
}

static void take_value(struct perf_values *values, uint32_t attr, uint64_t id, uint32_t tid,
		       uint64_t value)
{
	struct last *last = last_of(values, id, tid);
	/* a total never falls, but in a damaged file */
	uint64_t delta = value > last->value ? value - last->value : 0;

	last->value = value;
	if (!delta)
		return;
	GROW(values->list, values->nr + 1, values->list_alloc);
	values->list[values->nr++] = (struct perf_value){attr, delta};
}

/* { value [id] [lost] } x nr; without ids they are not to be told apart. */
static void take_group(struct perf_values *values, const struct perf_events *events,
		       uint64_t format, struct bytes bytes, uint32_t tid)
{
	uint64_t nr, value, id, lost;

	if (!(format & PERF_READ_ID) || !bytes_u64(&bytes, &nr) ||
	    !bytes_skip(&bytes, 8 * (!!(format & PERF_READ_TIME_ENABLED) +
				     !!(format & PERF_READ_TIME_RUNNING))))
		return;
	while (nr-- && bytes_u64(&bytes, &value) && bytes_u64(&bytes, &id) &&
	       (!(format & PERF_READ_LOST) || bytes_u64(&bytes, &lost))) {
		uint32_t attr = perf_events_find(events, id);

		if (attr == UINT32_MAX)
			values->unknown++;
		else
			take_value(values, attr, id, tid, value);
	}
}

void perf_values_take(struct perf_values *values, const struct perf_events *events, uint32_t attr,
		      const struct perf_sample *sample)
{
	const struct perf_attr *of = &events->list[attr];
	uint32_t tid = perf_attr_flag(of, PERF_ATTR_INHERIT) ? sample->tid : 0;
	struct bytes bytes = sample->read;
	uint64_t value;

	values->nr = 0;
	values->unknown = 0;
	if (of->read_format & PERF_READ_GROUP)
		take_group(values, events, of->read_format, bytes, tid);
	else if (bytes_u64(&bytes, &value))
		take_value(values, attr, sample->id, tid, value);
}
