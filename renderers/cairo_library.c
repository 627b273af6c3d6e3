/* cairo_library.c - cairo and pango, loaded when a picture wants them and not before */
#include "renderers/cairo_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "renderers/library_find.h"

/* It needs pango, cairo and glib, in which functions are found through it, too. */
#define LIBRARY "libpangocairo-1.0.so.0"

const struct cairo_library *cairo_library_load(void)
{
	static struct cairo_library loaded;
	void *library;
	bool is_whole = true;

	if (loaded.cairo_create)
		return &loaded;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		errno = ELIBACC;
		return NULL;
	}
#define CAIRO_LIBRARY_FIND(name) \
	is_whole = library_find(library, #name, &loaded.name, sizeof(loaded.name)) && is_whole;
	CAIRO_LIBRARY(CAIRO_LIBRARY_FIND)
#undef CAIRO_LIBRARY_FIND
	if (is_whole)
		return &loaded;
	loaded.cairo_create = NULL;
	errno = ELIBACC;
	return NULL;
}
