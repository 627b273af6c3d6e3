/* csv_maps.h - columns that somebody says the meaning of */
#pragma once

#include "base/error.h"

struct counters;
struct csv_columns;
struct csv_fields;

/*
 * Applies capture->counter_options: "COLUMN=ROLE,unit,kind", where parts may be empty; the role
 * may be "time" (then unit and clock follow), "label", "ignore" or "none". Fails for what is none
 * of these, and for a column that is not there.
 */
ERROR_RESULT struct error *csv_maps_apply(struct counters *counters,
					  const struct csv_fields *header,
					  struct csv_columns *columns);
