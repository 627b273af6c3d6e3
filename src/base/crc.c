/* crc.c - the CRC-32 of ISO 3309, as gzip and .gnu_debuglink have it */
#include "base/crc.h"

#include <zlib.h>

uint32_t crc_of(const void *at, size_t size)
{
	return (uint32_t)crc32_z(0, at, size);
}
