/* state.h - what is known while a perf.data file is read, shared by this folder's files */
#pragma once

#include "base/text.h"
#include "importers/perf_data/cgroups.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/clock.h"
#include "importers/perf_data/deferred.h"
#include "importers/perf_data/directory.h"
#include "importers/perf_data/dumps.h"
#include "importers/perf_data/events.h"
#include "importers/perf_data/file.h"
#include "importers/perf_data/losses.h"
#include "importers/perf_data/order.h"
#include "importers/perf_data/plain.h"
#include "importers/perf_data/processes.h"
#include "importers/perf_data/record_types.h"
#include "importers/perf_data/sampling.h"
#include "importers/perf_data/stats.h"
#include "importers/perf_data/threads.h"
#include "importers/perf_data/values.h"
#include "model/capture.h"
#include "model/fields.h"
#include "model/sink.h"

struct perf_tracing;
struct reader;

struct perf_data {
	struct reader *reader;
	struct capture *capture;
	struct sink *sink;
	struct perf_file file;
	struct perf_directory directory; /* beside the file, empty where it stands alone */
	struct perf_events events;
	struct perf_threads threads;
	struct perf_processes processes;
	struct perf_chains chains;
	struct perf_dumps dumps;
	struct perf_values values;
	struct perf_losses losses;
	struct perf_stats stats;
	struct perf_deferred deferred;
	struct perf_cgroups cgroups;
	struct order order;
	uint64_t type_counts[PERF_RECORD_USER_TYPE * 2]; /* of types below it */
	struct perf_tracing *tracing; /* owned, NULL where the file has no formats */
	struct fields fields;
	struct perf_sampling sampling;
	struct perf_plain plain;
	struct perf_clock_data clock_data;
	struct text split; /* pieces of a large record of simpleperf, as far as they came */
	bool has_gaps;	   /* records are missing: who lives is not known any more */
	bool is_named;	   /* by simpleperf's META_INFO */
};

static inline void perf_note(struct perf_data *data, enum note_code code, uint64_t count,
			     uint64_t offset)
{
	if (count)
		notes_add(&data->capture->notes, code, count, 0, offset);
}
