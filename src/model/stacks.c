/* stacks.c - each list of ids once: call chains of locations, paths of functions */
#include "model/stacks.h"

#include "base/mem.h"

void stacks_release(struct stacks *stacks)
{
	free(stacks->ids);
	free(stacks->list);
	map_release(&stacks->map);
	*stacks = (struct stacks){0};
}

struct key {
	const struct stacks *stacks;
	const uint32_t *ids;
	uint32_t nr;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct stack *stack = &key->stacks->list[id];

	if (stack->nr != key->nr)
		return false;
	return !key->nr ||
	       memcmp(key->stacks->ids + stack->offset, key->ids, key->nr * sizeof(*key->ids)) == 0;
}

static inline uint32_t add_list(struct stacks *stacks, struct stack stack)
{
	GROW(stacks->list, (size_t)stacks->nr + 1, stacks->list_alloc);
	stacks->list[stacks->nr] = stack;
	return stacks->nr++;
}

static inline void add_ids(struct stacks *stacks, const uint32_t *ids, uint32_t nr)
{
	/* one more than needed: an empty stack has a place, too */
	GROW(stacks->ids, stacks->ids_nr + nr + 1, stacks->ids_alloc);
	if (nr)
		memcpy(stacks->ids + stacks->ids_nr, ids, nr * sizeof(*ids));
	stacks->ids_nr += nr;
}

uint32_t stacks_append(struct stacks *stacks, const uint32_t *ids, uint32_t nr, uint32_t shared)
{
	size_t offset = stacks->ids_nr;

	add_ids(stacks, ids, nr);
	return add_list(stacks, (struct stack){offset, nr, shared});
}

uint32_t stacks_append_next(struct stacks *stacks, const uint32_t *ids, uint32_t nr,
			    uint32_t shared)
{
	const struct stack *last;
	size_t offset;

	if (!stacks->nr)
		return stacks_append(stacks, ids, nr, 0);
	last = stacks->list + stacks->nr - 1;
	offset = last->offset;
	if (shared >= nr) /* the last one begins with it */
		return add_list(stacks, (struct stack){offset, nr, nr});
	if (shared != last->nr || offset + shared != stacks->ids_nr)
		return stacks_append(stacks, ids, nr, shared);
	add_ids(stacks, ids + shared, nr - shared); /* it goes on behind it */
	return add_list(stacks, (struct stack){offset, nr, shared});
}

/* Lists that lie in each other's place have about so many ids of their own, or less. */
#define IDS_A_LIST 16

void stacks_expect(struct stacks *stacks, size_t nr)
{
	GROW(stacks->list, stacks->nr + nr, stacks->list_alloc);
	GROW(stacks->ids, stacks->ids_nr + IDS_A_LIST * nr, stacks->ids_alloc);
}

uint32_t stacks_add(struct stacks *stacks, const uint32_t *ids, uint32_t nr)
{
	uint32_t hash = map_hash(ids, nr * sizeof(*ids));
	struct map_slot *slot;

	map_grow(&stacks->map);
	slot = map_find(&stacks->map, hash, is_same, &(struct key){stacks, ids, nr});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&stacks->map, slot, hash, stacks->nr);
	return stacks_append(stacks, ids, nr, 0);
}

uint32_t stacks_distinct(const struct stacks *stacks)
{
	CLEANUP(stacks_release) struct stacks distinct = {0};

	for (uint32_t i = 0; i < stacks->nr; i++)
		stacks_add(&distinct, stacks_ids(stacks, i), stacks_depth(stacks, i));
	return distinct.nr;
}
