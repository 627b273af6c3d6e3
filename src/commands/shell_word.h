/* shell_word.h - a word as it is typed in a shell */
#pragma once

struct text;

/* Adds it, in quotes where the shell would not take it as it is. */
void shell_word_add(struct text *text, const char *word);

/* Adds it in quotes. */
void shell_word_quote(struct text *text, const char *word);
