/* bins.h - a stage before a tally that also keeps when its weights came, in bins of time */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/select.h"
#include "model/sink.h"

struct tally;

/* The bins begin at this length; where a capture is long, they are doubled until it is few rows. */
#define BINS_LENGTH_NS UINT64_C(20000000)
#define BINS_ROWS_MAX  ((size_t)1 << 22)

/* Weights of one entry of the tally in one bin. For statistics: sums are rounded. */
struct bins_row {
	uint32_t entry, bin;
	double count, period;
};

struct bins {
	struct sink sink; /* say samples to this */
	struct tally *tally;
	struct moment from; /* where bin 0 begins; not set: at the first sample */
	uint64_t begin_ns;  /* of bin 0, valid with has_times */
	uint64_t length_ns; /* of a bin */
	bool has_times;
	struct bins_row *rows; /* in the order of their samples */
	size_t nr, alloc, rows_max;
	double without_time; /* samples that have none and are in no row */
	uint64_t cpus[4];    /* a bit for each CPU number below 256 that samples came from */
};

/* The tally is borrowed until bins_release(). */
void bins_init(struct bins *bins, struct tally *tally, const struct moment *from);
void bins_release(struct bins *bins);

/* So many CPUs were seen; 1 where samples do not say. */
unsigned bins_cpus(const struct bins *bins);
