/* character.c - characters of a UTF-8 text, one by one */
#include "renderers/character.h"

static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	if (first >= 0xf0 && first < 0xf5)
		return 4;
	return 0;
}

size_t character_next(const char *at, uint32_t *ret_code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)at;
	size_t nr = length_of(byte[0]);
	uint32_t code = nr < 2 ? byte[0] : byte[0] & (0x7fu >> nr);

	/* The closing NUL continues nothing, so this never reads past it. */
	for (size_t i = 1; i < nr; i++) {
		if ((byte[i] & 0xc0) != 0x80) {
			nr = 0;
			break;
		}
		code = code << 6 | (byte[i] & 0x3f);
	}
	if (!nr || code < least[nr] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
		*ret_code = CHARACTER_REPLACEMENT;
		return 1;
	}
	*ret_code = code;
	return nr;
}
