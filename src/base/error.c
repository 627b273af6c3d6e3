/* error.c - the one way to fail: NULL is success */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

struct error {
	enum error_kind kind;
	char *text;
	char *hint;
};

/* Bytes of data must not drive the terminal that the message is shown on. */
static char *printable(char *text)
{
	for (unsigned char *at = (unsigned char *)text; *at; at++)
		if (*at < 0x20 || *at == 0x7f)
			*at = '?';
	return text;
}

static char *__attribute__((format(printf, 1, 0))) format_text(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return mem_strdup("out of memory while an error was reported");
	return printable(text);
}

struct error *error_new(enum error_kind kind, const char *format, ...)
{
	struct error *err = mem_zalloc(1, sizeof(*err));
	va_list args;

	err->kind = kind;
	va_start(args, format);
	err->text = format_text(format, args);
	va_end(args);
	return err;
}

struct error *error_os(const char *format, ...)
{
	int saved = errno;
	va_list args;
	char *what;
	struct error *err;

	va_start(args, format);
	what = format_text(format, args);
	va_end(args);
	err = error_new(ERROR_OS, "%s: %s", what, strerror(saved));
	free(what);
	return err;
}

struct error *error_within(struct error *err, const char *format, ...)
{
	va_list args;
	char *place, *text;

	va_start(args, format);
	place = format_text(format, args);
	va_end(args);
	if (asprintf(&text, "%s: %s", place, err->text) >= 0) {
		free(err->text);
		err->text = text;
	}
	free(place);
	return err;
}

struct error *error_hint(struct error *err, const char *format, ...)
{
	va_list args;

	free(err->hint);
	va_start(args, format);
	err->hint = format_text(format, args);
	va_end(args);
	return err;
}

const char *error_text(const struct error *err)
{
	return err->text;
}

const char *error_hint_text(const struct error *err)
{
	return err->hint;
}

enum error_kind error_kind(const struct error *err)
{
	return err->kind;
}

void error_free(struct error *err)
{
	if (!err)
		return;
	free(err->text);
	free(err->hint);
	free(err);
}
