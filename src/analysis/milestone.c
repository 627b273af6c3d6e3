/* milestone.c - when something happened, and what can be said of the order of two */
#include "analysis/milestone.h"

#include <stdlib.h>
#include <string.h>

const char *milestone_word(enum milestone_what what)
{
	static const char *const words[MILESTONE_WHAT_NR] = {
		[MILESTONE_ONSET] = "onset",
		[MILESTONE_SATURATION] = "saturation",
		[MILESTONE_AT_CAPACITY] = "at-capacity",
		[MILESTONE_FIRST_REJECTION] = "first-rejection",
		[MILESTONE_BELOW_ADMISSION] = "below-admission",
	};

	return words[what];
}

const char *milestone_relation_word(enum milestone_relation relation)
{
	return relation == MILESTONE_PRECEDES ? "precedes" : "not-separable";
}

/* Saturating: times near the ends of the clock stay in it. */
static uint64_t later(uint64_t time_ns, uint64_t by_ns)
{
	return time_ns > UINT64_MAX - by_ns ? UINT64_MAX : time_ns + by_ns;
}

enum milestone_relation milestone_relate(const struct milestone *a, const struct milestone *b)
{
	bool is_one_clock = a->clock == b->clock;
	uint64_t error_ns = is_one_clock ? 0 : later(a->error_ns, b->error_ns);

	if (!is_one_clock && (a->has_unknown_clock || b->has_unknown_clock))
		return MILESTONE_NOT_SEPARABLE;
	return later(a->until_ns, error_ns) < b->after_ns ? MILESTONE_PRECEDES
							  : MILESTONE_NOT_SEPARABLE;
}

static int compare(const void *a, const void *b)
{
	const struct milestone *x = a, *y = b;
	int roles;

	if (x->until_ns != y->until_ns)
		return x->until_ns < y->until_ns ? -1 : 1;
	if (x->after_ns != y->after_ns)
		return x->after_ns < y->after_ns ? -1 : 1;
	roles = strcmp(x->role, y->role);
	return roles ? roles : (x->what > y->what) - (x->what < y->what);
}

void milestones_sort(struct milestone *milestones, size_t nr)
{
	if (nr)
		qsort(milestones, nr, sizeof(*milestones), compare);
}
