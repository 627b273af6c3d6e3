/* milestone.h - when something happened, as an interval, and the order of two */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum milestone_what {
	MILESTONE_ONSET,	   /* left its baseline */
	MILESTONE_SATURATION,	   /* all of the time that there is was used */
	MILESTONE_AT_CAPACITY,	   /* the queue was full */
	MILESTONE_FIRST_REJECTION, /* something was turned away */
	MILESTONE_BELOW_ADMISSION, /* less was completed than came in */
	MILESTONE_WHAT_NR,
};

/* It happened after after_ns and not later than until_ns, on a clock that may be off by error_ns.
 */
struct milestone {
	const char *role; /* borrowed from the track */
	enum milestone_what what;
	uint64_t after_ns, until_ns;
	uint32_t clock; /* that of the track */
	uint64_t error_ns;
	bool has_unknown_clock;
};

enum milestone_relation {
	MILESTONE_PRECEDES,
	MILESTONE_NOT_SEPARABLE,
};

/* "onset", "first-rejection": values of JSON, never renamed. */
const char *milestone_word(enum milestone_what what);
const char *milestone_relation_word(enum milestone_relation relation);

/*
 * Does a precede b? Only where all of a's interval is before all of b's. Where their clocks differ,
 * each is widened by its clock's error, and with a clock that nothing ties to the other it never
 * does.
 */
enum milestone_relation milestone_relate(const struct milestone *a, const struct milestone *b);

/* Sorts by until_ns, then after_ns, then role and what: the first of a pair comes first. */
void milestones_sort(struct milestone *milestones, size_t nr);
