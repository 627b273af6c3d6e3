/* leb128.h - numbers of varying size, as DWARF writes them (DWARF 5, section 7.6) */
#pragma once

#include "base/bytes.h"

/*
 * False where the bytes end inside of it, or where its padding goes on for more than 64 bits and
 * a bit. Bits above the 64th are lost.
 */
#define LEB128_SHIFT_MAX 70

/* *ret_bits: how many bits were written; the highest of them is the sign of a signed number. */
static inline bool leb128_take(struct bytes *bytes, uint64_t *ret, unsigned *ret_bits)
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
			*ret_bits = shift + 7;
			return true;
		}
	}
	return false;
}

static inline bool leb128_unsigned(struct bytes *bytes, uint64_t *ret)
{
	unsigned bits;

	return leb128_take(bytes, ret, &bits);
}

static inline bool leb128_signed(struct bytes *bytes, int64_t *ret)
{
	uint64_t value;
	unsigned bits;

	if (!leb128_take(bytes, &value, &bits))
		return false;
	if (bits < 64 && value >> (bits - 1) & 1)
		value |= UINT64_MAX << bits;
	*ret = (int64_t)value;
	return true;
}

static inline bool leb128_skip(struct bytes *bytes)
{
	uint64_t value;

	return leb128_unsigned(bytes, &value);
}
