/* moment.h - when something happened, as an interval, and what can be said of the order of two */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum moment_what {
	MOMENT_ONSET,		/* left its baseline */
	MOMENT_SATURATION,	/* all of the time that there is was used */
	MOMENT_AT_CAPACITY,	/* the queue was full */
	MOMENT_FIRST_REJECTION, /* something was turned away */
	MOMENT_BELOW_ADMISSION, /* less was completed than came in */
	MOMENT_WHAT_NR,
};

/* It happened after after_ns and not later than until_ns, on a clock that may be off by error_ns.
 */
struct moment {
	const char *role; /* borrowed from the track */
	enum moment_what what;
	uint64_t after_ns, until_ns;
	uint32_t clock; /* that of the track */
	uint64_t error_ns;
	bool has_unknown_clock;
};

enum moment_relation {
	MOMENT_PRECEDES,
	MOMENT_NOT_SEPARABLE,
};

/* "onset", "first-rejection": values of JSON, never renamed. */
const char *moment_word(enum moment_what what);
const char *moment_relation_word(enum moment_relation relation);

/*
 * Does a precede b? Only where all of a's interval is before all of b's. Where their clocks differ, each is
 * widened by its clock's error, and with a clock that nothing ties to the other it never does.
 */
enum moment_relation moment_relate(const struct moment *a, const struct moment *b);

/* Sorts by until_ns, then after_ns, then role and what: the first of a pair comes first. */
void moments_sort(struct moment *moments, size_t nr);
