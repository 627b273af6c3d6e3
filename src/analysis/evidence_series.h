/* evidence_series.h - which series of counters says what, by its role */
#pragma once

#include "analysis/evidence_set.h"

struct series_tracks;

/*
 * Moves the tracks of series that are evidence into the set; of several of one role the first with
 * a value, of latencies the highest percentile. The others stay. The queue's capacity is the median
 * of its series. queue is the label of the queue whose series are taken, before those without such
 * a label and of no queue's role; NULL: all are. *ret_ignored (may be NULL) counts series of a role
 * that another one had already.
 */
void evidence_take_series(struct evidence_set *set, struct series_tracks *tracks, const char *queue,
			  size_t *ret_ignored);
