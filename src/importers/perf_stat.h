/* perf_stat.h - what perf stat counted: its text, -x and -j, with and without -I */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "importers/counters.h"
#include "importers/csv_fields.h"

extern const struct importer importer_perf_stat;

/* A row of any of its forms. Texts are borrowed from the line; size 0: not there. */
struct perf_stat_row {
	bool has_time;	 /* with -I: the end of an interval, since perf stat began */
	bool is_summary; /* with -I --summary: of all intervals */
	uint64_t time_ns;
	struct csv_field event, unit, cgroup;
	const char *aggregate_key; /* "cpu", "thread"; NULL: it is of all */
	struct csv_field aggregate;
	struct point value; /* value and state; scaled for the time that it did not run */
	bool has_variance;
	struct decimal variance; /* of several runs (-r), in percent */
	uint64_t running_ns;
	double percent_running; /* of the time that it was enabled; 0: not known */
};

/* While a file is read. */
struct perf_stat {
	struct counters counters;
	char separator; /* of -x */
	bool has_begun;
	uint64_t begin_ns, end_ns; /* the interval of the last row */
};

/* Says what is in the row; also where it is not known whether that is all. */
ERROR_RESULT struct error *perf_stat_say(struct perf_stat *stat, const struct perf_stat_row *row);

/*
 * Each takes one line and says its row. What is no row is refused, or noted. The bytes of the line
 * may be changed.
 */
ERROR_RESULT struct error *perf_stat_csv(struct perf_stat *stat, char *at, size_t size);
ERROR_RESULT struct error *perf_stat_json(struct perf_stat *stat, char *at, size_t size);
ERROR_RESULT struct error *perf_stat_text(struct perf_stat *stat, char *at, size_t size);

/* Does the line look like a row with that separator? */
bool perf_stat_csv_sniff(const char *at, size_t size, char separator);
bool perf_stat_text_sniff(const char *at, size_t size);

/* "0.500568586": seconds with nine digits, which only times have. */
bool perf_stat_time(const struct csv_field *field, uint64_t *ret_ns);

/*
 * Whose a row is: "CPU0", "S0-D0-C1", "N1", "worker-4711". False where it is none of these. The
 * field loses what the key says already ("CPU").
 */
bool perf_stat_aggregate(struct csv_field *field, const char **ret_key);
