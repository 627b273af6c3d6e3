/* names.c - each name once: raw bytes are its identity, a display form is for people */
#include "model/names.h"

#include <endian.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

#define BLOCK_SIZE ((size_t)64 << 10)

/* Strings never move: they are put one behind the other into blocks. */
struct names_block {
	struct names_block *next;
	size_t used, size;
	char bytes[];
};

void names_release(struct names *names)
{
	struct names_block *block = names->blocks;

	while (block) {
		struct names_block *next = block->next;

		free(block);
		block = next;
	}
	free(names->list);
	map_release(&names->map);
	*names = (struct names){0};
}

static char *keep(struct names *names, const char *at, size_t size)
{
	struct names_block *block = names->blocks;
	char *kept;

	if (!block || block->size - block->used < size + 1) {
		size_t room = size + 1 > BLOCK_SIZE ? size + 1 : BLOCK_SIZE;

		block = mem_alloc(sizeof(*block) + room);
		block->next = names->blocks;
		block->used = 0;
		block->size = room;
		names->blocks = block;
	}
	kept = block->bytes + block->used;
	memcpy(kept, at, size);
	kept[size] = '\0';
	block->used += size + 1;
	return kept;
}

static void make_display(struct names *names, const char *at, size_t size, struct name *ret)
{
	CLEANUP(text_release) struct text clean = TEXT_INIT;

	utf8_add_clean(&clean, at, size);
	ret->display = keep(names, text_string(&clean), clean.size);
	ret->display_size = (uint32_t)clean.size;
}

struct key {
	const struct names *names;
	const char *at;
	size_t size;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct name *name = &key->names->list[id];

	return name->size == key->size && memcmp(name->bytes, key->at, key->size) == 0;
}

uint32_t names_add(struct names *names, const char *at, size_t size)
{
	CLEANUP(text_release) struct text cut = TEXT_INIT;
	struct map_slot *slot;
	struct name *name;
	uint32_t hash;

	if (size > NAME_SIZE_MAX) {
		text_add_bytes(&cut, at, NAME_SIZE_MAX);
		text_addf(&cut, "[cut, %zu bytes]", size);
		at = cut.bytes;
		size = cut.size;
	}
	map_grow(&names->map);
	hash = map_hash(at, size);
	slot = map_find(&names->map, hash, is_same, &(struct key){names, at, size});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&names->map, slot, hash, names->nr);
	GROW(names->list, (size_t)names->nr + 1, names->list_alloc);
	name = &names->list[names->nr];
	name->size = (uint32_t)size;
	name->bytes = keep(names, at, size);
	name->display = name->bytes;
	name->display_size = name->size;
	if (!utf8_is_clean(at, size))
		make_display(names, at, size, name);
	return names->nr++;
}

uint32_t names_add_string(struct names *names, const char *s)
{
	return names_add(names, s, strlen(s));
}

static int compare(const struct name *a, const struct name *b)
{
	size_t size = a->size < b->size ? a->size : b->size;
	int order = memcmp(a->bytes, b->bytes, size);

	if (order)
		return order;
	return a->size < b->size ? -1 : a->size > b->size;
}

int names_compare(const struct names *names, uint32_t a, uint32_t b)
{
	return compare(&names->list[a], &names->list[b]);
}

/* A name with its first bytes as a number, which part most names without a look at them. */
struct ranked {
	uint64_t begin;
	uint32_t id;
};

static uint64_t begin_of(const struct name *name)
{
	uint64_t begin = 0;

	memcpy(&begin, name->bytes, name->size < sizeof(begin) ? name->size : sizeof(begin));
	return be64toh(begin);
}

static int compare_ranked(const void *a, const void *b, void *names)
{
	const struct ranked *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return names_compare(names, x->id, y->id);
}

uint32_t *names_ranks(const struct names *names)
{
	struct ranked *order = mem_alloc(names->nr * sizeof(*order));
	uint32_t *ranks = mem_alloc(names->nr * sizeof(*ranks));

	for (uint32_t i = 0; i < names->nr; i++)
		order[i] = (struct ranked){begin_of(&names->list[i]), i};
	qsort_r(order, names->nr, sizeof(*order), compare_ranked, (void *)names);
	for (uint32_t i = 0; i < names->nr; i++)
		ranks[order[i].id] = i;
	free(order);
	return ranks;
}
