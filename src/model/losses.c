/* losses.c - what a recorder lost or left out: of which event, and in which second */
#include "model/losses.h"

#include "base/mem.h"
#include "model/events.h"

#define NS_PER_SECOND UINT64_C(1000000000)

/* A longer stop is added up without its seconds: no file makes us count them one by one. */
#define SPAN_SECONDS_MAX 4096

void losses_release(struct losses *losses)
{
	free(losses->list);
	map_release(&losses->map);
	*losses = (struct losses){0};
}

struct key {
	const struct losses *losses;
	const struct loss *loss;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;
	const struct loss *a = &key->losses->list[index], *b = key->loss;

	return a->kind == b->kind && a->event == b->event && a->second == b->second;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void losses_add(struct losses *losses, const struct loss *loss)
{
	struct loss key = *loss;
	uint64_t words[3];
	struct map_slot *slot;

	if (losses->nr >= LOSSES_MAX)
		key.second = LOSS_NO_SECOND;
	words[0] = key.kind;
	words[1] = key.event;
	words[2] = key.second;
	map_grow(&losses->map);
	slot = map_find(&losses->map, map_hash(words, sizeof(words)), is_same,
			&(struct key){losses, &key});
	if (slot->id != MAP_NONE) {
		struct loss *known = &losses->list[slot->id];

		known->count = sum(known->count, loss->count);
		known->ns = sum(known->ns, loss->ns);
		return;
	}
	map_fill(&losses->map, slot, map_hash(words, sizeof(words)), losses->nr);
	GROW(losses->list, (size_t)losses->nr + 1, losses->alloc);
	losses->list[losses->nr++] = key;
}

void losses_add_throttled(struct losses *losses, uint32_t event, uint64_t begin_ns, uint64_t end_ns)
{
	struct loss loss = {.kind = LOSS_THROTTLED, .event = event, .second = LOSS_NO_SECOND};

	if (end_ns <= begin_ns)
		return;
	if ((end_ns - begin_ns) / NS_PER_SECOND >= SPAN_SECONDS_MAX) {
		loss.ns = end_ns - begin_ns;
		losses_add(losses, &loss);
		return;
	}
	while (begin_ns < end_ns) {
		uint64_t left = NS_PER_SECOND - begin_ns % NS_PER_SECOND;

		loss.second = begin_ns / NS_PER_SECOND;
		loss.ns = left < end_ns - begin_ns ? left : end_ns - begin_ns;
		losses_add(losses, &loss);
		begin_ns += loss.ns;
	}
}

uint64_t losses_second(uint64_t time_ns)
{
	return time_ns && time_ns <= INT64_MAX ? time_ns / NS_PER_SECOND : LOSS_NO_SECOND;
}

struct loss losses_sum(const struct losses *losses, enum loss_kind kind, uint32_t event)
{
	struct loss all = {.kind = kind, .event = event, .second = LOSS_NO_SECOND};

	for (uint32_t i = 0; i < losses->nr; i++) {
		const struct loss *loss = &losses->list[i];

		if (loss->kind != kind || (event != EVENT_NONE && loss->event != event))
			continue;
		all.count = sum(all.count, loss->count);
		all.ns = sum(all.ns, loss->ns);
	}
	return all;
}

const char *loss_word(enum loss_kind kind)
{
	static const char *const words[LOSS_KIND_NR] = {
		[LOSS_EVENTS] = "events",
		[LOSS_SAMPLES] = "samples",
		[LOSS_FILTERED] = "filtered",
		[LOSS_THROTTLED] = "throttled",
		[LOSS_STILL_THROTTLED] = "still-throttled",
	};

	return words[kind];
}
