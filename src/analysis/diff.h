/* diff.h - two sides of captures joined: what each function and path was, is, and became */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct calltree_source;
struct naming;

/* By the weights as they are, whatever the length of the captures. */
enum diff_state {
	DIFF_SAME,
	DIFF_NEW,
	DIFF_REMOVED,
	DIFF_GROWN,
	DIFF_SHRUNK,
};

enum diff_state diff_state(weight before, weight after);

/* "same", "new", "removed", "grown", "shrunk" */
const char *diff_state_word(enum diff_state state);

/* What weights are divided by before the sides are compared; the first that is there leads. */
enum diff_reading {
	DIFF_PER_WORK,	 /* by what was done: items completed, bytes sent */
	DIFF_PER_SECOND, /* by the wall time of the captures */
	DIFF_SHARE,	 /* by the side's own total */
	DIFF_READING_NR,
};

/* "per_work", "per_second", "share": keys of JSON, never renamed */
const char *diff_reading_word(enum diff_reading reading);

/* "per unit of work", "per second", "share of the total" */
const char *diff_reading_words(enum diff_reading reading);

/* What a reading divides by; one that a side cannot give is 0. */
struct diff_divisors {
	double before[DIFF_READING_NR], after[DIFF_READING_NR];
};

bool diff_has_reading(const struct diff_divisors *divisors, enum diff_reading reading);

/* The first reading that both sides can give; DIFF_SHARE where there is none. */
enum diff_reading diff_leading(const struct diff_divisors *divisors);

struct diff_function {
	uint32_t function; /* of the joint naming, the heavier side's */
	weight before_self, before_total;
	weight after_self, after_total;
};

struct diff {
	struct diff_function *functions; /* by their change in the leading reading, then by name */
	size_t nr;
	weight before_total, after_total; /* of all samples */
	weight before_samples, after_samples;
	struct diff_divisors divisors;
	enum diff_reading leading;
};

/*
 * Joins the functions of all sources by their name, as calltree_build_joint() does with paths.
 * The divisors of DIFF_SHARE are found here, the others are the caller's. Weights are periods or,
 * where asked for, samples. All but diff->functions is borrowed.
 */
void diff_build(struct diff *diff, const struct naming *naming,
		const struct calltree_source *sources, size_t nr, bool counts_samples,
		const struct diff_divisors *divisors);
void diff_release(struct diff *diff);

/* A weight in a reading; 0 where the side has nothing to be divided by. */
double diff_before(const struct diff *diff, enum diff_reading reading, weight w);
double diff_after(const struct diff *diff, enum diff_reading reading, weight w);

/* What 100 points are: the before side's total in that reading or, where that is 0, the after
 * side's. */
double diff_whole(const struct diff *diff, enum diff_reading reading);

/*
 * The change in percent of the whole: of the before side's total in that reading, or, where that
 * is 0, of the after side's. What labels, colours and limits go by in all readings.
 */
double diff_points(const struct diff *diff, enum diff_reading reading, weight before, weight after);
