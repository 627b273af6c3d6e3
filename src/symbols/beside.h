/* beside.h - files that came with a capture: in its folder, or in "<capture>.symbols" */
#pragma once

#include <stdbool.h>

struct text;

/* Is there a readable regular file of this name in the folder? Its path into *ret. */
bool beside_has(const char *folder, const char *name, struct text *ret);

/* The same beside the capture; capture NULL or "-": false. */
bool beside_find(const char *capture, const char *name, struct text *ret);

struct symbolizer_options;

/* What a runtime wrote: in the folders that were given for it, or beside the capture. */
bool beside_find_map(const struct symbolizer_options *options, const char *name, struct text *ret);
