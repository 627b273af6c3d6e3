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

static struct count *find(struct counts *counts, const char *word)
{
	for (size_t i = 0; i < counts->nr; i++)
		if (strcmp(counts->list[i].word, word) == 0)
			return &counts->list[i];
	return NULL;
}

void counts_add(struct counts *counts, const char *word, uint64_t nr)
{
	struct count *count = find(counts, word);

	if (!count && counts->nr >= COUNTS_MAX) {
		word = "other";
		count = find(counts, word);
	}
	if (count) {
		count->nr += nr;
		return;
	}
	GROW(counts->list, counts->nr + 1, counts->alloc);
	counts->list[counts->nr++] = (struct count){mem_strdup(word), nr};
}
