/* xml_library.c - libxml2, loaded when an SVG is read and not before */
#include "renderers/xml_library.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "renderers/library_find.h"

const struct xml_library *xml_library_load(void)
{
	static struct xml_library loaded;
	static bool is_loaded;
	bool is_whole = true;
	void *library;

	if (is_loaded)
		return &loaded;
	library = dlopen(XML_LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return NULL;
#define XML_LIBRARY_FIND(name) \
	is_whole = library_find(library, #name, &loaded.name, sizeof(loaded.name)) && is_whole;
	XML_LIBRARY(XML_LIBRARY_FIND)
#undef XML_LIBRARY_FIND
	is_loaded = is_whole;
	return is_loaded ? &loaded : NULL;
}
