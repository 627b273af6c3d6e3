/* leb128.h - numbers of varying size, as DWARF writes them (DWARF 5, section 7.6) */
#pragma once

#include "base/bytes.h"

/*
 * False where the bytes end inside of it, or where its padding goes on for more than 64 bits and
 * a bit. Bits above the 64th are lost.
 */
#define LEB128_SHIFT_MAX 70

static inline bool leb128_unsigned(struct bytes *bytes, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift <= LEB128_SHIFT_MAX; shift += 7) {
		uint8_t byte;

		if (!bytes_u8(bytes, &byte))
			return false;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

static inline bool leb128_signed(struct bytes *bytes, int64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift <= LEB128_SHIFT_MAX; shift += 7) {
		uint8_t byte;

		if (!bytes_u8(bytes, &byte))
			return false;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			if ((byte & 0x40) && shift + 7 < 64)
				value |= UINT64_MAX << (shift + 7);
			*ret = (int64_t)value;
			return true;
		}
	}
	return false;
}

static inline bool leb128_skip(struct bytes *bytes)
{
	uint64_t value;

	return leb128_unsigned(bytes, &value);
}
