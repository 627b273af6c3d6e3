/* counters.h - what all readers of counters do: points in time order, what is damaged refused */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "model/clock_pairs.h"
#include "model/notes.h"
#include "model/series.h"

struct capture;
struct reader;
struct sink;

/* What the last point of a series was. */
struct counters_last {
	uint64_t end_ns;
	struct decimal value; /* of the last one that has one */
	bool has_time, has_value;
};

struct counters {
	struct reader *reader; /* borrowed */
	struct capture *capture;
	struct sink *sink;
	bool keeps_going;
	struct clock_pairs pairs;   /* of rows with the wall time beside their own */
	uint64_t line_nr;	    /* of the line that is read, from 1; 0 where there are none */
	struct counters_last *last; /* owned; per series */
	size_t last_nr, last_alloc;
	struct map map; /* from name and labels to a series, see counters_find() */
};

void counters_init(struct counters *counters, struct reader *reader, struct capture *capture,
		   struct sink *sink);
void counters_release(struct counters *counters);

/*
 * What stands at the line that is read is damaged: an error with its place and these words, or,
 * where it is to be left out, NULL and a note.
 */
ERROR_RESULT struct error *counters_refuse(struct counters *counters, enum note_code code,
					   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a series; its labels are copied. Fails beyond SERIES_MAX. */
ERROR_RESULT struct error *counters_add(struct counters *counters, const struct series *series,
					uint32_t *ret);

/* The series of this name and these labels, added if there is none. Others of its members are kept.
 */
ERROR_RESULT struct error *counters_find(struct counters *counters, const struct series *series,
					 uint32_t *ret);

/*
 * May a point of this series end then? *ret is false where its time is not after the one before,
 * and then either the error says so, or it is noted.
 */
ERROR_RESULT struct error *counters_check_time(struct counters *counters, uint32_t series,
					       uint64_t end_ns, bool *ret);

/*
 * Says a point whose time was found good. A cumulative value that is below the last one becomes a
 * reset, and that is noted.
 */
ERROR_RESULT struct error *counters_say(struct counters *counters, uint32_t series,
					const struct point *point);

/* After the last point: what its rows say of the capture's clock becomes its ties. */
void counters_finish(struct counters *counters);

/*
 * What a cell says: a number, or a state: "" is a gap, "NaN" and "+Inf" are no number,
 * "<not counted>", "<not supported>". False where it is neither.
 */
bool counters_parse_value(const char *at, size_t size, struct point *ret);
