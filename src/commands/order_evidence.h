/* order_evidence.h - from what was gathered: the evidence, and other tracks to be dated */
#pragma once

#include <regex.h>

#include "analysis/evidence_set.h"
#include "base/error.h"
#include "base/options.h"

struct gathered;
struct ordering;

struct order_evidence {
	struct evidence_set set;
	char *stage;	    /* owned */
	char *queue;	    /* owned: of several the one whose counters are evidence; else NULL */
	char *other_queues; /* owned: "ingest, emit", whose series are dated alone; or NULL */
	/* tracks that are no evidence: series without a role, and what frames cost */
	struct track **frames; /* owned */
	size_t frames_nr, frames_alloc;
	const struct track *
		*more; /* owned array; the tracks are the gathered counters' or frames */
	size_t more_nr, more_alloc;
	size_t ignored; /* series of a role that another one had already */
};

/* What is asked for. */
struct order_wanted {
	const char *stage; /* NULL: the threads that used most CPU */
	const char *queue; /* NULL: the one whose depth rose most above its median */
	int64_t workers;   /* 0: as many as the stage has */
	const struct option_texts
		*frames; /* regular expressions: what they cost over time is a track */
};

/* The tracks of the gathered counters move. */
ERROR_RESULT struct error *order_evidence_make(struct gathered *gathered,
					       const struct order_wanted *wanted,
					       struct order_evidence *ret);
/* Says which function grew to the reading that is for working, where it is supported. */
void order_evidence_name_function(const struct gathered *gathered, struct ordering *ordering);

void order_evidence_release(struct order_evidence *evidence);
