/* counters_side.h - an operand of tephra counters: the series of its captures, on one clock */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/amounts.h"
#include "commands/profile.h"
#include "model/capture.h"
#include "model/select.h"
#include "store/captures.h"
#include "store/clock_maps.h"

struct store;

/* A capture of it with its series. */
struct counters_capture {
	const char *name; /* in the profile, else "" */
	struct capture model;
	bool has_samples;
	uint64_t start_ns;
	bool has_times;
	int64_t first_series;	 /* of a profile: its id in table series */
	struct amounts *amounts; /* owned; of a file: per series */
};

struct counters_side {
	char *path; /* owned: the operand without its range */
	struct moment from, to;
	struct store *store; /* of a profile */
	struct store_captures captures;
	struct store_clocks clocks;
	struct counters_capture *list; /* owned */
	size_t nr;
	size_t reference;	/* index of the capture that "+4" counts from */
	struct profile profile; /* of a file: how it was read */
	struct clock_source source;
	struct clock_map map;
};

/* A series of it. */
struct counters_at {
	size_t capture;
	uint32_t series;
};

/* Opens the operand "file@+4..+8", in the range of the options where that says another. Released by
 * the caller also after an error. */
ERROR_RESULT struct error *counters_side_open(const struct profile_options *options,
					      const char *operand, struct counters_side *ret);
void counters_side_close(struct counters_side *side);

static inline const struct series *counters_side_series(const struct counters_side *side,
							struct counters_at at)
{
	return &side->list[at.capture].model.series.list[at.series];
}

/*
 * The series that somebody calls so: as it is shown, by its name alone or by its role, where that
 * is one. The error lists what there is.
 */
ERROR_RESULT struct error *counters_side_find(const struct counters_side *side, const char *name,
					      struct counters_at *ret);

/* Its amounts, to be released by the caller. */
ERROR_RESULT struct error *counters_side_amounts(struct counters_side *side, struct counters_at at,
						 struct amounts *ret);

/* The range on the clock of a capture, 0 and UINT64_MAX without one. */
ERROR_RESULT struct error *counters_side_range(const struct counters_side *side, size_t capture,
					       uint64_t *ret_from_ns, uint64_t *ret_to_ns);

/*
 * Puts amounts of one capture onto the clock of another. *ret_error_ns is how far off they may be.
 * The error says what is missing where nothing ties the two.
 */
ERROR_RESULT struct error *counters_side_move(const struct counters_side *side,
					      struct amounts *amounts, size_t from, size_t to,
					      uint64_t *ret_error_ns);
