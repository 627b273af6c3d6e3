/* look_lines.c - lines of a screen of 80 columns */
#include "commands/look_lines.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

void look_line(FILE *out, const char *head, const char *words)
{
	CLEANUP(text_release) struct text line = TEXT_INIT;
	size_t size;

	text_addf(&line, "%-*s%s", LOOK_HEAD, head, words);
	size = utf8_prefix(text_string(&line), LOOK_COLUMNS);
	if (size == line.size) {
		fprintf(out, "%s\n", text_string(&line));
		return;
	}
	size = utf8_prefix(text_string(&line), LOOK_COLUMNS - 1);
	fprintf(out, "%.*s…\n", (int)size, text_string(&line));
}

/* A number and its unit stay together. */
static bool may_break(const char *at)
{
	return *at == ' ' && at[1] != '%' && !(at[-1] >= '0' && at[-1] <= '9');
}

int look_wrapped(FILE *out, const char *head, const char *words, int most)
{
	int lines = 0;

	while (*words && lines < most) {
		size_t size = utf8_prefix(words, LOOK_COLUMNS - LOOK_HEAD), end = size;
		CLEANUP(text_release) struct text part = TEXT_INIT;

		if (words[size] && lines + 1 < most) {
			while (end && !may_break(words + end))
				end--;
			size = end ? end : size;
		} else {
			size = strlen(words);
		}
		text_add_bytes(&part, words, size);
		look_line(out, lines++ ? "" : head, text_string(&part));
		words += size;
		words += strspn(words, " ");
	}
	return lines;
}
