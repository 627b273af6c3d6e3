/* calls_walk.c - the other unit: a callback, recursion, and a function inside of a function (GNU C) */
#include <stdlib.h>
#include <string.h>

#include "calls.h"

static unsigned depth_first(const unsigned *values, int low, int high)
{
	int middle = (low + high) / 2;

	if (high - low < 2)
		return mix(values[low]);
	return depth_first(values, low, middle) * 3 + depth_first(values, middle, high);
}

unsigned walk(const unsigned *values, int nr)
{
	unsigned sum = 0;

	for (int i = 0; i < nr; i++)
		sum += mix(values[i]) & 0xff;
	return sum + depth_first(values, 0, nr);
}

static int compare(const void *a, const void *b)
{
	return clamp(strcmp(*(char *const *)a, *(char *const *)b), -1, 1);
}

#ifdef __clang__
int sort_words(char **words, int nr)
{
	qsort(words, (size_t)nr, sizeof(*words), compare);
	return nr > 0 ? words[0][0] : 0;
}
#else
int sort_words(char **words, int nr)
{
	int counted = 0;

	__attribute__((noinline)) void count(const char *word)
	{
		counted += (int)mix((unsigned)word[0]);
	}

	qsort(words, (size_t)nr, sizeof(*words), compare);
	for (int i = 0; i < nr; i++)
		count(words[i]);
	return counted;
}
#endif
