/* early.c - samples like others that were said, counted before it is their turn */
#include "importers/perf_data/early.h"

#include "importers/perf_data/state.h"

/*
 * Most samples are like one that was said, and of these it is enough to know how many there are. So
 * they need not be put in the order of time, and are looked at in that of the file, which memory
 * foresees. Their slots lie all over the table: they are fetched so many samples before.
 */
#define AHEAD 16

struct coming {
	struct perf_plain_look look;
	bool is_looked_at;
};

static void look(struct perf_data *data, const struct order_entry *entry, uint64_t before,
		 struct coming *ret)
{
	ret->is_looked_at = entry->time < before && entry->print.attr != UINT32_MAX &&
			    perf_plain_look(data, entry, &ret->look);
	if (ret->is_looked_at)
		perf_known_fetch(&data->plain.known, ret->look.key);
}

static bool count(struct perf_known *known, const struct coming *coming)
{
	const struct perf_plain_look *look = &coming->look;
	struct perf_known_slot *slot;

	if (!coming->is_looked_at)
		return false;
	slot = perf_known_find(known, look->key);
	if (!slot || !perf_known_add(slot, look->period))
		return false;
	if (look->time > INT64_MAX)
		return true;
	known->has_time = true;
	if (look->time > known->latest_ns)
		known->latest_ns = look->time;
	return true;
}

size_t perf_early_take(struct perf_data *data, struct order_entry *list, size_t nr, uint64_t before)
{
	struct coming coming[AHEAD];
	size_t kept = 0;

	for (size_t i = 0; i < nr + AHEAD; i++) {
		struct coming *at = &coming[i % AHEAD];

		if (i >= AHEAD && count(&data->plain.known, at))
			records_drop(list[i - AHEAD].chunk);
		else if (i >= AHEAD)
			list[kept++] = list[i - AHEAD];
		at->is_looked_at = false;
		if (i < nr)
			look(data, &list[i], before, at);
	}
	return kept;
}
