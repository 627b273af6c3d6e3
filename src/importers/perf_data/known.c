/* known.c - samples that were said, by the fingerprint of all that their stack depends on */
#include "importers/perf_data/known.h"

#include "base/mem.h"
#include "model/sink.h"

/* Slots at first, and at most: 32 MB. */
#define BITS_FIRST 12
#define BITS_MOST  20

void perf_known_release(struct perf_known *known)
{
	free(known->slots);
	free(known->list);
	*known = (struct perf_known){0};
}

static void put(struct perf_known *known, const struct perf_known_slot *slot)
{
	uint64_t at = slot->high >> known->shift;

	while (known->slots[at].high)
		at = (at + 1) & known->mask;
	known->slots[at] = *slot;
}

static void begin(struct perf_known *known, unsigned bits)
{
	size_t size = sizeof(*known->slots) << bits;

	known->slots = mem_try_large(size);
	if (!known->slots)
		known->slots = mem_alloc(size);
	memset(known->slots, 0, size);
	known->shift = 64 - bits;
	known->mask = ((uint32_t)1 << bits) - 1;
}

/* So that no place is far from where it belongs. */
static bool is_three_quarters_full(const struct perf_known *known)
{
	return !known->slots || known->nr > known->mask / 4 * 3;
}

/* Four times as large, so that few are moved often. */
static void grow(struct perf_known *known)
{
	struct perf_known old = *known;
	unsigned bits = known->slots ? 64 - known->shift : 0;

	begin(known, bits ? bits + 2 : BITS_FIRST);
	for (size_t i = 0; bits && i <= old.mask; i++)
		if (old.slots[i].high)
			put(known, &old.slots[i]);
	free(old.slots);
}

bool perf_known_is_full(const struct perf_known *known)
{
	return known->slots && 64 - known->shift == BITS_MOST && is_three_quarters_full(known);
}

void perf_known_keep(struct perf_known *known, struct memo_key key, const struct sample *sample)
{
	if (is_three_quarters_full(known))
		grow(known);
	put(known, &(struct perf_known_slot){
			   .high = perf_known_high(key),
			   .low = (uint32_t)key.low,
			   .known = SAMPLE_NOT_KNOWN,
			   .said = known->nr,
		   });
	GROW(known->list, (size_t)known->nr + 1, known->list_alloc);
	known->list[known->nr++] = (struct perf_known_said){sample->callers, sample->leaf,
							    sample->task, sample->event};
}

/* Of no CPU: where it matters samples are not added up. */
static struct error *say(struct perf_known *known, struct perf_known_slot *slot, struct sink *sink)
{
	const struct perf_known_said *said = &known->list[slot->said];
	struct sample sample = {
		.time_ns = known->latest_ns,
		.flags = known->has_time ? SAMPLE_HAS_TIME : 0,
		.task = said->task,
		.event = said->event,
		.callers = said->callers,
		.leaf = said->leaf,
		.cpu = CPU_NONE,
		.count = slot->count * WEIGHT_ONE,
		.period = weight_of(slot->period),
		.known = slot->known,
	};

	slot->count = 0;
	slot->period = 0;
	return sink_sample(sink, &sample);
}

struct error *perf_known_say(struct perf_known *known, struct sink *sink)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && known->slots && i <= known->mask; i++)
		if (known->slots[i].high && known->slots[i].count)
			err = say(known, &known->slots[i], sink);
	return err;
}
