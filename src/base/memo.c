/* memo.c - what some bytes were found to mean the last time, known by their fingerprint */
#include "base/memo.h"

#include "base/mem.h"

#define FIRST_SLOTS 1024

void memo_release(struct memo *memo)
{
	free(memo->slots);
	*memo = (struct memo){0};
}

static void empty(struct memo *memo, size_t nr)
{
	memo->slots = mem_alloc(nr * sizeof(*memo->slots));
	memset(memo->slots, 0xff, nr * sizeof(*memo->slots));
	memo->mask = (uint32_t)(nr - 1);
	memo->nr = 0;
}

static void put(struct memo *memo, const struct memo_slot *slot)
{
	uint32_t at = (uint32_t)slot->high & memo->mask;

	while (memo->slots[at].value != MEMO_NONE)
		at = (at + 1) & memo->mask;
	memo->slots[at] = *slot;
	memo->nr++;
}

/* Half full it becomes twice as large, until it may not: then it forgets all. */
static void make_room(struct memo *memo)
{
	struct memo old = *memo;
	size_t nr = memo->slots ? (size_t)memo->mask + 1 : 0;

	if (memo->slots && memo->nr < nr / 2)
		return;
	if (nr >= 2 * (size_t)MEMO_MAX) {
		memset(memo->slots, 0xff, nr * sizeof(*memo->slots));
		memo->nr = 0;
		return;
	}
	empty(memo, nr ? 2 * nr : FIRST_SLOTS);
	for (size_t i = 0; i < nr; i++)
		if (old.slots[i].value != MEMO_NONE)
			put(memo, &old.slots[i]);
	free(old.slots);
}

void memo_add(struct memo *memo, struct memo_key key, uint32_t value)
{
	make_room(memo);
	put(memo, &(struct memo_slot){key.high, (uint32_t)key.low, value});
}
