/* csv_fields.c - a line of a CSV file in fields */
#include "importers/csv_fields.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

void csv_fields_release(struct csv_fields *fields)
{
	free(fields->list);
	*fields = (struct csv_fields){0};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void add(struct csv_fields *fields, const char *begin, const char *end)
{
	while (begin < end && is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	GROW(fields->list, fields->nr + 1, fields->alloc);
	fields->list[fields->nr++] = (struct csv_field){begin, (size_t)(end - begin)};
}

/* A quoted field: returns what is behind its closing quote, or the end where there is none. */
static char *add_quoted(struct csv_fields *fields, char *at, const char *end)
{
	char *begin = at, *to = at;

	for (; at < end; at++) {
		if (*at == '"' && (at + 1 == end || at[1] != '"'))
			break;
		at += *at == '"';
		*to++ = *at;
	}
	GROW(fields->list, fields->nr + 1, fields->alloc);
	fields->list[fields->nr++] = (struct csv_field){begin, (size_t)(to - begin)};
	return at < end ? at + 1 : at;
}

/* The end of a field that is not quoted; a separator within braces is part of it. */
static char *end_of_field(char *at, char *end, char separator)
{
	char *next = memchr(at, separator, (size_t)(end - at));
	char *brace = memchr(at, '{', (size_t)((next ? next : end) - at));
	char *close = brace ? memchr(brace, '}', (size_t)(end - brace)) : NULL;

	if (close)
		next = memchr(close, separator, (size_t)(end - close));
	return next ? next : end;
}

void csv_fields_split(struct csv_fields *fields, char *at, size_t size, char separator)
{
	char *end = at + size;

	fields->nr = 0;
	while (end > at && end[-1] == '\r')
		end--;
	for (;;) {
		char *field_end;

		while (at < end && is_blank(*at) && *at != separator)
			at++;
		if (fields->nr + 1 == CSV_FIELDS_MAX) {
			add(fields, at, end);
			return;
		}
		if (at < end && *at == '"') {
			at = add_quoted(fields, at + 1, end);
			field_end = end_of_field(at, end, separator);
		} else {
			field_end = end_of_field(at, end, separator);
			add(fields, at, field_end);
		}
		if (field_end == end)
			return;
		at = field_end + 1;
	}
}

char csv_fields_separator(const char *at, size_t size)
{
	static const char separators[] = ",;\t";
	size_t most = 0, counts[3] = {0};
	bool is_quoted = false;
	char found = 0;
	int braces = 0;

	for (size_t i = 0; i < size; i++) {
		const char *which;

		is_quoted ^= at[i] == '"';
		braces += (at[i] == '{') - (at[i] == '}');
		which = is_quoted || braces > 0 ? NULL : memchr(separators, at[i], 3);
		if (which && ++counts[which - separators] > most) {
			most = counts[which - separators];
			found = *which;
		}
	}
	return found;
}
