/* line_words.h - a line of text as words with blanks between them */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "importers/csv_fields.h"

#define LINE_WORDS_MAX 64

/* Words beyond LINE_WORDS_MAX are not there. */
struct line_words {
	struct csv_field list[LINE_WORDS_MAX];
	size_t nr;
};

void line_words_split(const char *at, size_t size, struct line_words *ret);
bool line_words_is(const struct csv_field *word, const char *s);
