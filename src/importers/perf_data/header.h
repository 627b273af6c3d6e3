/* header.h - what a file says of itself: attrs, features, names, in its header or in records */
#pragma once

struct perf_data;
struct perf_record;

/* Takes the attr table and the features of a file; notes what the file lacks. */
void perf_header_read(struct perf_data *data);

/* Takes a user record (of type 64 and above): in a pipe they hold what the header does. */
void perf_header_take_record(struct perf_data *data, const struct perf_record *record);
