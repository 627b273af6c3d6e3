/* counter_time.c - dates and times of day as counter files write them */
#include "importers/counter_time.h"

#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define DAY_S	  INT64_C(86400)

/* Years of 400 have the same days; a year here begins in March, so that a leap day is its last. */
int64_t counter_time_days(int64_t year, unsigned month, unsigned day)
{
	int64_t era, of_era, of_year;

	year -= month <= 2;
	era = year / 400;
	of_era = year - era * 400;
	of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + (int64_t)day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* A text that is taken apart from its beginning. */
struct cursor {
	const char *at, *end;
};

static bool take(struct cursor *cursor, char c)
{
	return cursor->at < cursor->end && *cursor->at == c && cursor->at++;
}

/* Exactly so many digits. */
static bool take_digits(struct cursor *cursor, int nr, unsigned most, unsigned *ret)
{
	unsigned number = 0;

	for (; nr > 0; nr--, cursor->at++) {
		if (cursor->at == cursor->end || *cursor->at < '0' || *cursor->at > '9')
			return false;
		number = number * 10 + (unsigned)(*cursor->at - '0');
	}
	*ret = number;
	return number <= most;
}

static bool take_date(struct cursor *cursor, int64_t *ret_days)
{
	static const unsigned char lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned year, month, day;

	if (!take_digits(cursor, 4, 2261, &year) || year < 1970 || !take(cursor, '-') ||
	    !take_digits(cursor, 2, 12, &month) || !month || !take(cursor, '-') ||
	    !take_digits(cursor, 2, lengths[month - 1], &day) || !day)
		return false;
	*ret_days = counter_time_days(year, month, day);
	return true;
}

/* Decimals of a second; what is finer than a nanosecond is cut. */
static bool take_fraction(struct cursor *cursor, int64_t *ret_ns)
{
	int64_t unit = SECOND_NS;
	const char *begin;

	*ret_ns = 0;
	if (!take(cursor, '.') && !take(cursor, ','))
		return true;
	begin = cursor->at;
	for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
		unit /= 10;
		*ret_ns += (*cursor->at - '0') * unit;
	}
	return cursor->at > begin;
}

static bool take_time_of_day(struct cursor *cursor, int64_t *ret_ns)
{
	unsigned hour, minute, second = 0;
	int64_t fraction = 0;

	if (!take_digits(cursor, 2, 23, &hour) || !take(cursor, ':') ||
	    !take_digits(cursor, 2, 59, &minute))
		return false;
	if (take(cursor, ':') &&
	    (!take_digits(cursor, 2, 60, &second) || !take_fraction(cursor, &fraction)))
		return false;
	*ret_ns = (int64_t)(hour * 3600 + minute * 60 + second) * SECOND_NS + fraction;
	return true;
}

/* "Z", "UTC", "+01:00", "-0530", "+00"; nothing: no zone. */
static bool take_zone(struct cursor *cursor, int64_t *ret_ns, bool *ret_has_zone)
{
	unsigned hour, minute = 0;
	bool is_west;

	while (take(cursor, ' '))
		;
	*ret_has_zone = cursor->at < cursor->end;
	*ret_ns = 0;
	if (!*ret_has_zone || take(cursor, 'Z'))
		return cursor->at == cursor->end;
	if (cursor->end - cursor->at == 3 &&
	    (memcmp(cursor->at, "UTC", 3) == 0 || memcmp(cursor->at, "GMT", 3) == 0))
		return true;
	is_west = *cursor->at == '-';
	if ((!take(cursor, '+') && !take(cursor, '-')) || !take_digits(cursor, 2, 23, &hour))
		return false;
	take(cursor, ':');
	if (cursor->at < cursor->end && !take_digits(cursor, 2, 59, &minute))
		return false;
	*ret_ns = (int64_t)(hour * 60 + minute) * 60 * SECOND_NS * (is_west ? -1 : 1);
	return cursor->at == cursor->end;
}

bool counter_time_parse(const char *at, size_t size, uint64_t *ret_ns, bool *ret_has_zone)
{
	struct cursor cursor = {at, at + size};
	int64_t days, of_day, zone;

	if (!take_date(&cursor, &days) || (!take(&cursor, 'T') && !take(&cursor, ' ')) ||
	    !take_time_of_day(&cursor, &of_day) || !take_zone(&cursor, &zone, ret_has_zone))
		return false;
	of_day += days * DAY_S * SECOND_NS - zone;
	if (of_day < 0)
		return false;
	*ret_ns = (uint64_t)of_day;
	return true;
}
