/* amounts.h - a series of counters as amounts: how much there was in which time */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal.h"
#include "model/series.h"
#include "model/sink.h"

/* In the series' unit; of a gauge its value times seconds, so that it is divided by them again. */
struct amount {
	uint64_t begin_ns, end_ns;
	double value;
	uint64_t enabled_ns, running_ns; /* of a multiplexed counter; 0 and 0: all the time */
};

/*
 * A sink of the points of one series. Cumulative values become their differences: none is taken
 * over a reset. A rate is multiplied by the time that it covers. A gauge holds its value until its
 * next point; before a gap nothing is known of it.
 */
struct amounts {
	struct sink sink; /* say points to this; samples are ignored */
	enum series_kind kind;
	struct amount *list; /* owned, in time order, not overlapping */
	size_t nr, alloc;
	struct decimal last; /* the point before, with has_last */
	uint64_t last_ns;
	bool has_last;
	/* of the values themselves, valid with has_values */
	double least, most;
	bool has_values;
};

void amounts_init(struct amounts *amounts, enum series_kind kind);
void amounts_release(struct amounts *amounts);

/* A copy of what was heard until now. */
void amounts_copy(const struct amounts *amounts, struct amounts *ret);

/* Adds one that comes from elsewhere, behind all that are there. */
void amounts_add(struct amounts *amounts, const struct amount *amount);

/*
 * How much there was between two times: what they cut in two is taken as even. False where some of
 * that time is not covered. *hint is where the last look-up ended, 0 at first: times that only grow
 * are found at once.
 */
bool amounts_between(const struct amounts *amounts, uint64_t begin_ns, uint64_t end_ns,
		     size_t *hint, double *ret);
