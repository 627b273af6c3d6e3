/* evidence_set.c - tracks gathered from counters and samples, and the evidence that they are */
#include "analysis/evidence_set.h"

#include <math.h>

#include "analysis/order_limits.h"

void evidence_set_init(struct evidence_set *set)
{
	*set = (struct evidence_set){.evidence = {.capacity = NAN, .workers = NAN}};
}

void evidence_set_release(struct evidence_set *set)
{
	for (int kind = 0; kind < EVIDENCE_NR; kind++)
		track_release(&set->tracks[kind]);
}

bool evidence_set_add(struct evidence_set *set, enum evidence_kind kind, struct track *track)
{
	bool is_first = set->tracks[kind].nr == 0;

	if (is_first) {
		track_release(&set->tracks[kind]);
		set->tracks[kind] = *track;
		*track = (struct track){0};
	} else {
		track_release(track);
	}
	return is_first;
}

/* Of rows without a completion it is not known. */
static void service_derive(struct evidence_set *set)
{
	const struct track *busy = &set->tracks[EVIDENCE_BUSY];
	const struct track *completed = &set->tracks[EVIDENCE_COMPLETED];
	struct track service;

	if (set->tracks[EVIDENCE_SERVICE].nr || !busy->nr || busy->nr != completed->nr)
		return;
	track_init(&service, evidence_word(EVIDENCE_SERVICE), TRACK_RATE);
	service.clock = busy->clock;
	service.error_ns = busy->error_ns;
	service.has_unknown_clock = busy->has_unknown_clock;
	for (size_t i = 0; i < busy->nr; i++) {
		bool is_one_row = busy->end_ns[i] == completed->end_ns[i];

		track_add(&service, busy->begin_ns[i], busy->end_ns[i],
			  is_one_row && completed->values[i] > 0
				  ? busy->values[i] / completed->values[i]
				  : (double)NAN);
	}
	evidence_set_add(set, EVIDENCE_SERVICE, &service);
}

static double floor_of(enum evidence_kind kind)
{
	switch (kind) {
	case EVIDENCE_DEPTH:
		return FLOOR_DEPTH;
	case EVIDENCE_AGE:
		return FLOOR_AGE_NS;
	case EVIDENCE_CPU:
	case EVIDENCE_STAGE:
		return FLOOR_CPU;
	case EVIDENCE_LOCK_WAIT:
	case EVIDENCE_RUN_DELAY:
	case EVIDENCE_THROTTLED:
		return FLOOR_WAIT_NS;
	default:
		return 0;
	}
}

void evidence_set_finish(struct evidence_set *set)
{
	service_derive(set);
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		struct track *track = &set->tracks[kind];

		if (!track->nr)
			continue;
		track->floor = floor_of(kind);
		track->floor_share = kind == EVIDENCE_SERVICE || kind == EVIDENCE_LATENCY
					     ? FLOOR_SHARE_ITEM
					     : FLOOR_SHARE;
		set->evidence.tracks[kind] = track;
	}
}
