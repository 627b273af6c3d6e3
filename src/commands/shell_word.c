/* shell_word.c - a word as it is typed in a shell */
#include "commands/shell_word.h"

#include <string.h>

#include "base/text.h"

void shell_word_quote(struct text *text, const char *word)
{
	text_add_char(text, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			text_add(text, "'\\''");
		else
			text_add_char(text, *word);
	}
	text_add_char(text, '\'');
}

void shell_word_add(struct text *text, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+-@:=,%";

	if (*word && !word[strspn(word, plain)])
		text_add(text, word);
	else
		shell_word_quote(text, word);
}
