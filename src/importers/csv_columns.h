/* csv_columns.h - what the columns of a counter file are: times, values, labels */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "importers/counter_names.h"

struct counters;
struct csv_field;
struct csv_fields;

enum csv_use {
	CSV_VALUE,
	CSV_TIME,  /* the time of the points */
	CSV_CLOCK, /* another time of the same moment: a value, in ns */
	CSV_LABEL,
	CSV_IGNORED,
};

struct csv_column {
	enum csv_use use;
	bool is_given;	      /* somebody said what it is */
	struct series series; /* of a value; its labels are owned by the column */
	struct counter_time time;
	bool is_date;
	const char *owner; /* of a guessed name; borrowed from names */
	size_t owner_size, words_unused;
};

struct csv_columns {
	struct csv_column *list; /* owned */
	size_t nr, alloc;
	size_t time; /* index of the one of use CSV_TIME */
	bool has_labels;
};

void csv_columns_release(struct csv_columns *columns);

/*
 * Finds out from the header, the first line of values (nr 0: there is none) and what
 * capture->counter_options say. Sets the capture's clock. Fails where no column is a time, or
 * what was said does not fit.
 */
ERROR_RESULT struct error *csv_columns_read(struct counters *counters,
					    const struct csv_fields *header,
					    const struct csv_fields *first,
					    struct csv_columns *ret);

/* The time of a field in ns. False where it is none. */
bool csv_columns_time(const struct csv_column *column, const struct csv_field *field,
		      uint64_t *ret_ns);
