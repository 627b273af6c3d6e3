/* change.h - is there a change in a series at all? Two tests that must agree */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct change {
	bool is_changed;	      /* both tests say so */
	bool by_permutation, by_cost; /* what each of them says */
	double p;		      /* of the permutation test; 1 where it was not made */
	size_t begin, end; /* values [begin, end) are the odd ones; end is nr where it stays so */
};

/*
 * Is a stretch of values, up to the end or not, at another level than what precedes it? NANs are
 * left out. First test: the range of the cumulative sum of deviations against that of permuted
 * blocks (Künsch 1989), so long that what is left of autocorrelation between them does not matter,
 * and so high a share of permutations as CHANGE_LEVEL says. Second test: the fall of the squared
 * error against a penalty that grows with the autocorrelation (BIC). The same seed gives the
 * same answer. Fewer than CHANGE_POINTS_MIN values are never a change; more than
 * CHANGE_POINTS_MAX are tested as means of so many groups.
 */
void change_test(const double *values, size_t nr, uint64_t seed, struct change *ret);
