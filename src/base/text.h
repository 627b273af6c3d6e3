/* text.h - a string that grows */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* bytes is NULL or ends in a NUL that size does not count. Owned: text_release(). */
struct text {
	char *bytes;
	size_t size, alloc;
};

#define TEXT_INIT \
	{         \
		0 \
	}

void text_release(struct text *text);
void text_clear(struct text *text); /* keeps the memory */
void text_add(struct text *text, const char *s);
void text_add_bytes(struct text *text, const void *at, size_t size);
void text_add_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_addv(struct text *text, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* The string, "" when nothing was added. Borrowed until the next change. */
const char *text_string(const struct text *text);

/* Hands the string over; the caller frees it. The text is empty afterwards. */
char *text_take(struct text *text);
