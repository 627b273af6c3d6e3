/* counter_names.h - what the name of a counter says: role, unit, kind, or the clock of a time */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/series.h"
#include "model/source_clock.h"

/* A guess; texts are constants. */
struct counter_guess {
	enum series_role role;
	enum series_kind kind;
	const char *unit;    /* NULL: not known */
	size_t words_unused; /* words of the name that nothing was made of */
	/* the part of the name before or behind all that was, without "_": "ingest" of
	   "ingest_queue_depth"; borrowed from the name; size 0: none */
	const char *owner;
	size_t owner_size;
};

/* What the name of a series says. A name that says nothing is a gauge without role and unit. */
struct counter_guess counter_names_guess(const char *at, size_t size);

/* A column of times. */
struct counter_time {
	enum source_clock clock;
	int exponent; /* its unit is 10^exponent seconds; 1: to be seen from its values */
};

/* Is the name that of a time: "mono_ns", "epoch_s", "timestamp"? */
bool counter_names_time(const char *at, size_t size, struct counter_time *ret);

/* Is it one that says whose numbers follow, even in digits: "queue_id", "shard"? */
bool counter_names_label(const char *at, size_t size);

/* The exponent of a unit of time in seconds: "ns" -9, "s" 0. False for other units. */
bool counter_names_time_unit(const char *unit, size_t size, int *ret);
