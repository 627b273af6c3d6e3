/* units.c - numbers as people write them: weights, times, sizes, shares */
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define NANO 1000000000u

/* An exponent beyond this is either zero or over the limit of a weight, whatever the digits. */
#define EXPONENT_MAX 100000

/* The same either way, but of 64 bits much the faster. */
static double nanos_of(weight w)
{
	return w <= UINT64_MAX ? (double)(uint64_t)w : (double)w;
}

double weight_number(weight w)
{
	return nanos_of(w) / NANO;
}

double weight_share(weight part, weight whole)
{
	return whole ? nanos_of(part) / nanos_of(whole) : 0;
}

/* Writes the digits of n at the end of buf, returns where they begin. */
static char *digits_of(weight n, char *end, bool is_grouped)
{
	uint64_t low;
	int nr = 0;

	/* dividing 128 bits takes several times as long, and few weights have them */
	for (; n > UINT64_MAX; nr++) {
		if (is_grouped && nr && nr % 3 == 0)
			*--end = ',';
		*--end = (char)('0' + (int)(n % 10));
		n /= 10;
	}
	low = (uint64_t)n;
	do {
		if (is_grouped && nr && nr % 3 == 0)
			*--end = ',';
		*--end = (char)('0' + (int)(low % 10));
		low /= 10;
		nr++;
	} while (low);
	return end;
}

static void add_weight(struct text *text, weight w, bool is_grouped)
{
	char buf[64];
	char *end = buf + sizeof(buf);
	char *begin = digits_of(w / NANO, end, is_grouped);
	uint32_t part = (uint32_t)(w % NANO);

	text_add_bytes(text, begin, (size_t)(end - begin));
	if (!part)
		return;
	snprintf(buf, sizeof(buf), ".%09u", part);
	for (size_t size = strlen(buf); buf[size - 1] == '0'; size--)
		buf[size - 1] = '\0';
	text_add(text, buf);
}

void weight_add(struct text *text, weight w)
{
	add_weight(text, w, false);
}

void weight_add_grouped(struct text *text, weight w)
{
	add_weight(text, w, true);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A decimal number taken apart: digits (without leading zeros) x 10^exponent. */
struct decimal {
	const char *begin, *end; /* digits and perhaps one point */
	long exponent;		 /* what stands behind the e */
	long point;		 /* digits before the point */
};

static bool decimal_parse(const char *at, size_t size, struct decimal *ret)
{
	const char *end = at + size, *p = at;
	long digits = 0, exponent = 0;
	bool is_negative = false;

	*ret = (struct decimal){.begin = at};
	for (; p < end && is_digit(*p); p++)
		digits++;
	ret->point = digits;
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++)
			digits++;
	if (!digits)
		return false;
	ret->end = p;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			is_negative = *p++ == '-';
		if (p == end)
			return false;
		for (; p < end && is_digit(*p); p++)
			exponent = exponent > EXPONENT_MAX ? exponent : exponent * 10 + (*p - '0');
	}
	ret->exponent = is_negative ? -exponent : exponent;
	return p == end;
}

bool weight_parse(const char *at, size_t size, weight *ret)
{
	const weight limit = ((weight)1 << 64) * NANO;
	struct decimal number;
	weight w = 0;
	long place; /* of the next digit, as a power of ten of a nano-unit */

	if (size && size <= 18) { /* most are plain digits */
		uint64_t plain = 0;
		size_t i = 0;

		for (; i < size && is_digit(at[i]); i++)
			plain = plain * 10 + (uint64_t)(at[i] - '0');
		if (i == size) {
			*ret = weight_of(plain);
			return true;
		}
	}
	if (!decimal_parse(at, size, &number))
		return false;
	place = number.point + number.exponent + 9 - 1;
	for (const char *p = number.begin; p < number.end; p++) {
		if (*p == '.')
			continue;
		if (place < -1)
			break;
		if (place == -1) { /* the first digit that is too fine rounds */
			w += *p >= '5';
			break;
		}
		w = w * 10 + (weight)(*p - '0');
		if (w >= limit)
			return false;
		place--;
	}
	for (; w && place >= 0; place--) {
		w *= 10;
		if (w >= limit)
			return false;
	}
	*ret = w;
	return true;
}

bool weight_read(const char *at, size_t size, weight *ret)
{
	const weight limit = ~(weight)0 / 10 - 10;
	weight w = 0, part = 0;
	size_t i = 0, digits;

	for (; i < size && is_digit(at[i]); i++) {
		if (w > limit)
			return false;
		w = w * 10 + (weight)(at[i] - '0');
	}
	if (!i || (i < size && at[i] != '.'))
		return false;
	digits = i < size ? size - i - 1 : 0;
	if (digits > 9 || (i < size && !digits))
		return false;
	for (size_t j = 0; j < 9; j++) {
		char c = j < digits ? at[i + 1 + j] : '0';

		if (!is_digit(c))
			return false;
		part = part * 10 + (weight)(c - '0');
	}
	if (w > (~(weight)0 - part) / NANO)
		return false;
	*ret = w * NANO + part;
	return true;
}

/*
 * As "%.*f" writes it, digits 3 at most, which takes 1,500 instructions: pictures have tens of
 * thousands. What is in the middle between two, as far as a double can tell, is left to it.
 */
static void add_rounded(struct text *text, double value, unsigned digits)
{
	static const unsigned powers[] = {1, 10, 100, 1000};
	double scaled = value * powers[digits];
	uint64_t rounded = scaled < 1e9 ? (uint64_t)scaled : 0;
	double part = scaled - (double)rounded;
	char decimals[] = {'.', '0', '0', '0'};

	if (!(scaled < 1e9) || (part > 0.499 && part < 0.501)) {
		text_addf(text, "%.*f", (int)digits, value);
		return;
	}
	rounded += part > 0.5;
	weight_add(text, weight_of(rounded / powers[digits]));
	rounded %= powers[digits];
	for (unsigned i = digits; i; i--, rounded /= 10)
		decimals[i] = (char)('0' + rounded % 10);
	if (digits)
		text_add_bytes(text, decimals, digits + 1);
}

void units_add_time(struct text *text, weight ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double value = weight_number(ns);
	size_t unit = 0;
	unsigned digits;

	while (value >= 999.95 && unit + 1 < ARRAY_NR(units)) {
		value /= 1000;
		unit++;
	}
	digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
	add_rounded(text, value, unit ? digits : 0);
	text_add_char(text, ' ');
	text_add(text, units[unit]);
}

void units_add_percent(struct text *text, double share, int digits)
{
	text_addf(text, "%.*f %%", digits, share * 100);
}

void units_add_seconds(struct text *text, uint64_t ns)
{
	text_addf(text, "%llu.%09u", (unsigned long long)(ns / NANO), (unsigned)(ns % NANO));
}

double units_ns_of(const char *unit)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

	for (size_t i = 0; i < ARRAY_NR(units); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return units[i].ns;
	return 0;
}

bool units_parse_time(const char *at, size_t size, uint64_t *ret_ns)
{
	static const struct {
		const char *word;
		uint64_t ns;
	} units[] = {
		{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", NANO}, {"m", (uint64_t)60 * NANO},
		{"", NANO}};
	size_t number = size;
	weight w, ns;

	while (number && !is_digit(at[number - 1]) && at[number - 1] != '.')
		number--;
	if (!weight_parse(at, number, &w))
		return false;
	for (size_t i = 0; i < ARRAY_NR(units); i++) {
		if (strlen(units[i].word) != size - number ||
		    memcmp(units[i].word, at + number, size - number) != 0)
			continue;
		ns = w / NANO * units[i].ns + (w % NANO * units[i].ns + NANO / 2) / NANO;
		if (ns > UINT64_MAX)
			return false;
		*ret_ns = (uint64_t)ns;
		return true;
	}
	return false;
}

bool units_parse_u64(const char *at, size_t size, uint64_t *ret)
{
	uint64_t n = 0;

	if (!size)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (!is_digit(at[i]) || __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(at[i] - '0'), &n))
			return false;
	}
	*ret = n;
	return true;
}
