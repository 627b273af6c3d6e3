/* utf8.c - bytes of unknown origin made fit to be shown */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define REPLACEMENT "\xef\xbf\xbd"

/*
 * Length of the well-formed character at `at`, or 0 with the length of the maximal
 * ill-formed part in ret_bad. Table 3-7 of the Unicode standard.
 */
static size_t character(const unsigned char *at, size_t size, uint32_t *ret_code, size_t *ret_bad)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t need;
	uint32_t code;

	*ret_bad = 1;
	if (at[0] < 0x80) {
		*ret_code = at[0];
		return 1;
	}
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	need = at[0] < 0xe0 ? 1 : at[0] < 0xf0 ? 2 : 3;
	code = at[0] & (0x3fu >> need);
	if (at[0] == 0xe0)
		low = 0xa0;
	else if (at[0] == 0xed)
		high = 0x9f;
	else if (at[0] == 0xf0)
		low = 0x90;
	else if (at[0] == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i <= need; i++, low = 0x80, high = 0xbf) {
		if (i >= size || at[i] < low || at[i] > high) {
			*ret_bad = i;
			return 0;
		}
		code = code << 6 | (at[i] & 0x3f);
	}
	*ret_code = code;
	return need + 1;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Bytes that are looked at together. */
typedef signed char block __attribute__((vector_size(16)));

/* Behind what is printable ASCII, which is most names to their end; */
static size_t skip_printable(const char *at, size_t size)
{
	size_t i = 0;

	for (; size - i >= sizeof(block); i += sizeof(block)) {
		block bytes, odd;
		uint64_t half[2];

		memcpy(&bytes, at + i, sizeof(bytes));
		odd = (bytes < ' ') | (bytes == 0x7f); /* below: what is not ASCII, too */
		memcpy(half, &odd, sizeof(half));
		if (half[0] | half[1])
			break;
	}
	while (i < size && (signed char)at[i] >= ' ' && at[i] != 0x7f)
		i++;
	return i;
}

bool utf8_is_clean(const char *at, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)at;

	for (size_t i = 0, bad; i < size;) {
		uint32_t code;
		size_t length;

		i += skip_printable(at + i, size - i);
		if (i == size)
			break;
		length = character(bytes + i, size - i, &code, &bad);
		if (!length || is_control(code))
			return false;
		i += length;
	}
	return true;
}

void utf8_add_clean(struct text *text, const char *at, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)at;

	for (size_t i = 0, bad; i < size;) {
		uint32_t code;
		size_t length = character(bytes + i, size - i, &code, &bad);

		if (length && !is_control(code))
			text_add_bytes(text, at + i, length);
		else
			text_add(text, REPLACEMENT);
		i += length ? length : bad;
	}
}

/* Ranges that terminals draw two columns wide (Unicode's EastAsianWidth W and F, coarse). */
static bool is_wide(uint32_t code)
{
	return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
	       (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
	       (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
	       (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) ||
	       (code >= 0x20000 && code <= 0x3fffd);
}

static bool is_combining(uint32_t code)
{
	return (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x20d0 && code <= 0x20ff);
}

size_t utf8_prefix(const char *s, size_t columns)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t size = strlen(s), used = 0, i = 0, bad;

	while (i < size) {
		uint32_t code = 0;
		size_t length = character(bytes + i, size - i, &code, &bad);
		size_t width = is_combining(code) ? 0 : is_wide(code) ? 2 : 1;

		if (used + width > columns)
			break;
		used += width;
		i += length ? length : bad;
	}
	return i;
}

size_t utf8_columns(const char *s)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t size = strlen(s), used = 0, bad;

	for (size_t i = 0; i < size;) {
		uint32_t code = 0;
		size_t length = character(bytes + i, size - i, &code, &bad);

		used += is_combining(code) ? 0 : is_wide(code) ? 2 : 1;
		i += length ? length : bad;
	}
	return used;
}

char *utf8_cleaned(const char *s)
{
	struct text text = TEXT_INIT;

	if (!s)
		return NULL;
	utf8_add_clean(&text, s, strlen(s));
	return text_take(&text);
}
