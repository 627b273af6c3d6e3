/* track.h - one quantity over time, in memory: what onsets and readings are asked of */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum track_kind {
	TRACK_GAUGE, /* a value is what was read at the point's end */
	TRACK_RATE,  /* a value is the mean over the point's time (begin, end] */
};

/* Points in time order, each ending after the one before. Zeroed memory is an empty gauge. */
struct track {
	char *name; /* owned: a role ("queue.depth") or what it is made of ("cpu.util") */
	enum track_kind kind;
	uint64_t *begin_ns, *end_ns; /* owned; of a gauge equal */
	double *values;		     /* owned; NAN: not known, which is not zero */
	size_t nr, alloc;
	uint32_t clock;		/* tracks of one number share a clock, and its error */
	uint64_t error_ns;	/* how far its clock may be from the clock of the other tracks */
	bool has_unknown_clock; /* nothing ties its clock to theirs: it is ordered with none */
	double floor;		/* the smallest departure that matters, in the track's unit */
	double floor_share;	/* the same as a share of the baseline */
};

void track_init(struct track *track, const char *name, enum track_kind kind);
void track_release(struct track *track);
void track_add(struct track *track, uint64_t begin_ns, uint64_t end_ns, double value);

/* Is any value known? */
bool track_has_value(const struct track *track);

/* The median distance of the points' ends; 0 below two points. */
uint64_t track_tick_ns(const struct track *track);

/* The first point that ends after the time; track->nr for none. */
size_t track_first_after(const struct track *track, uint64_t time_ns);

/* Mean of the known values of points that end in (from_ns, to_ns]; NAN where there is none. */
double track_mean(const struct track *track, uint64_t from_ns, uint64_t to_ns);

/* Their median. */
double track_median(const struct track *track, uint64_t from_ns, uint64_t to_ns);

/*
 * The rates of a counter that only rises: from values at times. Where it falls (a restart) or a
 * value is NAN the rate is not known. @ret must be a TRACK_RATE; values are per second times
 * @scale.
 */
void track_add_rates(struct track *ret, const uint64_t *times_ns, const double *values, size_t nr,
		     double scale);
