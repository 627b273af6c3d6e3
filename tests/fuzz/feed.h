/* feed.h - what all fuzz targets do with their bytes */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct importer;

/*
 * Reads the bytes with the importer, counts what it says, names it and makes a tree of it;
 * what must always hold is asserted. Returns 0.
 */
int feed(const struct importer *importer, const uint8_t *at, size_t size);
