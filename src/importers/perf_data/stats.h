/* stats.h - what perf stat record wrote: counters read at each interval */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"
#include "importers/counters.h"

struct perf_data;
struct perf_record;

/* A counter: of an event, on a CPU or of a thread. Totals since it was opened. */
struct perf_stat_counter {
	uint64_t id;
	uint32_t cpu, thread;
	uint32_t series;
	double scale; /* from what is counted to the unit */
	uint64_t value, enabled, running;
	uint64_t last_value, last_enabled, last_running; /* when the last interval ended */
	bool is_read;					 /* in this interval */
};

/* What the counters of a series had in the interval that ends. */
struct perf_stat_sum {
	uint64_t exact;	 /* of those that ran all the time */
	double estimate; /* of the others, scaled */
	double scale;
	uint64_t enabled, running;
	bool is_read, is_counted, is_estimate;
};

/* What EVENT_UPDATE says of the unit of an attr. */
struct perf_stat_unit {
	uint32_t unit; /* name id, NAME_NONE without one */
	double scale;
};

struct perf_stats {
	struct counters counters;
	bool has_begun;
	uint64_t aggregation; /* STAT_CONFIG's aggr_mode */
	uint64_t interval_end_ns;
	struct perf_stat_counter *list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;		    /* {id, cpu, thread} -> index into list */
	struct perf_stat_sum *sums; /* owned; per series */
	size_t sums_nr, sums_alloc;
	struct perf_stat_unit *units; /* owned; per attr */
	size_t units_nr, units_alloc;
	uint32_t *threads; /* owned; name ids of "comm-tid" by THREAD_MAP's index */
	size_t threads_nr, threads_alloc;
};

/* Counters of all events, CPUs and threads; more is no recording. */
#define PERF_STAT_COUNTERS_MAX (1u << 20)

void perf_stats_release(struct perf_stats *stats);

/* THREAD_MAP, STAT_CONFIG, STAT and STAT_ROUND; other records are passed over. */
ERROR_RESULT struct error *perf_stats_take(struct perf_data *data,
					   const struct perf_record *record);

/* EVENT_UPDATE of type 0, the unit, and 1, its scale; body is what follows the id. */
void perf_stats_update(struct perf_data *data, uint32_t attr, uint64_t type, struct bytes body);

/* At the end: what was read behind the last interval belongs to none, and is noted. */
void perf_stats_finish(struct perf_data *data);
