/* counter_time.h - dates and times of day as counter files write them */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Days from 1970-01-01 to a day of the Gregorian calendar; months and days count from 1. */
int64_t counter_time_days(int64_t year, unsigned month, unsigned day);

/*
 * Reads all of "2026-11-30T02:57:07.25Z", "... +01:00", "2026-11-30 02:57:07 UTC" and the like:
 * nanoseconds since 1970 in UTC. Without a zone it is read as if it were UTC, and *ret_has_zone
 * is false. False where it is no such time, or one before 1970 or behind 2262.
 */
bool counter_time_parse(const char *at, size_t size, uint64_t *ret_ns, bool *ret_has_zone);
