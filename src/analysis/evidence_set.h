/* evidence_set.h - tracks gathered from counters and samples, and the evidence that they are */
#pragma once

#include "analysis/evidence.h"
#include "analysis/track.h"

/* Zeroed memory is an empty one. */
struct evidence_set {
	struct track tracks[EVIDENCE_NR]; /* owned; without points: not there */
	struct evidence evidence;	  /* borrows them, after evidence_set_finish() */
};

void evidence_set_init(struct evidence_set *set);
void evidence_set_release(struct evidence_set *set);

/* Takes the track, which is empty afterwards. The first of a kind stays: false for another. */
bool evidence_set_add(struct evidence_set *set, enum evidence_kind kind, struct track *track);

/*
 * Derives what follows from what is there (service per item from busy time and completions of the
 * same rows), and sets which departures matter. Capacity, workers and stage are set before.
 */
void evidence_set_finish(struct evidence_set *set);
