/* mem.h - memory that is there or the program ends; growing arrays; scope cleanup */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Called once, before the first allocation of note: the heap is set up for a process that reads
 * much, answers and ends. Pages for it come in large ones where the system has any.
 */
void mem_begin(void);

/*
 * None of these returns NULL: out of memory prints one line and ends the program with
 * status 2. A size that comes from input is therefore checked against a named limit
 * before it gets here. Zero bytes give a valid pointer to free.
 */
void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *mem_zalloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));
void *mem_realloc(void *old, size_t nr, size_t size) __attribute__((returns_nonnull));
/*
 * For something large that is filled at once: of large pages, where there are some. NULL where
 * there is not so much; to be given back with free().
 */
void *mem_try_large(size_t size);

/*
 * The same with pages that nobody had before, which in a process that was forked a free part of the
 * heap is not: each of its pages would be copied before it is written over. Give it back with
 * mem_unmap(), of the same size.
 */
void *mem_try_map(size_t size);
void mem_unmap(void *at, size_t size); /* at may be NULL */

char *mem_strdup(const char *s) __attribute__((malloc, returns_nonnull));
char *mem_memdup(const void *at, size_t size) __attribute__((malloc, returns_nonnull));

/* The allocation that is next after alloc and holds at least nr elements of this size. */
size_t mem_next_alloc(size_t alloc, size_t nr, size_t size);

/* Makes room for nr elements in an array that grows: thing, thing_alloc. */
#define GROW(thing, nr, alloc)                                                     \
	do {                                                                       \
		if ((nr) > (alloc)) {                                              \
			(alloc) = mem_next_alloc((alloc), (nr), sizeof(*(thing))); \
			(thing) = mem_realloc((thing), (alloc), sizeof(*(thing))); \
		}                                                                  \
	} while (0)

/* CLEANUP(text_release) struct text line = TEXT_INIT; releases it when the scope ends. */
#define CLEANUP(release) __attribute__((cleanup(release)))

#define ARRAY_NR(array) (sizeof(array) / sizeof((array)[0]))
