/* strings.h - strings that are kept once, and stay where they are */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* Owned: strings_release(). */
struct strings {
	struct map map;
	const char **strings;
	size_t strings_nr, strings_alloc;
	char **blocks;
	size_t blocks_nr, blocks_alloc;
	size_t block_size, block_used; /* of the last one */
};

void strings_release(struct strings *strings);

/* The one copy of the string, which lives as long as strings. */
const char *strings_keep(struct strings *strings, const char *string);
