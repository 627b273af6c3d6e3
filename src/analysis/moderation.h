/* moderation.h - variances between few captures, moderated by those within them */
#pragma once

#include <stddef.h>

/*
 * From five captures a variance is known with four degrees of freedom, and a test must allow for it
 * being far too small. But each capture also says, by its blocks, how much its ratio varies: what
 * runs vary beyond it is much the same for all functions. So the variances between runs are
 * taken as multiples of those within, and each function's multiple is drawn towards that of all,
 * the more the less they differ from each other (empirical Bayes: Smyth, "Linear models and
 * empirical Bayes methods for assessing differential expression", 2004).
 */
struct moderation_row {
	double between, between_df; /* variance of a difference, from its runs */
	double within, within_df;   /* the same from the blocks of each run */
};

struct moderation {
	double common;	 /* what the variances between are of those within */
	double prior_df; /* how much that is worth; 0: each variance stands for itself */
};

/*
 * independent: so many of the rows vary by themselves, see moderation_independent(): rows that go
 * up and down together say no more of what runs vary than one of them. Rows without a variance are
 * passed over; with less than three others prior_df is 0.
 */
struct moderation moderation_estimate(const struct moderation_row *rows, size_t nr,
				      double independent);

/* The multiple of row->within that is its variance, and the degrees of freedom of it. */
double moderation_of(const struct moderation *moderation, const struct moderation_row *row,
		     double *ret_df);

/*
 * How many of nr rows are independent of each other: nr where they are not correlated, 1 where all
 * rise and fall as one. rests has a line of nr for each of runs_nr runs, each column with a mean
 * of 0; df are the degrees of freedom of a column. Squares of correlations are taken less what
 * chance makes them.
 */
double moderation_independent(const double *rests, size_t runs_nr, size_t nr, double df);
