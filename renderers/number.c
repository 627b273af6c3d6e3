/* number.c - numbers as short text, without regard to any locale */
#include "renderers/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WHOLE_MAX 9007199254740992.0 /* 2^53: whole numbers beyond it are not exact anyway */

/* What fits into an uint64_t even as hundredths; not a number is 0. */
static double clamped(double number)
{
	if (!(number > 0))
		return 0;
	return number < 1e12 ? number : 1e12;
}

static size_t put_whole(char *at, uint64_t number)
{
	char digits[20];
	size_t nr = 0;

	do
		digits[nr++] = (char)('0' + number % 10);
	while (number /= 10);
	for (size_t i = 0; i < nr; i++)
		at[i] = digits[nr - 1 - i];
	at[nr] = '\0';
	return nr;
}

/* A whole number of 1/10 or 1/100. */
static size_t put_fixed(char *at, uint64_t number, bool is_hundredths)
{
	unsigned int unit = is_hundredths ? 100 : 10;
	unsigned int part = (unsigned int)(number % unit);
	size_t nr = put_whole(at, number / unit);

	if (!part)
		return nr;
	at[nr++] = '.';
	if (is_hundredths) {
		at[nr++] = (char)('0' + part / 10);
		part %= 10;
	}
	if (part)
		at[nr++] = (char)('0' + part);
	at[nr] = '\0';
	return nr;
}

size_t number_px(char *at, double px)
{
	return put_fixed(at, (uint64_t)(clamped(px) * 100 + 0.5), true);
}

size_t number_exact(char *at, double number)
{
	if (number >= 0 && number < WHOLE_MAX && number == (double)(uint64_t)number)
		return put_whole(at, (uint64_t)number);
	if (!isfinite(number))
		number = 0;
	return (size_t)snprintf(at, NUMBER_SIZE, "%.12g", number);
}

size_t number_share(char *at, double share)
{
	double percent = clamped(share * 100);
	size_t nr;

	if (percent > 0 && percent < 0.005) {
		memcpy(at, "<0.01", 5);
		nr = 5;
	} else if (percent < 0.995) {
		nr = put_fixed(at, (uint64_t)(percent * 100 + 0.5), true);
	} else {
		nr = put_fixed(at, (uint64_t)(percent * 10 + 0.5), false);
	}
	memcpy(at + nr, " %", 3);
	return nr + 2;
}
