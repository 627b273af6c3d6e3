/* event_names.h - what events are called: by the file, or after what they count */
#pragma once

#include "base/bytes.h"

struct perf_attr;
struct perf_data;

/*
 * Makes the attr an event of the capture. In a pipe its name may come behind it, so this waits
 * for the first sample, or the end.
 */
void perf_event_names_add(struct perf_data *data, struct perf_attr *attr);
void perf_event_names_all(struct perf_data *data);

/* Version 1 and old pipes have the names of events in records {u64 id, char name[64]}. */
void perf_event_names_by_config(struct perf_data *data, struct bytes bytes);

/* simpleperf's META_INFO has them in lines "name,type,config". */
void perf_event_names_by_meta_info(struct perf_data *data, struct bytes bytes);
