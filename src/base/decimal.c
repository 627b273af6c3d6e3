/* decimal.c - a number as counters write it: its digits and where the point is, exact */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

/* Digits that a uint64_t takes without a look at each whether it runs over. */
#define DIGITS_SAFE 18

/* An exponent with more digits is beyond all scales, whatever it is. */
#define EXPONENT_DIGITS_MAX 6

/* Decimals that are written with a point; smaller numbers have an exponent. */
#define POINT_SCALE_MAX 24

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = {1e0,  1e1,  1e2,	1e3,  1e4,  1e5,  1e6,	1e7,
				      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline unsigned digit_of(char c)
{
	return (unsigned char)c - (unsigned)'0';
}

/* A number being read: its digits so far, those that had no room left out. */
struct parsing {
	const char *at, *end;
	uint64_t digits;
	int32_t scale;
	bool is_full, rounds_up, has_digits;
};

/* The digit that follows the last one with room decides how that is rounded. */
static void drop_digit(struct parsing *parsing, unsigned digit)
{
	if (!parsing->is_full)
		parsing->rounds_up = digit >= 5;
	parsing->is_full = true;
}

static void take_digits(struct parsing *parsing, bool is_behind_point)
{
	for (unsigned digit; parsing->at < parsing->end && (digit = digit_of(*parsing->at)) <= 9;
	     parsing->at++) {
		parsing->has_digits = true;
		if (parsing->is_full || parsing->digits > ((uint64_t)INT64_MAX - digit) / 10) {
			drop_digit(parsing, digit);
			parsing->scale -= !is_behind_point;
			continue;
		}
		parsing->digits = parsing->digits * 10 + digit;
		parsing->scale += is_behind_point;
	}
}

static bool take_exponent(struct parsing *parsing)
{
	bool is_negative = false;
	int32_t exponent = 0;
	int nr = 0;

	if (parsing->at == parsing->end || (*parsing->at != 'e' && *parsing->at != 'E'))
		return true;
	parsing->at++;
	if (parsing->at < parsing->end && (*parsing->at == '-' || *parsing->at == '+'))
		is_negative = *parsing->at++ == '-';
	for (unsigned digit; parsing->at < parsing->end && (digit = digit_of(*parsing->at)) <= 9;
	     parsing->at++) {
		if (++nr > EXPONENT_DIGITS_MAX)
			return false;
		exponent = exponent * 10 + (int32_t)digit;
	}
	parsing->scale += is_negative ? exponent : -exponent;
	return nr > 0;
}

/* One form for each number. */
static bool normalise(struct parsing *parsing)
{
	if (parsing->rounds_up && parsing->digits < INT64_MAX)
		parsing->digits++;
	if (!parsing->digits)
		parsing->scale = 0;
	while (parsing->scale > 0 && parsing->digits % 10 == 0) {
		parsing->digits /= 10;
		parsing->scale--;
	}
	return parsing->scale >= -DECIMAL_SCALE_MAX && parsing->scale <= DECIMAL_SCALE_MAX;
}

/* What most counters are: a few digits. */
static bool parse_plain(const char *at, size_t size, struct decimal *ret)
{
	uint64_t number = 0;

	if (!size || size > DIGITS_SAFE)
		return false;
	for (size_t i = 0; i < size; i++) {
		unsigned digit = digit_of(at[i]);

		if (digit > 9)
			return false;
		number = number * 10 + digit;
	}
	*ret = decimal_of((int64_t)number);
	return true;
}

bool decimal_parse(const char *at, size_t size, struct decimal *ret)
{
	struct parsing parsing = {.at = at, .end = at + size};
	bool is_negative = false;

	if (parse_plain(at, size, ret))
		return true;
	if (size > INT32_MAX / 2)
		return false;
	if (size && (*at == '-' || *at == '+'))
		is_negative = *parsing.at++ == '-';
	take_digits(&parsing, false);
	if (parsing.at < parsing.end && *parsing.at == '.') {
		parsing.at++;
		take_digits(&parsing, true);
	}
	if (!parsing.has_digits || !take_exponent(&parsing) || parsing.at < parsing.end ||
	    !normalise(&parsing))
		return false;
	*ret = (struct decimal){is_negative ? -(int64_t)parsing.digits : (int64_t)parsing.digits,
				parsing.scale};
	return true;
}

struct decimal decimal_scaled(struct decimal number, int exponent)
{
	number.scale -= exponent;
	if (!number.digits)
		number.scale = 0;
	for (; number.scale > 0 && number.digits % 10 == 0; number.scale--)
		number.digits /= 10;
	return number;
}

double decimal_number(struct decimal number)
{
	char buf[64];

	if (number.digits <= INT64_C(1) << 53 && number.digits >= -(INT64_C(1) << 53)) {
		if (number.scale >= 0 && number.scale < (int32_t)ARRAY_NR(exact_powers))
			return (double)number.digits / exact_powers[number.scale];
		if (number.scale < 0 && -number.scale < (int32_t)ARRAY_NR(exact_powers))
			return (double)number.digits * exact_powers[-number.scale];
	}
	if (!number.scale)
		return (double)number.digits;
	/* the program never leaves the C locale */
	snprintf(buf, sizeof(buf), "%llde%d", (long long)number.digits, -number.scale);
	return strtod(buf, NULL);
}

struct decimal decimal_of_number(double number)
{
	struct decimal ret = {0};
	char buf[64];
	int size;

	if (number == (double)(int64_t)number && fabs(number) < 1e15)
		return decimal_of((int64_t)number);
	size = snprintf(buf, sizeof(buf), "%.17g", number);
	if (!decimal_parse(buf, (size_t)size, &ret))
		return (struct decimal){0};
	return ret;
}

double decimal_difference(struct decimal a, struct decimal b)
{
	int64_t digits;

	if (a.scale == b.scale && !__builtin_sub_overflow(a.digits, b.digits, &digits))
		return decimal_number((struct decimal){digits, a.scale});
	return decimal_number(a) - decimal_number(b);
}

int decimal_compare(struct decimal a, struct decimal b)
{
	double x, y;

	if (a.scale == b.scale)
		return a.digits < b.digits ? -1 : a.digits > b.digits;
	x = decimal_number(a);
	y = decimal_number(b);
	return x < y ? -1 : x > y;
}

bool decimal_shifted(struct decimal number, int shift, int64_t *ret)
{
	int64_t digits = number.digits, rest = 0;

	shift -= number.scale;
	for (; shift > 0 && digits; shift--)
		if (__builtin_mul_overflow(digits, 10, &digits))
			return false;
	for (; shift < 0 && digits; shift++) {
		rest = digits % 10;
		digits /= 10;
	}
	if (shift < 0)
		rest = 0;
	*ret = digits + (rest >= 5) - (rest <= -5);
	return true;
}

/* Writes the digits in front of end, returns where they begin. */
static char *digits_before(char *end, uint64_t digits)
{
	do
		*--end = (char)('0' + digits % 10);
	while (digits /= 10);
	return end;
}

static void add_with_point(struct text *text, char *begin, char *end, int32_t scale)
{
	size_t nr = (size_t)(end - begin);

	if (nr > (size_t)scale) {
		text_add_bytes(text, begin, nr - (size_t)scale);
		text_add_char(text, '.');
		text_add_bytes(text, end - scale, (size_t)scale);
		return;
	}
	text_add(text, "0.");
	for (size_t i = nr; i < (size_t)scale; i++)
		text_add_char(text, '0');
	text_add_bytes(text, begin, nr);
}

void decimal_add(struct text *text, struct decimal number)
{
	char buf[32], *end = buf + sizeof(buf);
	uint64_t digits = number.digits < 0 ? 0 - (uint64_t)number.digits : (uint64_t)number.digits;
	char *begin = digits_before(end, digits);

	if (number.digits < 0)
		text_add_char(text, '-');
	if (number.scale > 0 && number.scale <= POINT_SCALE_MAX) {
		add_with_point(text, begin, end, number.scale);
		return;
	}
	text_add_bytes(text, begin, (size_t)(end - begin));
	if (number.scale)
		text_addf(text, "e%d", -number.scale);
}
