/* counts.h - how often each kind of something was met, by a word for it */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct count {
	char *word; /* owned */
	uint64_t nr;
};

/* So many words are told apart; all others are counted as "other". */
#define COUNTS_MAX 256

/* In order of appearance. */
struct counts {
	struct count *list;
	size_t nr, alloc;
};

void counts_release(struct counts *counts);
void counts_add(struct counts *counts, const char *word, uint64_t nr);
