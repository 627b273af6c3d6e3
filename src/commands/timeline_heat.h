/* timeline_heat.h - samples counted in cells of time: columns of a second, and parts of it */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "renderers/timeline.h"

struct gathered_capture;
struct timeline_view;

struct timeline_cells {
	struct timeline_heat heat; /* borrows from below */
	uint32_t *samples;	   /* owned */
	char *words[3];		   /* owned */
	uint64_t column_ns, row_ns;
	uint64_t from_ns; /* where the first cell begins, on the axis */
};

/* What the samples' cells cover, on the axis. */
void timeline_heat_range(const struct gathered_capture *capture, uint64_t *ret_from_ns,
			 uint64_t *ret_to_ns);

/*
 * Cells from from_ns to to_ns on the axis. A column is a second, or so many that there is room for
 * all; a row is a 50th of it, or more where samples are rarer. Where samples were lost or
 * throttled a cell is unknown, whatever was counted.
 */
void timeline_cells_make(struct timeline_cells *cells, const struct gathered_capture *capture,
			 uint64_t from_ns, uint64_t to_ns);
void timeline_cells_release(struct timeline_cells *cells);

/* A row for each cell. format: enum rows_format. */
void timeline_cells_write(const struct timeline_cells *cells, int format, FILE *out);
