/* test_per_unit.c - so much for each unit of work, with an interval, or the reason why not */
#include "tests/test.h"

#include <math.h>

#include "analysis/amounts.h"
#include "analysis/per_unit.h"
#include "base/mem.h"

#define S UINT64_C(1000000000)

/* One a second from a time on; of value per_s, running the share of the time. */
static void make(struct amounts *amounts, uint64_t from_ns, size_t nr, double per_s, double share)
{
	amounts_init(amounts, SERIES_DELTA);
	for (size_t i = 0; i < nr; i++)
		amounts_add(amounts, &(struct amount){
					     .begin_ns = from_ns + i * S,
					     .end_ns = from_ns + (i + 1) * S,
					     .value = per_s,
					     .enabled_ns = S,
					     .running_ns = (uint64_t)(share * 1e9),
				     });
}

static void it_is_the_ratio_of_sums(void **state)
{
	struct amounts x, n;
	struct per_unit result;

	(void)state;
	make(&x, 0, 10, 600, 1);
	x.list[3].value = 900;
	make(&n, 0, 10, 100, 1);
	result = per_unit_of(&x, &n, 0, UINT64_MAX);
	assert_int_equal(result.refusal, PER_UNIT_NOT_REFUSED);
	assert_true(fabs(result.ratio.value - 6.3) < 1e-9);
	assert_int_equal(result.intervals, 10);
	/* residuals of ten blocks: -30 nine times and 270; t of 9 degrees of freedom is 2.262157 */
	assert_true(fabs(result.high - 6.3 - 2.262157163 * 0.3) < 1e-6);
	assert_false(result.is_estimate);
	amounts_release(&x);
	amounts_release(&n);
}

static void without_a_divisor_it_is_per_second(void **state)
{
	struct amounts x;
	struct per_unit result;

	(void)state;
	make(&x, 0, 4, 600, 1);
	result = per_unit_of(&x, NULL, 0, UINT64_MAX);
	assert_true(result.ratio.value == 600 && result.low == 600 && result.high == 600);
	result = per_unit_of(&x, NULL, 1 * S, 3 * S);
	assert_int_equal(result.intervals, 2);
	/* one block alone says nothing of how sure it is */
	result = per_unit_of(&x, NULL, 0, 1 * S);
	assert_true(isinf(result.high));
	amounts_release(&x);
}

static void the_divisor_is_interpolated(void **state)
{
	struct amounts x, n;
	struct per_unit result;

	(void)state;
	make(&x, S / 2, 4, 50, 1); /* its intervals lie across those of the work */
	make(&n, 0, 10, 100, 1);
	n.list[2].value = 300;
	result = per_unit_of(&x, &n, 0, UINT64_MAX);
	assert_int_equal(result.intervals, 4);
	assert_true(fabs(result.ratio.divisor - 600) < 1e-9);
	amounts_release(&x);
	amounts_release(&n);
}

static void what_the_divisor_does_not_cover_is_left_out(void **state)
{
	struct amounts x, n;
	struct per_unit result;

	(void)state;
	make(&x, 0, 10, 50, 1);
	make(&n, 3 * S, 4, 100, 1);
	result = per_unit_of(&x, &n, 0, UINT64_MAX);
	assert_int_equal(result.intervals, 4);
	assert_int_equal(result.left_out, 6);
	assert_true(result.total == 200);
	result = per_unit_of(&x, &n, 0, 2 * S);
	assert_int_equal(result.refusal, PER_UNIT_NO_INTERVAL);
	n.list[0].value = n.list[1].value = n.list[2].value = n.list[3].value = 0;
	result = per_unit_of(&x, &n, 0, UINT64_MAX);
	assert_int_equal(result.refusal, PER_UNIT_NO_WORK);
	amounts_release(&x);
	amounts_release(&n);
}

static enum per_unit_refusal refusal(double share, double other)
{
	struct amounts x, n;
	struct per_unit result;

	make(&x, 0, 4, 50, share);
	make(&n, 0, 4, 100, other);
	result = per_unit_of(&x, &n, 0, UINT64_MAX);
	assert_true(fabs(result.running_least - share) < 1e-9);
	assert_int_equal(result.is_estimate, share < 1);
	amounts_release(&x);
	amounts_release(&n);
	return result.refusal;
}

static void events_that_took_turns_are_not_divided(void **state)
{
	(void)state;
	assert_int_equal(refusal(1, 1), PER_UNIT_NOT_REFUSED);
	assert_int_equal(refusal(0.33, 1), PER_UNIT_NOT_REFUSED);    /* by work: an estimate */
	assert_int_equal(refusal(0.33, 0.33), PER_UNIT_NOT_REFUSED); /* together */
	assert_int_equal(refusal(0.33, 0.5), PER_UNIT_OTHER_TIME);
	assert_int_equal(refusal(1, 0.5), PER_UNIT_OTHER_TIME);
	assert_int_equal(refusal(0.05, 1), PER_UNIT_GUESS);
}

static void many_intervals_become_few_blocks(void **state)
{
	struct amounts x;
	struct per_unit result;

	(void)state;
	make(&x, 0, 1000, 3, 1);
	result = per_unit_of(&x, NULL, 0, UINT64_MAX);
	assert_int_equal(result.intervals, 1000);
	assert_int_equal(result.ratio.blocks, PER_UNIT_BLOCKS_MAX);
	assert_true(fabs(result.ratio.value - 3) < 1e-12);
	amounts_release(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_ratio_of_sums),
		cmocka_unit_test(without_a_divisor_it_is_per_second),
		cmocka_unit_test(the_divisor_is_interpolated),
		cmocka_unit_test(what_the_divisor_does_not_cover_is_left_out),
		cmocka_unit_test(events_that_took_turns_are_not_divided),
		cmocka_unit_test(many_intervals_become_few_blocks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
