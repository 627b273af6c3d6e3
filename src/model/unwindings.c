/* unwindings.c - how call chains were found: what each frame is from, and why the chain ends */
#include "model/unwindings.h"

#include <string.h>

#include "base/mem.h"

static const char letters[] = "lcxsgfkub-";

_Static_assert(sizeof(letters) - 1 == FOUND_BY_NR, "a letter each");

char found_by_letter(enum found_by found)
{
	return letters[found];
}

enum found_by found_by_of_letter(char letter)
{
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? (enum found_by)(at - letters) : FOUND_BY_NR;
}

const char *found_by_word(enum found_by found)
{
	static const char *const words[FOUND_BY_NR] = {
		[FOUND_LEAF] = "leaf",
		[FOUND_CFI] = "cfi",
		[FOUND_CFI_EXPR] = "cfi-expression",
		[FOUND_SIGNAL] = "signal",
		[FOUND_GUESS_LEAF] = "guess-leaf",
		[FOUND_GUESS_FP] = "guess-frame-pointer",
		[FOUND_KERNEL_CHAIN] = "kernel-chain",
		[FOUND_USER_CHAIN] = "user-chain",
		[FOUND_LBR] = "lbr",
		[FOUND_NOTHING] = "nothing",
	};

	return words[found];
}

static const char *const stop_words[UNWIND_STOP_NR] = {
	[UNWIND_END] = "end",
	[UNWIND_TRUNCATED] = "truncated",
	[UNWIND_NO_MAP] = "no-map",
	[UNWIND_NO_FILE] = "no-file",
	[UNWIND_NO_CFI] = "no-cfi",
	[UNWIND_BAD_CFA] = "bad-cfa",
	[UNWIND_EXPR_FAILED] = "expression-failed",
	[UNWIND_MAX_DEPTH] = "max-depth",
	[UNWIND_UNSUPPORTED] = "unsupported",
};

const char *unwind_stop_word(enum unwind_stop stop)
{
	return stop_words[stop];
}

enum unwind_stop unwind_stop_of_word(const char *word)
{
	int stop = 0;

	while (stop < UNWIND_STOP_NR && strcmp(stop_words[stop], word) != 0)
		stop++;
	return (enum unwind_stop)stop;
}

const char *unwind_stop_root(enum unwind_stop stop)
{
	switch (stop) {
	case UNWIND_END:
		return NULL;
	case UNWIND_TRUNCATED:
	case UNWIND_MAX_DEPTH:
		return UNWIND_ROOT_TRUNCATED;
	default:
		return UNWIND_ROOT_INCOMPLETE;
	}
}

void unwindings_release(struct unwindings *unwindings)
{
	free(unwindings->found);
	free(unwindings->list);
	free(unwindings->unwound);
	map_release(&unwindings->map);
	*unwindings = (struct unwindings){0};
}

struct key {
	const struct unwindings *unwindings;
	const char *found;
	uint32_t nr;
	enum unwind_stop stop;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct unwinding *unwinding = &key->unwindings->list[id];

	return unwinding->nr == key->nr && unwinding->stop == key->stop &&
	       (!key->nr ||
		memcmp(unwindings_found(key->unwindings, id), key->found, key->nr) == 0);
}

uint32_t unwindings_add(struct unwindings *unwindings, enum unwind_stop stop, const char *found,
			uint32_t nr)
{
	uint32_t hash = map_hash(found, nr) ^ (uint32_t)stop;
	struct map_slot *slot;

	map_grow(&unwindings->map);
	slot = map_find(&unwindings->map, hash, is_same,
			&(struct key){unwindings, found, nr, stop});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&unwindings->map, slot, hash, unwindings->nr);
	GROW(unwindings->list, (size_t)unwindings->nr + 1, unwindings->list_alloc);
	GROW(unwindings->found, unwindings->found_nr + nr + 1, unwindings->found_alloc);
	unwindings->list[unwindings->nr] = (struct unwinding){unwindings->found_nr, nr, stop};
	if (nr)
		memcpy(unwindings->found + unwindings->found_nr, found, nr);
	unwindings->found_nr += nr;
	return unwindings->nr++;
}

static void mark(struct unwindings *unwindings, uint32_t location)
{
	while (unwindings->unwound_nr <= location) {
		GROW(unwindings->unwound, unwindings->unwound_nr + 1, unwindings->unwound_alloc);
		unwindings->unwound[unwindings->unwound_nr++] = 0;
	}
	unwindings->unwound[location] = 1;
}

void unwindings_mark(struct unwindings *unwindings, uint32_t id, const uint32_t *callers,
		     uint32_t nr)
{
	const char *found = unwindings_found(unwindings, id);

	/* of a damaged profile there may be less, or more */
	if (unwindings->list[id].nr != nr + 1)
		return;
	for (uint32_t i = 0; i < nr; i++)
		if (found[i] == found_by_letter(FOUND_CFI) ||
		    found[i] == found_by_letter(FOUND_CFI_EXPR))
			mark(unwindings, callers[i]);
}
