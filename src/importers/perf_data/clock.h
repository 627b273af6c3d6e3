/* clock.h - which clock a file's times are of, and the moment at which its wall time was read */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/source_clock.h"

struct capture;
struct perf_data;

/*
 * From reading wall time to reading the clock: two system calls in a row of perf
 * (record__init_clock, tools/perf/builtin-record.c), some microseconds, more where an interrupt
 * comes between them.
 */
#define PERF_CLOCK_DELAY_NS 50000

/* CLOCK_DATA: when the clock showed clock_ns, wall time was wall_ns or up to the delay later. */
struct perf_clock_data {
	uint32_t clockid;
	uint64_t wall_ns, clock_ns; /* clock_ns 0: it was not read */
};

/* Feature CLOCK_DATA: u32 version, u32 clockid, u64 wall ns, u64 clock ns. False: damaged. */
bool perf_clock_data_read(struct bytes bytes, struct perf_clock_data *ret);

/* The clock of that number (linux/time.h). */
enum source_clock perf_clock_of(uint32_t clockid);

/* Ties the capture's clock, which it must be of, to wall time. Wall time itself needs no tie. */
void perf_clock_tie(struct capture *capture, const struct perf_clock_data *data);

/*
 * Once all attrs and features are known: sets the capture's clock, and its tie to wall time where
 * the file has one of that clock.
 */
void perf_clock_tell(struct perf_data *data);
