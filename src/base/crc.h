/* crc.h - the CRC-32 of ISO 3309, as gzip and .gnu_debuglink have it */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint32_t crc_of(const void *at, size_t size);
