/* mem.c - memory that is there or the program ends */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>

static void out_of_memory(size_t size)
{
	fprintf(stderr, "tephra: out of memory (%zu bytes asked for)\n", size);
	exit(2);
}

void *mem_alloc(size_t size)
{
	void *at = malloc(size ? size : 1);

	if (!at)
		out_of_memory(size);
	return at;
}

void *mem_zalloc(size_t nr, size_t size)
{
	void *at = calloc(nr ? nr : 1, size ? size : 1);

	if (!at)
		out_of_memory(nr);
	return at;
}

void *mem_realloc(void *old, size_t nr, size_t size)
{
	void *at = reallocarray(old, nr ? nr : 1, size);

	if (!at)
		out_of_memory(nr);
	return at;
}

char *mem_strdup(const char *s)
{
	return mem_memdup(s, strlen(s) + 1);
}

char *mem_memdup(const void *at, size_t size)
{
	char *copy = mem_alloc(size);

	if (size)
		memcpy(copy, at, size);
	return copy;
}

size_t mem_next_alloc(size_t alloc, size_t nr)
{
	size_t next = alloc + alloc / 2 + 16;

	return next > nr ? next : nr;
}
