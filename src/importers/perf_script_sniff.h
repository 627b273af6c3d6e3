/* perf_script_sniff.h - is a text what perf script prints? */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Looks at the beginning of a text for a header, a frame or perf's comments; for importer.sniff. */
bool perf_script_sniff(const char *at, size_t size);
