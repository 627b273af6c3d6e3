/* decimal.h - a number as counters write it: its digits and where the point is, exact */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/*
 * digits x 10^-scale. No decimal text with up to 18 digits loses anything, and none that an int64
 * holds; longer ones are rounded to what fits. Two that are equal have the same members: there is
 * no zero at the end of decimals.
 */
struct decimal {
	int64_t digits;
	int32_t scale; /* -DECIMAL_SCALE_MAX..DECIMAL_SCALE_MAX */
};

/* What a double reaches, its smallest with 17 digits too. */
#define DECIMAL_SCALE_MAX 400

static inline struct decimal decimal_of(int64_t number)
{
	return (struct decimal){.digits = number};
}

/*
 * Reads all of at..at+size: sign, digits, decimal point, exponent; no blanks, no words. False
 * where it is no such number, or beyond the scale.
 */
bool decimal_parse(const char *at, size_t size, struct decimal *ret);

/* The number times 10^exponent, exact; the exponent is small. */
struct decimal decimal_scaled(struct decimal number, int exponent);

/* The nearest double. */
double decimal_number(struct decimal number);

/* The double with 17 digits, so that decimal_number() gives it back. It must be finite. */
struct decimal decimal_of_number(double number);

/* a - b: exact where both have the same scale and no sum runs over, else of the doubles. */
double decimal_difference(struct decimal a, struct decimal b);

/* -1, 0, 1 as a is below, the same, above b; exact where the scales are the same. */
int decimal_compare(struct decimal a, struct decimal b);

/*
 * The number times 10^shift as an integer, rounded half away from zero: seconds to nanoseconds
 * with 9. False where an int64 does not hold it.
 */
bool decimal_shifted(struct decimal number, int shift, int64_t *ret);

/* Adds it as JSON has numbers: "12", "-0.25", "1.5e-12". */
void decimal_add(struct text *text, struct decimal number);
