/* judge.h - how sure each change between two sides is, and what they could not have shown */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/blocks.h"
#include "analysis/diff.h"
#include "analysis/moderation.h"
#include "analysis/ratio.h"

/* What a verdict rests on. */
enum judge_basis {
	JUDGE_NO_TIMES,	  /* samples without times: nothing is judged */
	JUDGE_TOO_SHORT,  /* what happens depends on what was before it for too long */
	JUDGE_SCREEN,	  /* one capture a side, of different runs: a hint, stricter limits */
	JUDGE_ONE_RUN,	  /* two parts of one capture: of these parts alone */
	JUDGE_REPLICATES, /* at least three captures on each side, each of them one block */
};

/* "no times", "too short", "screen", "one run", "replicates" */
const char *judge_basis_word(enum judge_basis basis);

enum judge_verdict {
	JUDGE_UNJUDGED,
	JUDGE_BELOW,   /* less than what could have been seen */
	JUDGE_OPEN,    /* as much as could have been seen, and not established */
	JUDGE_CHANGED, /* on the basis that there is */
};

/* "unjudged", "below", "open", and for a change "established" or, of a screen, "screen" */
const char *judge_verdict_word(enum judge_basis basis, enum judge_verdict verdict);

/* Limits, and the measurements that they come from, are in judge.c and judge_builder.h. */
struct judge_row {
	bool is_tested; /* all below is valid, for the readings that there are */
	struct ratio before[DIFF_READING_NR], after[DIFF_READING_NR];
	struct ratio_test test[DIFF_READING_NR];
	double test_weight; /* of all tests it is 1 in the mean, see judge_rates.c */
	double q[DIFF_READING_NR], q_strict[DIFF_READING_NR];
	enum judge_verdict verdict; /* in the leading reading */
	double p_independent;	    /* see ratio_binomial(): of unjudged rows */
};

/* Odd blocks of the before side against its even ones: there is nothing to be found. */
struct judge_check {
	size_t tested, findings;
	double inflation; /* the median variance over that of independent samples; 0: unknown */
};

struct judge {
	enum judge_basis basis;
	double alpha;	/* the false discovery rate of findings, and that of a single test */
	double factor;	/* of variances, for what differs between runs */
	double block_s; /* where a capture is a block: of those within it */
	double memory_s, needed_s; /* needed_s: how long captures that are too short should be */
	size_t before_blocks, after_blocks, tested;
	struct moderation moderation; /* of replicates, in the leading reading */
	struct judge_row *rows;	      /* owned, per diff->functions */
	struct ratio_test total; /* of all samples, in the leading reading, a test of its own */
	enum judge_verdict total_verdict;
	struct judge_check check;
};

/*
 * Sources of the before side stand first. is_one_run: both sides are parts of one capture. Without
 * times (sources_nr 0) all is unjudged.
 */
void judge_build(struct judge *judge, const struct diff *diff, const struct naming *naming,
		 const struct blocks_source *sources, size_t sources_nr, bool is_one_run);
void judge_release(struct judge *judge);

/* How to find a change of this part (0.1: 10 %) of a row's weight next time. */
struct judge_plan {
	size_t captures; /* on each side; 0: there is no telling */
	double seconds;	 /* each */
};

struct judge_plan judge_plan(const struct judge *judge, const struct diff *diff, size_t row,
			     double part, double capture_s);
