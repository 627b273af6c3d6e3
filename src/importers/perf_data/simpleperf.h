/* simpleperf.h - records of simpleperf's own, which have sizes of 32 bits */
#pragma once

struct perf_data;
struct perf_record;

/*
 * Takes a record of simpleperf: names of the kernel, ids of events, formats of tracepoints, or a
 * piece of one that was split (SPLIT ... SPLIT_END). Others are passed over.
 */
void perf_simpleperf_take(struct perf_data *data, const struct perf_record *record);
