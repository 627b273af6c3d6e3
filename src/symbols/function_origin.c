/* function_origin.c - where a function comes from, by the file that declares it */
#include "symbols/function_origin.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

enum origin function_origin(const char *path)
{
	static const char *const libraries[] = {
		"/rustc/",
		"/.cargo/registry/",
		"/.cargo/git/",
		"/usr/include/c++/",
		"/go/pkg/mod/",
		"/usr/lib/go",
		"/usr/local/go/src/",
		"/rustlib/src/rust/library/",
	};

	for (size_t i = 0; path && i < ARRAY_NR(libraries); i++)
		if (strstr(path, libraries[i]))
			return ORIGIN_LIBRARY;
	return ORIGIN_UNKNOWN;
}
