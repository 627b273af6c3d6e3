/* timeline_panels.h - which quantities of an incident are drawn, and beside which */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/track.h"
#include "base/error.h"
#include "base/options.h"
#include "model/modules.h"

struct gathered;
struct naming;
struct order_evidence;
struct ordering;

#define TIMELINE_LINES_MAX 6

enum timeline_panel_unit {
	TIMELINE_PANEL_COUNT,
	TIMELINE_PANEL_NS,
	TIMELINE_PANEL_BYTES,
};

struct timeline_quantity {
	const char *name;	   /* borrowed */
	const struct track *track; /* borrowed */
	enum origin origin;	   /* of an area */
	bool is_area;
	bool is_per_s; /* how much in each second, and not how much of each item */
};

/* What functions cost is in CPUs, as areas are. */
bool timeline_is_cpus(const struct timeline_quantity *quantity);

/* Quantities of one unit. Milestones are those of its quantities. */
struct timeline_group {
	const char *key; /* what --track calls it */
	char *title;	 /* owned */
	enum timeline_panel_unit unit;
	struct timeline_quantity list[TIMELINE_LINES_MAX];
	size_t nr;
	double limit; /* NAN: none */
};

struct timeline_panels {
	struct timeline_group *groups; /* owned */
	size_t nr, alloc;
	struct track origins[ORIGIN_NR]; /* owned: CPU by kind of code, empty without samples */
	size_t left_out;		 /* series that --track could draw */
	uint64_t from_ns, to_ns;	 /* what the drawn quantities cover */
};

/*
 * CPU by kind of code first, then queue, rates, times, memory; series without such a role and
 * frames only where wanted names them. wanted: keys ("cpu", "queue.depth", a role or a series);
 * none: all that have a place. One that names nothing is an error that lists what there is. The
 * naming is NULL without samples. Everything borrowed lives as long as evidence.
 */
ERROR_RESULT struct error *timeline_panels_make(const struct gathered *gathered,
						const struct naming *naming,
						const struct order_evidence *evidence,
						const struct option_texts *wanted,
						struct timeline_panels *ret);
void timeline_panels_release(struct timeline_panels *panels);
