/* line_words.c - a line of text as words with blanks between them */
#include "importers/line_words.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

void line_words_split(const char *at, size_t size, struct line_words *ret)
{
	const char *end = at + size;

	ret->nr = 0;
	while (ret->nr < LINE_WORDS_MAX) {
		const char *begin;

		while (at < end && is_blank(*at))
			at++;
		begin = at;
		while (at < end && !is_blank(*at))
			at++;
		if (at == begin)
			return;
		ret->list[ret->nr++] = (struct csv_field){begin, (size_t)(at - begin)};
	}
}

bool line_words_is(const struct csv_field *word, const char *s)
{
	return word->size == strlen(s) && memcmp(word->at, s, word->size) == 0;
}
