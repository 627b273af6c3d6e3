/* mappings.h - MMAP records: what a mapping is called, and what addresses in it mean */
#pragma once

#include "base/bytes.h"

struct perf_data;
struct perf_record;

/* Takes an MMAP or MMAP2 record; body is what is between its header and its trailer. */
void perf_mapping_take(struct perf_data *data, const struct perf_record *record, struct bytes body);
