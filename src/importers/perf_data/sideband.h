/* sideband.h - records beside the samples: who runs, what is mapped, what was lost */
#pragma once

#include "base/bytes.h"

struct perf_data;
struct perf_record;

/*
 * Takes a kernel record that is no sample, in the order of time; body is what is between its
 * header and its trailer. Types that say nothing of this kind are passed over.
 */
void perf_sideband_take(struct perf_data *data, const struct perf_record *record,
			struct bytes body);
