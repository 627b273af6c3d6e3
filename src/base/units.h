/* units.h - numbers as people write them: weights, times, sizes, shares */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/*
 * A weight: how often or how much, exact. In units of 1e-9, so that decimal counts of folded
 * stacks are kept and sums of 64-bit periods (beyond 2^64) do not overflow: 2^128 nano-units
 * hold 1.8e10 largest u64. Aligned as its halves are, which makes tables of weights smaller.
 */
typedef unsigned __int128 weight __attribute__((aligned(8)));

#define WEIGHT_ONE ((weight)1000000000)

static inline weight weight_of(uint64_t count)
{
	return count * WEIGHT_ONE;
}

double weight_number(weight w);
double weight_share(weight part, weight whole); /* 0 to 1; 0 of 0 is 0 */

/*
 * Adds the weight: "12", "1012.5" (no trailing zeros). The grouped form, for people, has
 * "," between thousands: "1,012.5".
 */
void weight_add(struct text *text, weight w);
void weight_add_grouped(struct text *text, weight w);

/*
 * Reads all of at..at+size as a count: digits, decimal point, exponent; not negative; up
 * to 2^64 units. What is finer than 1e-9 is rounded (half away from zero). False where it
 * is no such number.
 */
bool weight_parse(const char *at, size_t size, weight *ret);

/* Reads what weight_add() wrote, of any size that a weight can have. */
bool weight_read(const char *at, size_t size, weight *ret);

/* Adds nanoseconds for people with four digits: "1.235 s", "12.35 ms". */
void units_add_time(struct text *text, weight ns);

/* Adds a share as percent with so many digits after the point: "33.33 %". */
void units_add_percent(struct text *text, double share, int digits);

/* Nanoseconds of a unit of time (ns, us, ms, s), 0 of any other. */
double units_ns_of(const char *unit);

/* Reads "12.5" (seconds), "250ms", "3us", "7ns", "2s", "1m" exactly. False where it is none. */
bool units_parse_time(const char *at, size_t size, uint64_t *ret_ns);

/* Adds seconds with all nine digits: "701.467456358". */
void units_add_seconds(struct text *text, uint64_t ns);

/* Reads all of at..at+size as a decimal number. False where it is none or over 2^64 - 1. */
bool units_parse_u64(const char *at, size_t size, uint64_t *ret);
