/* library_find.h - functions of a library that is loaded when it is wanted */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Sets the pointer to a function, of `size` bytes at `ret`, to the one of that name. False: there
 * is none, and the pointer is null. ISO C knows no way from an object's pointer to a function's.
 */
static inline bool library_find(void *library, const char *name, void *ret, size_t size)
{
	void *symbol = dlsym(library, name);

	memcpy(ret, &symbol, size);
	return symbol;
}
