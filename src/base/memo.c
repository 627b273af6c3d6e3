/* memo.c - what some bytes were found to mean the last time, known by their fingerprint */
#include "base/memo.h"

#include "base/mem.h"

#define FIRST_SLOTS 1024

void memo_release(struct memo *memo)
{
	free(memo->slots);
	*memo = (struct memo){0};
}

/*
 * A slot's place comes from bits 32 to 63 of the low half, which are not kept in it. So the
 * table cannot be made larger in place: it forgets, and what is asked for again comes back.
 */
static void make_room(struct memo *memo)
{
	size_t nr = memo->slots ? (size_t)memo->mask + 1 : FIRST_SLOTS / 4;

	if (memo->slots && memo->nr < nr / 2)
		return;
	if (nr < 2 * (size_t)MEMO_MAX)
		nr *= 4;
	free(memo->slots);
	memo->slots = mem_alloc(nr * sizeof(*memo->slots));
	memset(memo->slots, 0xff, nr * sizeof(*memo->slots));
	memo->mask = (uint32_t)(nr - 1);
	memo->nr = 0;
}

void memo_add(struct memo *memo, struct memo_key key, uint32_t value)
{
	uint32_t at;

	make_room(memo);
	at = (uint32_t)(key.low >> 32) & memo->mask;
	while (memo->slots[at].value != MEMO_NONE)
		at = (at + 1) & memo->mask;
	memo->slots[at] = (struct memo_slot){key.high, (uint32_t)key.low, value};
	memo->nr++;
}
