/* feed_counters.h - what fuzz targets of counter files do with their bytes */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct importer;

/*
 * Reads the bytes with the importer, once as they are and once leaving out what is damaged. Points
 * of a series must come in the order of time, and stay the same when they are kept in a block.
 * Returns 0.
 */
int feed_counters(const struct importer *importer, const uint8_t *at, size_t size);
