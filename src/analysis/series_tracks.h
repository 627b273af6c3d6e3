/* series_tracks.h - a sink of points that makes a track of each series of counters */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/track.h"
#include "base/decimal.h"
#include "model/sink.h"

struct capture;
struct series;

struct series_track {
	struct track track;  /* named by the role, or as the series is shown */
	struct decimal last; /* of a cumulative series, with has_last */
	uint64_t last_ns;
	bool has_last, is_begun;
};

/*
 * Gauges stay gauges. Counters become rates per second: of cumulative values by their differences,
 * where a reset, a gap or a fall is NAN; of deltas by the time that they cover. Units become base
 * units: ns, bytes, and 1 for all (50 percent is 0.5).
 */
struct series_tracks {
	struct sink sink;	       /* say points to this; samples are ignored */
	const struct capture *capture; /* borrowed */
	struct series_track *list;     /* per series of the capture */
	uint32_t nr;
	size_t alloc;
};

void series_tracks_init(struct series_tracks *tracks, const struct capture *capture);
void series_tracks_release(struct series_tracks *tracks);

/* What one of the series' unit is in base units; 1 where the unit is not known. */
double series_tracks_scale(const struct capture *capture, const struct series *series);
