/* text.c - a string that grows */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

void text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text)TEXT_INIT;
}

void text_clear(struct text *text)
{
	text->size = 0;
	if (text->bytes)
		text->bytes[0] = '\0';
}

void text_add_bytes(struct text *text, const void *at, size_t size)
{
	GROW(text->bytes, text->size + size + 1, text->alloc);
	if (size)
		memcpy(text->bytes + text->size, at, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

void text_add(struct text *text, const char *s)
{
	text_add_bytes(text, s, strlen(s));
}

void text_add_char(struct text *text, char c)
{
	text_add_bytes(text, &c, 1);
}

void text_addf(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_addv(text, format, args);
	va_end(args);
}

void text_addv(struct text *text, const char *format, va_list args)
{
	char *added;
	int size = vasprintf(&added, format, args);

	if (size < 0)
		return;
	text_add_bytes(text, added, (size_t)size);
	free(added);
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_take(struct text *text)
{
	char *bytes = text->bytes ? text->bytes : mem_strdup("");

	*text = (struct text)TEXT_INIT;
	return bytes;
}
