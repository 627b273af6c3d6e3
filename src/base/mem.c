/* mem.c - memory that is there or the program ends */
#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A fresh page costs some 2 us, and a picture took 5,000 of them: a fifth of its time. What is
 * smaller than LARGE_BYTES lies in the heap, whose first HEAP_BYTES are address space set aside
 * and asked to be of large pages; what is larger is mapped, so that it grows without a copy.
 */
#define HEAP_BYTES  (128 << 20)
#define LARGE_BYTES (2 << 20)
#define HUGE_PAGE   ((uintptr_t)2 << 20)

/* What malloc writes at once when it sets the heap up: where a page was written is no large one. */
#define FIRST_BYTES ((uintptr_t)16 << 10)

void mem_begin(void)
{
	void *volatile first; /* or the compiler would leave it out */
	uintptr_t begin = (uintptr_t)sbrk(0);
	uintptr_t large = (begin + FIRST_BYTES + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1), end;

	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	mallopt(M_TOP_PAD, HEAP_BYTES);
	/* or there would be 256 small pages before the first large one, on average */
	if (sbrk((intptr_t)(large - FIRST_BYTES - begin)) == (void *)-1)
		return;
	first = malloc(1);
	free(first);
	mallopt(M_TOP_PAD, HEAP_BYTES / 16);
	end = (uintptr_t)sbrk(0);
	/* a wish: without large pages, or with another malloc, all is as it was */
	if (end > large)
		madvise((void *)large, end - large, MADV_HUGEPAGE);
}

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

void *mem_try_large(size_t size)
{
	size_t pages = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
	void *at;

	if (size < LARGE_BYTES || pages < size)
		return malloc(size ? size : 1);
	at = aligned_alloc(HUGE_PAGE, pages);
	if (at)
		madvise(at, pages, MADV_HUGEPAGE);
	return at;
}

/* What is not as large takes small pages, all at once. */
#define MAP_LARGE (HUGE_PAGE / 2)

static size_t map_size(size_t size)
{
	size_t page = size < MAP_LARGE ? (size_t)sysconf(_SC_PAGESIZE) : HUGE_PAGE;

	return (size + page - 1) & ~(page - 1);
}

static void *map(size_t size, int flags)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
			0);

	return at == MAP_FAILED ? NULL : at;
}

void *mem_try_map(size_t size)
{
	size_t pages = map_size(size ? size : 1);
	char *at, *begin;

	if (pages < size || pages > SIZE_MAX - HUGE_PAGE)
		return NULL;
	if (size < MAP_LARGE)
		return map(pages, MAP_POPULATE);
	at = map(pages + HUGE_PAGE, 0);
	if (!at)
		return NULL;
	begin = (char *)(((uintptr_t)at + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
	if (begin > at)
		munmap(at, (size_t)(begin - at));
	munmap(begin + pages, (size_t)(at + HUGE_PAGE - begin));
	madvise(begin, pages, MADV_HUGEPAGE);
	return begin;
}

void mem_unmap(void *at, size_t size)
{
	if (at)
		munmap(at, map_size(size ? size : 1));
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

/* What is mapped grows without a copy; what is in the heap is copied, and seldom. */
size_t mem_next_alloc(size_t alloc, size_t nr, size_t size)
{
	size_t more = alloc < LARGE_BYTES / size ? alloc : alloc / 2;
	size_t next = alloc + more + 16;

	return next > nr ? next : nr;
}
