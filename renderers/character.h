/* character.h - characters of a UTF-8 text, one by one */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CHARACTER_REPLACEMENT 0xfffd

/*
 * The character at `at`, which must not be the closing NUL; returns its length in bytes.
 * What is no character (a stray byte, a surrogate, an overlong form) is one byte long and
 * comes as U+FFFD.
 */
size_t character_next(const char *at, uint32_t *ret_code);
