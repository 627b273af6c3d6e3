/* evidence.h - the tracks that readings are made of, by what they say */
#pragma once

#include <stdbool.h>

#include "analysis/onset.h"

struct track;

/* What a track says. Units: times in ns, rates per second, CPU in CPUs (1 is all of one). */
enum evidence_kind {
	EVIDENCE_DEPTH,
	EVIDENCE_AGE,	    /* ns, of the oldest in the queue */
	EVIDENCE_OFFERED,   /* what wanted in */
	EVIDENCE_ADMITTED,  /* what came in */
	EVIDENCE_COMPLETED, /* what was done */
	EVIDENCE_REJECTED,  /* what was turned away */
	EVIDENCE_SERVICE,   /* ns of service per item: working and waiting */
	EVIDENCE_BUSY,	    /* the same of all workers per second: ns of service per second */
	EVIDENCE_LATENCY,   /* ns, of whatever percentile */
	EVIDENCE_CPU,	    /* of the process */
	EVIDENCE_STAGE,	    /* of the worker threads, by samples */
	EVIDENCE_RUN_ON,    /* of the stage's samples, the share that the next follows at once */
	EVIDENCE_LOCK_WAIT, /* ns per second that workers waited for a lock */
	EVIDENCE_RUN_DELAY, /* ns per second that workers could have run and did not */
	EVIDENCE_THROTTLED, /* ns per second that the group was held back */
	EVIDENCE_PENDING,   /* tasks or requests that were begun and are not done */
	EVIDENCE_RSS,	    /* bytes */
	EVIDENCE_HEAP,	    /* bytes that are live */
	EVIDENCE_NR,
};

struct evidence {
	const struct track *tracks[EVIDENCE_NR]; /* borrowed; NULL: nothing says it */
	double capacity;			 /* of the queue; NAN: not known */
	double workers;	   /* threads of the stage; NAN: not known, 1 is assumed */
	const char *stage; /* borrowed: what those threads are called; NULL: not known */
};

/* From when to when, on the clock of the tracks. */
struct span {
	uint64_t from_ns, to_ns;
};

/* What was found in each track, and the stretch of time that is to be explained. */
struct incident {
	struct onset onsets[EVIDENCE_NR]; /* of tracks that are there */
	bool is_found;			  /* some symptom */
	bool is_judged; /* there were tracks of a symptom, long enough to be tested */
	enum evidence_kind
		symptom; /* the surest: depth, age, latency, rejections, completions or service */
	/* while the symptom grew or stayed: not while a queue empties, when all is well again */
	struct span before, during;
};

/*
 * Tests each track with the same seed. The incident begins with the onset of the symptom and lasts
 * until it begins to pass. Completions that fall are a symptom only where admissions do not fall,
 * too.
 */
void incident_find(const struct evidence *evidence, uint64_t seed, struct incident *ret);

/* The mean of a track over a span, each point with its length; NAN where nothing is known. */
double evidence_mean(const struct evidence *evidence, enum evidence_kind kind, struct span span);

/* "queue.depth" and so on: what the track is called where it has the usual name. */
const char *evidence_word(enum evidence_kind kind);
