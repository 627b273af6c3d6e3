/* test_moderation.c - variances between few captures, moderated by those within them */
#include "tests/test.h"

#include <math.h>

#include "analysis/moderation.h"
#include "tests/bench/chance.h"

#define ROWS_NR 8

static const double ratios[ROWS_NR] = {0.4, 0.8, 1.1, 1.3, 0.9, 1.7, 0.7, 1.2};

static void fill(struct moderation_row *rows, double spread)
{
	for (size_t i = 0; i < ROWS_NR; i++)
		rows[i] = (struct moderation_row){
			.between = pow(ratios[i], spread) * (double)(i + 1),
			.between_df = 8,
			.within = (double)(i + 1),
			.within_df = 200,
		};
}

static void variances_that_differ_by_chance_alone_become_one(void **state)
{
	struct moderation_row rows[ROWS_NR];
	struct moderation got;
	double df;

	(void)state;
	fill(rows, 1);
	got = moderation_estimate(rows, ROWS_NR, ROWS_NR);
	/* as much as three rows, which is the limit */
	assert_true(fabs(got.prior_df - 24) < 1e-9);
	assert_true(got.common > 0.9 && got.common < 1.2);
	assert_true(moderation_of(&got, &rows[0], &df) > 0.4);
	assert_true(fabs(df - 32) < 1e-9);
	assert_true(moderation_of(&got, &rows[5], &df) < 1.7);
}

static void variances_that_differ_more_stand_for_themselves(void **state)
{
	struct moderation_row rows[ROWS_NR];
	struct moderation got;

	(void)state;
	fill(rows, 6);
	got = moderation_estimate(rows, ROWS_NR, ROWS_NR);
	assert_true(got.prior_df < 2);
}

static void rows_that_go_together_are_worth_one(void **state)
{
	struct moderation_row rows[ROWS_NR];
	struct moderation got;

	(void)state;
	fill(rows, 1);
	got = moderation_estimate(rows, ROWS_NR, 1);
	assert_true(got.prior_df == 0);
}

static void rows_without_a_variance_are_passed_over(void **state)
{
	struct moderation_row rows[ROWS_NR];
	struct moderation all, without;

	(void)state;
	fill(rows, 1);
	all = moderation_estimate(rows, ROWS_NR - 1, ROWS_NR);
	rows[ROWS_NR - 1].between = 0;
	without = moderation_estimate(rows, ROWS_NR, ROWS_NR);
	assert_true(all.common == without.common && all.prior_df == without.prior_df);
	assert_true(moderation_estimate(rows, 2, 2).prior_df == 0);
	rows[0].within = INFINITY;
	assert_true(isfinite(moderation_estimate(rows, ROWS_NR, ROWS_NR).common));
}

#define RUNS_NR 10

static void correlated_rows_count_as_fewer(void **state)
{
	struct chance chance = {.state = 7};
	double rests[RUNS_NR * ROWS_NR], means[ROWS_NR] = {0};
	double alone, together;

	(void)state;
	for (size_t i = 0; i < RUNS_NR * ROWS_NR; i++) {
		rests[i] = (double)chance_below(&chance, 1000);
		means[i % ROWS_NR] += rests[i] / RUNS_NR;
	}
	for (size_t i = 0; i < RUNS_NR * ROWS_NR; i++)
		rests[i] -= means[i % ROWS_NR];
	alone = moderation_independent(rests, RUNS_NR, ROWS_NR, RUNS_NR - 1);
	assert_true(alone > 5 && alone <= ROWS_NR);
	for (size_t run = 0; run < RUNS_NR; run++)
		for (size_t row = 1; row < ROWS_NR; row++)
			rests[run * ROWS_NR + row] = (double)row * rests[run * ROWS_NR];
	together = moderation_independent(rests, RUNS_NR, ROWS_NR, RUNS_NR - 1);
	assert_true(fabs(together - 1) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variances_that_differ_by_chance_alone_become_one),
		cmocka_unit_test(variances_that_differ_more_stand_for_themselves),
		cmocka_unit_test(rows_that_go_together_are_worth_one),
		cmocka_unit_test(rows_without_a_variance_are_passed_over),
		cmocka_unit_test(correlated_rows_count_as_fewer),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
