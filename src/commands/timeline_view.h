/* timeline_view.h - what tephra timeline shows: chosen quantities, phases and onsets */
#pragma once

#include <stdio.h>

#include "analysis/ordering.h"
#include "commands/timeline_panels.h"
#include "importers/phases.h"
#include "renderers/flame.h"

struct gathered;
struct naming;
struct timeline_cells;

/* All borrowed. */
struct timeline_view {
	struct gathered *gathered;
	const struct naming *naming; /* of the samples; NULL without */
	const struct timeline_panels *panels;
	const struct ordering *order;
	const struct phases *phases;
	const struct timeline_cells *cells; /* of a heat map, which has no panels; or NULL */
	uint64_t from_ns, to_ns;	    /* what is shown, on the clock of the counters */
	const char *title, *subtitle;
	double width_px;
	size_t size_max; /* of a picture that is walked in, about */
	enum flame_theme theme;
	enum draw_format format;
};

/* A row for each step: what was used, and the last of what was read. format: enum rows_format. */
void timeline_rows_write(const struct timeline_view *view, uint64_t step_ns, int format, FILE *out);

/* False with errno when it cannot be written. */
bool timeline_picture_write(const struct timeline_view *view, FILE *out);
