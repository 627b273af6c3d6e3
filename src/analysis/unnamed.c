/* unnamed.c - which modules have frames without a name, and in how many samples */
#include "analysis/unnamed.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

struct counter {
	const struct capture *capture;
	weight *modules;
	uint32_t *entry_of; /* per module: the last entry, plus 1, that was counted for it */
	uint32_t entry;	    /* plus 1 */
	bool is_any;	    /* of this entry's places has no name */
};

static void count_place(struct counter *counter, uint32_t place, weight count)
{
	const struct location *location = locations_get(&counter->capture->locations, place);
	uint32_t frames_nr;

	frames_of(&counter->capture->frames, place, &frames_nr);
	if (frames_nr || location->name != NAME_NONE)
		return;
	counter->is_any = true;
	if (location->module == MODULE_NONE ||
	    counter->entry_of[location->module] == counter->entry)
		return;
	counter->entry_of[location->module] = counter->entry;
	counter->modules[location->module] += count;
}

static void count_entry(struct counter *counter, const struct tally_entry *entry)
{
	const struct stacks *stacks = &counter->capture->stacks;
	uint32_t callers = entry->key.callers;

	counter->entry++;
	counter->is_any = false;
	for (uint32_t i = 0; i < stacks_depth(stacks, callers); i++)
		count_place(counter, stacks_ids(stacks, callers)[i], entry->count);
	if (entry->key.leaf != LOCATION_NONE)
		count_place(counter, entry->key.leaf, entry->count);
}

weight *unnamed_modules(const struct tally *tally, weight *ret_all, weight *ret_samples)
{
	uint32_t nr = tally->capture->modules.nr;
	struct counter counter = {
		.capture = tally->capture,
		.modules = mem_zalloc(nr, sizeof(*counter.modules)),
		.entry_of = mem_zalloc(nr, sizeof(*counter.entry_of)),
	};

	*ret_all = *ret_samples = 0;
	for (uint32_t i = 0; i < tally->nr; i++) {
		count_entry(&counter, &tally->list[i]);
		*ret_samples += tally->list[i].count;
		if (counter.is_any)
			*ret_all += tally->list[i].count;
	}
	free(counter.entry_of);
	return counter.modules;
}
