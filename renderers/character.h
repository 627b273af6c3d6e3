/* utf8.h - characters of a text */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffd

/*
 * The character at `at`, which must not be the closing NUL; returns its length in bytes.
 * What is no character (a stray byte, a surrogate, an overlong form) is one byte long and
 * comes as U+FFFD.
 */
size_t utf8_next(const char *at, uint32_t *ret_code);
