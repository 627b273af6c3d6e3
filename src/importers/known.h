/* known.h - counter files that are known and not read: what to ask for instead */
#pragma once

#include <stddef.h>

/* What the bytes at the beginning of a file are, and the hint for it; NULL where they are none of
 * these. */
const char *known_not_read(const char *at, size_t size, const char **ret_hint);
