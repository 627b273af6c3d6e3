/* paths.h - weights per path of functions: what every picture and table is made of */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/units.h"
#include "model/stacks.h"

struct naming;
struct tally;

/* Which frames and samples, by name, in pprof's words. Each list holds alternatives. */
struct path_filter {
	regex_t *focus, *ignore, *hide, *show;
	size_t focus_nr, ignore_nr, hide_nr, show_nr;
	bool no_idle;
};

/* Why a sample was left out by its names. */
enum path_reason {
	PATH_IDLE,
	PATH_FOCUS,
	PATH_IGNORE,
	PATH_REASON_NR
};

struct path_value {
	weight count, period;
};

struct paths {
	struct naming *naming;	   /* borrowed */
	struct stacks stacks;	   /* of function ids, outermost first, the root too */
	struct path_value *values; /* per stack */
	size_t values_alloc;
	struct path_value total;
	weight without_chain; /* count of samples that had no call chain */
	weight left_out[PATH_REASON_NR];
};

/*
 * Names the tally's entries of one event and adds up what has the same path. Deterministic:
 * the order of paths is that of the tally.
 */
void paths_build(struct paths *paths, const struct tally *tally, struct naming *naming,
		 uint32_t event, const struct path_filter *filter);
void paths_release(struct paths *paths);

/* The option that left samples out: "--no-idle". */
const char *paths_reason_word(enum path_reason reason);

/*
 * The paths in the order of their names from the outermost frame on, by bytes. An array of
 * paths->stacks.nr; the caller frees it.
 */
uint32_t *paths_sorted(const struct paths *paths);
