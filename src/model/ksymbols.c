/* ksymbols.c - code that came into the kernel at run time: BPF programs, trampolines, slots */
#include "model/ksymbols.h"

#include "base/mem.h"

void ksymbols_release(struct ksymbols *ksymbols)
{
	free(ksymbols->list);
	map_release(&ksymbols->map);
	*ksymbols = (struct ksymbols){0};
}

struct key {
	const struct ksymbols *ksymbols;
	uint64_t begin;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->ksymbols->list[index].begin == key->begin;
}

static struct map_slot *slot_of(const struct ksymbols *ksymbols, uint64_t begin)
{
	return map_find(&ksymbols->map, map_hash(&begin, sizeof(begin)), is_same,
			&(struct key){ksymbols, begin});
}

bool ksymbols_add(struct ksymbols *ksymbols, const struct ksymbol *ksymbol)
{
	struct map_slot *slot;

	if (ksymbols->nr >= KSYMBOLS_MAX)
		return false;
	map_grow(&ksymbols->map);
	slot = slot_of(ksymbols, ksymbol->begin);
	if (slot->id == MAP_NONE)
		map_fill(&ksymbols->map, slot, map_hash(&ksymbol->begin, sizeof(ksymbol->begin)),
			 ksymbols->nr);
	else
		slot->id = ksymbols->nr;
	GROW(ksymbols->list, (size_t)ksymbols->nr + 1, ksymbols->alloc);
	ksymbols->list[ksymbols->nr++] = *ksymbol;
	return true;
}

struct ksymbol *ksymbols_find(struct ksymbols *ksymbols, uint64_t begin)
{
	const struct map_slot *slot;

	if (!ksymbols->nr)
		return NULL;
	slot = slot_of(ksymbols, begin);
	return slot->id == MAP_NONE ? NULL : &ksymbols->list[slot->id];
}
