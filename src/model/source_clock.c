/* source_clock.c - which clock the times of a capture are of */
#include "model/source_clock.h"

#include <string.h>

const char *source_clock_word(enum source_clock clock)
{
	static const char *const words[SOURCE_CLOCK_NR] = {
		[SOURCE_CLOCK_UNKNOWN] = "unknown",
		[SOURCE_CLOCK_PERF] = "perf",
		[SOURCE_CLOCK_MONOTONIC] = "monotonic",
		[SOURCE_CLOCK_MONOTONIC_RAW] = "monotonic_raw",
		[SOURCE_CLOCK_BOOTTIME] = "boottime",
		[SOURCE_CLOCK_REALTIME] = "realtime",
		[SOURCE_CLOCK_TAI] = "tai",
		[SOURCE_CLOCK_LOCAL] = "local",
		[SOURCE_CLOCK_START] = "start",
		[SOURCE_CLOCK_NONE] = "none",
	};

	return words[clock];
}

enum source_clock source_clock_of_word(const char *word)
{
	int clock = 0;

	while (clock < SOURCE_CLOCK_NR && strcmp(source_clock_word(clock), word) != 0)
		clock++;
	return clock;
}

const char *source_clock_text(enum source_clock clock)
{
	static const char *const texts[SOURCE_CLOCK_NR] = {
		[SOURCE_CLOCK_UNKNOWN] = "a clock that it does not name",
		[SOURCE_CLOCK_PERF] = "perf's own clock",
		[SOURCE_CLOCK_MONOTONIC] = "CLOCK_MONOTONIC",
		[SOURCE_CLOCK_MONOTONIC_RAW] = "CLOCK_MONOTONIC_RAW",
		[SOURCE_CLOCK_BOOTTIME] = "CLOCK_BOOTTIME",
		[SOURCE_CLOCK_REALTIME] = "wall time",
		[SOURCE_CLOCK_TAI] = "CLOCK_TAI",
		[SOURCE_CLOCK_LOCAL] = "local time of a zone that it does not name",
		[SOURCE_CLOCK_START] = "time since it began",
		[SOURCE_CLOCK_NONE] = "no times",
	};

	return texts[clock];
}
