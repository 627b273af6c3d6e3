/* pace.h - how far apart the samples of one CPU are */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sample;

/* Lengths are kept to an eighth of their octave: to within 6 %. */
#define PACE_BINS (64 * 8)

/* CPUs and events beyond these are not looked at. */
#define PACE_CPUS_MAX	1024
#define PACE_EVENTS_MAX 64

struct pace_event {
	uint64_t *last_ns; /* owned: per CPU its last sample, 0: none */
	uint64_t bins[PACE_BINS];
	uint64_t nr;
};

struct pace {
	struct pace_event *events[PACE_EVENTS_MAX]; /* owned; NULL where there was no sample */
};

/* Zeroed memory is empty. Samples without a time or a CPU are passed over. */
void pace_add(struct pace *pace, const struct sample *sample);
void pace_release(struct pace *pace);

/* The median distance of two samples of this event on a CPU in ns; 0 where there are none. */
uint64_t pace_median_ns(const struct pace *pace, uint32_t event);

/* So many distances it is of. */
uint64_t pace_nr(const struct pace *pace, uint32_t event);
