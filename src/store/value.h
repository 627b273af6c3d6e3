/* value.h - names and weights as SQL values, exact in both directions */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/units.h"

struct names;
struct sqlite3_stmt;

/*
 * A name is TEXT where it is clean UTF-8, else a BLOB of its bytes: what the plain sqlite3
 * shell shows is right, and no byte is lost. NAME_NONE is NULL. Borrowed by the statement.
 */
void value_bind_name(struct sqlite3_stmt *statement, int at, const struct names *names,
		     uint32_t name);
uint32_t value_name(struct sqlite3_stmt *statement, int at, struct names *names);

/*
 * A weight is an INTEGER where it is whole and below 2^63, else TEXT with all its digits:
 * "18446744073709551615", "0.25".
 */
bool value_is_integer(weight w);
void value_bind_weight(struct sqlite3_stmt *statement, int at, weight w);
bool value_weight(struct sqlite3_stmt *statement, int at, weight *ret);

/* A count or size, which is never beyond 2^63 in practice; larger ones are kept as 2^63 - 1. */
void value_bind_u64(struct sqlite3_stmt *statement, int at, uint64_t number);
uint64_t value_u64(struct sqlite3_stmt *statement, int at); /* 0 for what is below it */

struct text;

void value_add_id(struct text *text, uint64_t id);

/* Adds a JSON array of the ids, each with base added: "[12,13,40]". */
void value_add_list(struct text *text, const uint32_t *ids, uint32_t nr, int64_t base);

/*
 * Reads such an array. *ids grows as needed (owned by the caller, alloc as in GROW). False
 * where it is none, or an id is not in base..base + limit - 1.
 */
bool value_list(struct sqlite3_stmt *statement, int at, int64_t base, uint32_t limit,
		uint32_t **ids, size_t *alloc, uint32_t *ret_nr);

/* More digits than these are no number that was written here. */
#define VALUE_DIGITS_MAX 19

/*
 * How many of 8 bytes of text, the first in the lowest bits, are digits before the first other;
 * *ret is their number. Lists of ids are most of a profile's text: at one go this takes half of
 * what one digit after another does.
 */
static inline unsigned value_digits_in(uint64_t text, uint64_t *ret)
{
	uint64_t digits = text ^ UINT64_C(0x3030303030303030), others, number;
	unsigned nr = 8;

	/* a byte of more than 9 gets its highest bit, and perhaps one behind it */
	others = (digits | (digits + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
	if (others)
		nr = (unsigned)__builtin_ctzll(others) / 8;
	if (!nr)
		return 0;
	number = digits << (8 - nr) * 8; /* zeros in front; then pairs, fours, eight */
	number = (number * 10 + (number >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	number = (number * 100 + (number >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*ret = (number * 10000 + (number >> 32)) & UINT64_C(0xffffffff);
	return nr;
}

/* Reads the digits at *at, moves behind them. False for none or too many; they end at a NUL. */
static inline bool value_take_digits(const char **at, uint64_t *ret)
{
	const char *p = *at;
	uint64_t number = 0;
	unsigned digit;

	while ((digit = (unsigned char)*p - (unsigned)'0') <= 9) {
		number = number * 10 + digit; /* what runs over has too many digits */
		p++;
	}
	if (p == *at || p - *at > VALUE_DIGITS_MAX)
		return false;
	*at = p;
	*ret = number;
	return true;
}

/* The same in a text whose NUL is known to stand at `end`: up to 8 digits at one go. */
static inline bool value_take_id(const char **at, const char *end, uint64_t *ret)
{
	uint64_t text, number;
	unsigned nr, digit;

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || end - *at < 8)
		return value_take_digits(at, ret);
	memcpy(&text, *at, sizeof(text));
	nr = value_digits_in(text, &number);
	if (!nr)
		return false;
	if (nr == 8)
		for (; (digit = (unsigned char)(*at)[nr] - (unsigned)'0') <= 9; nr++)
			number = number * 10 + digit; /* what runs over has too many digits */
	if (nr > VALUE_DIGITS_MAX)
		return false;
	*at += nr;
	*ret = number;
	return true;
}

/* NULL for `none`. */
void value_bind_int(struct sqlite3_stmt *statement, int at, int64_t number, int64_t none);

/* The number below nr whose word this is, 0 where it is none, or NULL. */
int value_word(const char *word, const char *(*words)(int), int nr);
