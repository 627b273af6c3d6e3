/* stacks.h - each list of ids once: call chains of locations, paths of functions */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* The most frames of one stack; what is deeper is refused by the importers with a note. */
#define STACK_FRAMES_MAX (1u << 20)

#define STACK_NONE UINT32_MAX

struct stack {
	size_t offset; /* into stacks->ids */
	uint32_t nr;
	uint32_t shared; /* it begins with so many ids as the list before it, if not with more */
};

/* Not a trie: one array of ids, outermost frame first, and {offset, length} into it. */
struct stacks {
	uint32_t *ids;
	size_t ids_nr, ids_alloc;
	struct stack *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
};

void stacks_release(struct stacks *stacks);

/* The id of this list (outermost first). Ids count from 0 in order of appearance. */
uint32_t stacks_add(struct stacks *stacks, const uint32_t *ids, uint32_t nr);

/*
 * The same without looking whether the list is there already: for lists that cannot be. The first
 * `shared` ids are those of the list that was added last, 0 where that is not known.
 */
uint32_t stacks_append(struct stacks *stacks, const uint32_t *ids, uint32_t nr, uint32_t shared);

/* The same, and where it can, it lies in the last one's place: that saves half of the memory. */
uint32_t stacks_append_next(struct stacks *stacks, const uint32_t *ids, uint32_t nr,
			    uint32_t shared);

/* So many more are to come, about: what grows is copied, and this spares some of it. */
void stacks_expect(struct stacks *stacks, size_t nr);

/* How many different lists there are: fewer than nr where some were appended without looking. */
uint32_t stacks_distinct(const struct stacks *stacks);

static inline const uint32_t *stacks_ids(const struct stacks *stacks, uint32_t stack)
{
	return stacks->ids + stacks->list[stack].offset;
}

static inline uint32_t stacks_depth(const struct stacks *stacks, uint32_t stack)
{
	return stacks->list[stack].nr;
}
