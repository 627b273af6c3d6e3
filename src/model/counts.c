/* counts.c - how often each kind of something was met, by a word for it */
#include "model/counts.h"

#include "base/mem.h"

void counts_release(struct counts *counts)
{
	for (size_t i = 0; i < counts->nr; i++)
		free(counts->list[i].word);
	free(counts->list);
	*counts = (struct counts){0};
}

void counts_add(struct counts *counts, const char *word, uint64_t nr)
{
	for (size_t i = 0; i < counts->nr; i++) {
		if (strcmp(counts->list[i].word, word) == 0) {
			counts->list[i].nr += nr;
			return;
		}
	}
	GROW(counts->list, counts->nr + 1, counts->alloc);
	counts->list[counts->nr++] = (struct count){mem_strdup(word), nr};
}
