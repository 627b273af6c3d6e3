/* moment.c - when something happened, as an interval, and what can be said of the order of two */
#include "analysis/moment.h"

#include <stdlib.h>
#include <string.h>

const char *moment_word(enum moment_what what)
{
	static const char *const words[MOMENT_WHAT_NR] = {
		[MOMENT_ONSET] = "onset",
		[MOMENT_SATURATION] = "saturation",
		[MOMENT_AT_CAPACITY] = "at-capacity",
		[MOMENT_FIRST_REJECTION] = "first-rejection",
		[MOMENT_BELOW_ADMISSION] = "below-admission",
	};

	return words[what];
}

const char *moment_relation_word(enum moment_relation relation)
{
	return relation == MOMENT_PRECEDES ? "precedes" : "not-separable";
}

/* Saturating: times near the ends of the clock stay in it. */
static uint64_t later(uint64_t time_ns, uint64_t by_ns)
{
	return time_ns > UINT64_MAX - by_ns ? UINT64_MAX : time_ns + by_ns;
}

enum moment_relation moment_relate(const struct moment *a, const struct moment *b)
{
	bool is_one_clock = a->clock == b->clock;
	uint64_t error_ns = is_one_clock ? 0 : later(a->error_ns, b->error_ns);

	if (!is_one_clock && (a->has_unknown_clock || b->has_unknown_clock))
		return MOMENT_NOT_SEPARABLE;
	return later(a->until_ns, error_ns) < b->after_ns ? MOMENT_PRECEDES : MOMENT_NOT_SEPARABLE;
}

static int compare(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;
	int roles;

	if (x->until_ns != y->until_ns)
		return x->until_ns < y->until_ns ? -1 : 1;
	if (x->after_ns != y->after_ns)
		return x->after_ns < y->after_ns ? -1 : 1;
	roles = strcmp(x->role, y->role);
	return roles ? roles : (x->what > y->what) - (x->what < y->what);
}

void moments_sort(struct moment *moments, size_t nr)
{
	if (nr)
		qsort(moments, nr, sizeof(*moments), compare);
}
