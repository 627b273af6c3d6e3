/* align.h - what the parts of tephra align share: the options, and the profile that is changed */
#pragma once

#include "base/error.h"
#include "base/options.h"
#include "store/captures.h"
#include "store/clock_maps.h"

struct store;

struct align_options {
	struct option_texts captures;
	const char *to, *kmsg, *wall, *offset, *error, *series, *output;
	int clock;  /* 0, or 1 + enum source_clock */
	int forget; /* 0, or 1 + enum tie_how; TIE_HOW_NR + 1: all */
	int format; /* enum rows_format */
	int64_t drift_ppm;
	struct option_numbers pids;
	bool fit, same_clock, quiet;
};

struct align {
	const struct align_options *options;
	const char *path;
	struct store *store;
	struct store_captures captures;
	bool *is_wanted; /* owned, one each capture: what --capture says, or all that come in
			    question */
	bool is_changed;
};

/* Keeps the tie, and says so. An error where it contradicts what is known. */
ERROR_RESULT struct error *align_add(struct align *align, const struct clock_tie *tie);

/* The capture that --to names; CLOCK_WALL for "wall" and where it is not given. */
ERROR_RESULT struct error *align_target(const struct align *align, uint32_t *ret);

/* The one capture that is wanted; an error that lists them where that is not one. */
ERROR_RESULT struct error *align_one(const struct align *align, uint32_t *ret);

/* What the options ask for, each in its file. */
ERROR_RESULT struct error *align_kernel_log(struct align *align);
ERROR_RESULT struct error *align_by_hand(struct align *align);
ERROR_RESULT struct error *align_fit(struct align *align, int *ret_status);
