/* source_clock.h - which clock the times of a capture are of */
#pragma once

enum source_clock {
	SOURCE_CLOCK_UNKNOWN,
	SOURCE_CLOCK_PERF, /* the kernel's clock for perf, where no -k said another */
	SOURCE_CLOCK_MONOTONIC,
	SOURCE_CLOCK_MONOTONIC_RAW, /* never to be taken for the one above */
	SOURCE_CLOCK_BOOTTIME,
	SOURCE_CLOCK_REALTIME, /* wall time, since 1970 in UTC; steps when it is set */
	SOURCE_CLOCK_TAI,
	SOURCE_CLOCK_LOCAL, /* wall time of a zone that is not known, as if it were UTC */
	SOURCE_CLOCK_START, /* since a moment that the source alone knows: when it began */
	SOURCE_CLOCK_NONE,  /* there are no times: totals of a whole run */
	SOURCE_CLOCK_NR,
};

/* The clock in a word: "monotonic". A key of JSON and of table capture: never renamed. */
const char *source_clock_word(enum source_clock clock);

/* The clock of that word, SOURCE_CLOCK_NR for none. */
enum source_clock source_clock_of_word(const char *word);

/* In words for people: "CLOCK_MONOTONIC", "perf's own clock". */
const char *source_clock_text(enum source_clock clock);
