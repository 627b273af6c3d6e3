/* tracing.h - tracepoints: their formats out of the file, their fields out of a sample */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

struct fields;
struct perf_tracing;
struct text;

/* NULL where there is nothing to be read. Owned: perf_tracing_free(). */
struct perf_tracing *perf_tracing_new(struct bytes tracing_data, bool *ret_good);
void perf_tracing_free(struct perf_tracing *tracing);

/* Adds "system:name" of the tracepoint with this id; false where no format has it. */
bool perf_tracing_add_name(const struct perf_tracing *tracing, uint64_t id, struct text *text);

/* Fills the fields of a sample's raw data. False where its format is not known. */
bool perf_tracing_fields(const struct perf_tracing *tracing, struct bytes raw,
			 struct fields *fields);
