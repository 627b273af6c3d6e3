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
	char *stage; /* owned */
	/* tracks that are no evidence: series without a role, and what frames cost */
	struct track **frames; /* owned */
	size_t frames_nr, frames_alloc;
	const struct track *
		*more; /* owned array; the tracks are the gathered counters' or frames */
	size_t more_nr, more_alloc;
	size_t ignored; /* series of a role that another one had already */
};

/*
 * stage NULL: the threads that used most CPU. workers 0: as many as the stage has. frames are
 * regular expressions of functions whose cost over time is a track. The tracks of the gathered
 * counters move.
 */
ERROR_RESULT struct error *order_evidence_make(struct gathered *gathered, const char *stage,
					       int64_t workers, const struct option_texts *frames,
					       struct order_evidence *ret);
/* Says which function grew to the reading that is for working, where it is supported. */
void order_evidence_name_function(const struct gathered *gathered, struct ordering *ordering);

void order_evidence_release(struct order_evidence *evidence);
