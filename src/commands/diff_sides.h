/* diff_sides.h - the captures of both sides of a comparison, read, named and joined */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/blocks.h"
#include "analysis/calltree.h"
#include "base/options.h"
#include "commands/profile.h"

/* How names are made equal: a member of a command's options; 0 is tidy. */
enum diff_match {
	DIFF_MATCH_TIDY,
	DIFF_MATCH_EXACT,
	DIFF_MATCH_MASKED
};

extern const char *const diff_match_words[];

struct diff_run {
	struct profile profile;
	uint32_t *of_function; /* owned; NULL: those of the joint naming */
	uint64_t begin_ns, end_ns;
	struct blocks_work *work; /* owned: see diff_work_read() */
	size_t work_nr;
	bool is_after, has_time; /* has_time: begin and end are known, and are not the same */
};

struct diff_sides {
	struct diff_run *runs; /* owned; those of the before side stand first */
	size_t nr, before_nr;
	struct calltree_source *sources; /* owned, per run */
	struct naming *naming;		 /* of all of them */
	const struct profile *named;	 /* the first that is not empty: event and unit are its */
	bool counts_samples;
	bool has_times;	 /* of every run */
	bool is_one_run; /* both sides are parts of the same capture */
};

/*
 * What is on the sides: two operands, or what options name, which is in *before and *after already;
 * or one operand that has the stacks of both.
 */
ERROR_RESULT struct error *diff_sides_take(const struct profile_options *options, int argc,
					   char **argv, struct option_texts *before,
					   struct option_texts *after);

/*
 * Reads all of them. One side may be without samples, but not both; there must be an event that
 * all have. Released by the caller also after an error.
 */
ERROR_RESULT struct error *diff_sides_load(const struct profile_options *options,
					   enum diff_match match, const struct option_texts *before,
					   const struct option_texts *after,
					   struct diff_sides *ret);

/*
 * Gives all functions one naming, that of the first run: its capture takes in the names and modules
 * of the others. What is asked of single captures is asked before.
 */
void diff_sides_join(struct diff_sides *sides);
void diff_sides_release(struct diff_sides *sides);

/* Wall seconds of a side's captures together; 0 where not all are known. */
double diff_sides_seconds(const struct diff_sides *sides, bool is_after);
