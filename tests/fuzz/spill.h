/* spill.h - bytes of a fuzz target as a file, for what reads from a path */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The path of a file in memory that holds these bytes until the next call. */
const char *spill(const uint8_t *at, size_t size);
