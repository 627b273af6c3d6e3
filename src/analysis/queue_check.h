/* queue_check.h - do the columns of a queue describe one queue? */
#pragma once

#include <stdbool.h>

struct amounts;

/* Little's law, depth = arrivals a second x time that each waits, is off by this where columns are
 * not of one queue. */
#define QUEUE_CHECK_FACTOR 2.0

/* Below so many items on average what is seen at a tick is chance. */
#define QUEUE_CHECK_LEAST 1.0

/* The oldest item grows older by a second a second; ticks are not read at the same moment. */
#define QUEUE_CHECK_AGE_MOST 1.5

enum queue_verdict {
	QUEUE_TOO_SMALL, /* there is too little in it to say */
	QUEUE_FITS,
	QUEUE_DOES_NOT_FIT,
};

/* depth: items on average; waiting_s: seconds waited, of all items, in a second. */
enum queue_verdict queue_check_little(double depth, double waiting_s);

/*
 * The fastest that an age (a gauge in seconds x scale) rose, in seconds a second. More than
 * QUEUE_CHECK_AGE_MOST cannot be: its unit or its clock is another one.
 */
double queue_check_age(const struct amounts *age, double scale);
