/* readings.h - what an incident can be read as, with what supports and what contradicts it */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/demand.h"

enum reading_kind {
	READING_WORKING,   /* more CPU per item: the service got slower */
	READING_OVERLOAD,  /* more items */
	READING_WAITING,   /* for a lock, I/O, somebody downstream */
	READING_RUN_QUEUE, /* for a CPU: neighbours, quota, pressure */
	READING_LOST_WAKE, /* there is work, and nobody was told */
	READING_MEMORY,	   /* memory that no live object holds */
	READING_RETAINING, /* live objects that are kept */
	READING_NONE,	   /* nothing is out of order */
	READING_NR,
};

enum reading_verdict {
	READING_SUPPORTED,
	READING_UNDECIDED,
	READING_CONTRADICTED,
};

#define READING_FACTS_MAX 8

struct reading {
	enum reading_kind kind;
	enum reading_verdict verdict;
	struct demand_share share; /* of what made the queue grow; most is NAN where it has none */
	char *for_it[READING_FACTS_MAX], *against[READING_FACTS_MAX]; /* owned */
	size_t for_nr, against_nr;
	const char *decided_by; /* the capture that would decide; NULL where it is decided */
};

/* All of them, best first: supported before undecided before contradicted, then by share. */
struct readings {
	struct reading list[READING_NR];
	struct demand demand; /* valid where an incident was found */
};

void readings_make(const struct evidence *evidence, const struct incident *incident,
		   struct readings *ret);
void readings_release(struct readings *readings);

/* "run-queue", "supported": values of JSON, never renamed. */
const char *reading_word(enum reading_kind kind);
const char *reading_verdict_word(enum reading_verdict verdict);

/* What the reading means, in a few words for people. */
const char *reading_text(enum reading_kind kind);
