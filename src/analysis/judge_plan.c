/* judge_plan.c - how to find a change of some size next time */
#include <math.h>

#include "analysis/judge_builder.h"

/*
 * A plan is for more than what a table of one test says: it finds the change 9 times of 10, also
 * where the variance was estimated too small, as it often is from few captures.
 */
#define PLAN_POWER	  0.9
#define PLAN_CAPTURES_MAX 40
#define PLAN_LONGER_MAX	  1024

/* The variance of one capture: what is less in longer ones, and what runs differ by. */
struct capture_variance {
	double within, between;
};

static struct capture_variance variance_of(const struct judge *judge, const struct judge_row *row,
					   enum diff_reading reading)
{
	double variance = (row->before[reading].variance + row->after[reading].variance) / 2;
	double captures = (double)(judge->before_blocks + judge->after_blocks) / 2;
	double common = judge->moderation.common;
	bool is_resolved = judge->block_s >= JUDGE_BLOCK_OF_MEMORY * judge->memory_s;

	variance *= ratio_variance_bound(row->test[reading].df);
	if (judge->basis != JUDGE_REPLICATES)
		return (struct capture_variance){variance * FACTOR_RUNS, 0};
	variance *= captures;
	/* blocks that are too short do not hold all that varies within a capture */
	if (!is_resolved || !(common > 1))
		return (struct capture_variance){variance, 0};
	return (struct capture_variance){variance / common, variance * (1 - 1 / common)};
}

struct judge_plan judge_plan(const struct judge *judge, const struct diff *diff, size_t row,
			     double part, double capture_s)
{
	const struct judge_row *of = &judge->rows[row];
	enum diff_reading reading = diff->leading;
	double tests = judge->tested ? (double)judge->tested / of->test_weight : 1;
	struct capture_variance variance;
	double wanted;

	if (!of->is_tested || capture_s <= 0)
		return (struct judge_plan){0};
	wanted = part * of->before[reading].value;
	variance = variance_of(judge, of, reading);
	if (!(wanted > 0) || !isfinite(variance.within))
		return (struct judge_plan){0};
	for (double longer = 1; longer <= PLAN_LONGER_MAX; longer *= 2) {
		double spread = sqrt(2 * (variance.within / longer + variance.between));

		for (size_t nr = REPLICATES_LEAST; nr <= PLAN_CAPTURES_MAX; nr++) {
			double df = 2.0 * (double)nr - 2;
			double t = ratio_t_quantile(1 - ALPHA / 2 / tests, df) +
				   ratio_t_quantile(PLAN_POWER, df);

			if (t * spread / sqrt((double)nr) <= wanted)
				return (struct judge_plan){nr, longer * capture_s};
		}
	}
	return (struct judge_plan){0};
}
