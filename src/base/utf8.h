/* utf8.h - bytes of unknown origin made fit to be shown */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text;

/* Valid UTF-8 (no surrogates, nothing beyond U+10FFFF) without C0, C1 and DEL? */
bool utf8_is_clean(const char *at, size_t size);

/*
 * Adds the bytes as valid UTF-8: each maximal part that is no UTF-8, and each control
 * character, becomes U+FFFD (as the Unicode standard recommends, chapter 3, "U+FFFD
 * substitution of maximal subparts").
 */
void utf8_add_clean(struct text *text, const char *at, size_t size);

/* A clean copy, which the caller frees; NULL stays NULL. */
char *utf8_cleaned(const char *s);

/* Columns of a terminal that clean UTF-8 takes: wide East Asian characters take two. */
size_t utf8_columns(const char *s);

/* Bytes of the longest whole-character prefix of clean UTF-8 within so many columns. */
size_t utf8_prefix(const char *s, size_t columns);
