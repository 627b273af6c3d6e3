/* test_ratio.c - ratios of blocks, Welch's test, many tests at once */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

#include "analysis/ratio.h"
#include "base/mem.h"
#include "base/text.h"
#include "tests/support/toolbox.h"

static void within(double got, double wanted, double tolerance)
{
	if (!(fabs(got - wanted) <= tolerance * fmax(1, fabs(wanted))))
		fail_msg("%.17g, expected %.17g", got, wanted);
}

static void near(double got, double wanted)
{
	within(got, wanted, 1e-9);
}

static void ratio_and_variance_are_those_of_its_blocks(void **state)
{
	struct ratio ratio = ratio_of((double[]){1, 3}, (double[]){2, 2}, 2);

	(void)state;
	near(ratio.value, 1);
	near(ratio.variance, 0.25);
	near(ratio.divisor, 4);
	ratio = ratio_of((double[]){1, 2, 6}, (double[]){1, 2, 3}, 3);
	near(ratio.value, 1.5);
	near(ratio.variance, 1.5 * (0.25 + 1 + 2.25) / 36);
}

static void one_block_says_nothing_of_its_variance(void **state)
{
	struct ratio one = ratio_of((double[]){1}, (double[]){2}, 1);
	struct ratio two = ratio_of((double[]){5, 5}, (double[]){1, 1}, 2);
	struct ratio_test test = ratio_compare(&one, &two, 0.05, 1);

	(void)state;
	near(one.value, 0.5);
	assert_true(isinf(one.variance));
	near(test.p, 1);
	assert_true(isinf(test.low) && isinf(test.high) && isinf(test.smallest));
}

static void nothing_to_divide_by_is_no_value(void **state)
{
	struct ratio ratio = ratio_of((double[]){1, 1}, (double[]){0, 0}, 2);

	(void)state;
	near(ratio.value, 0);
	assert_true(isinf(ratio.variance));
}

/* t with 1 degree of freedom is tan(pi * (p - 1/2)). */
static void t_is_that_of_the_books(void **state)
{
	(void)state;
	near(ratio_t_quantile(0.975, 1), 12.706204736174698);
	near(ratio_t_two_sided(1, 1), 0.5);
	near(ratio_t_two_sided(-1, 1), 0.5);
	near(ratio_t_quantile(0.75, 2), sqrt(2.0 / 3));
	near(ratio_t_quantile(0.975, 5.5), 2.5018586175892406);
}

static void welch_weighs_both_variances(void **state)
{
	struct ratio before = {.value = 1, .variance = 0.04, .divisor = 1, .blocks = 5};
	struct ratio after = {.value = 2, .variance = 0.05, .divisor = 1, .blocks = 11};
	struct ratio_test test = ratio_compare(&before, &after, 0.05, 1);

	(void)state;
	near(test.difference, 1);
	near(test.standard_error, 0.3);
	near(test.df, 0.0081 / (0.0016 / 4 + 0.0025 / 10));
	near(test.high - test.difference, ratio_t_quantile(0.975, test.df) * 0.3);
	near(test.relative, 1);
	/* a factor widens, and a stricter alpha needs a larger change */
	near(ratio_compare(&before, &after, 0.05, 4).standard_error, 0.6);
	assert_true(ratio_compare(&before, &after, 0.01, 1).smallest > test.smallest);
}

static void one_sample_where_there_was_none_is_not_certain(void **state)
{
	struct ratio none = ratio_of((double[]){0, 0, 0}, (double[]){10, 10, 10}, 3);
	struct ratio some = ratio_of((double[]){0, 1, 0}, (double[]){10, 10, 10}, 3);

	(void)state;
	ratio_widen(&none, 1);
	near(none.variance, 1.0 / 900);
	assert_true(ratio_compare(&none, &some, 0.05, 1).p > 0.1);
}

static void sides_that_are_the_same_do_not_differ(void **state)
{
	struct ratio same = ratio_of((double[]){2, 2}, (double[]){2, 2}, 2);
	struct ratio_test test = ratio_compare(&same, &same, 0.05, 1);

	(void)state;
	near(test.p, 1);
	near(test.difference, 0);
	near(test.smallest, 0);
}

static void many_tests_are_adjusted_by_their_rank(void **state)
{
	double p[] = {0.04, 0.01, 0.03, 0.5}, q[4], strict[4], harmonic = 25.0 / 12;

	(void)state;
	ratio_adjust(p, NULL, 4, q, strict);
	near(q[1], 0.04);
	near(q[2], 0.04 * 4 / 3);
	near(q[0], 0.04 * 4 / 3);
	near(q[3], 0.5);
	near(strict[1], 0.04 * harmonic);
	near(strict[3], 1);
}

static void tests_that_weigh_more_are_found_sooner(void **state)
{
	double p[] = {0.04, 0.01, 0.03, 0.5}, weights[] = {2.5, 0.5, 0.5, 0.5}, q[4], strict[4];

	(void)state;
	ratio_adjust(p, weights, 4, q, strict);
	/* by weight 0.016, 0.02, 0.06 and 1 */
	near(q[0], 0.04);
	near(q[1], 0.04);
	near(q[2], 0.08);
	near(q[3], 1);
}

static void variance_of_few_captures_may_be_larger(void **state)
{
	(void)state;
	/* chi-square with 2 degrees of freedom is exponential */
	near(ratio_variance_bound(2), 1 / -log(0.7));
	assert_true(ratio_variance_bound(4) < ratio_variance_bound(2));
	assert_true(fabs(ratio_variance_bound(1e6) - 1) < 0.01);
}

static void counts_alone_have_a_bound(void **state)
{
	(void)state;
	near(ratio_binomial(5, 5, 0.5), 1);
	near(ratio_binomial(10, 0, 0.5), 2 * pow(0.5, 10));
	near(ratio_binomial(0, 0, 0.5), 1);
	near(ratio_binomial(3, 4, 0), 1);
}

/* ---- the corpus: block sums of captures, and what another program made of them */

#define BLOCKS_MAX 64

static const char *find(const char *at, const char *key)
{
	CLEANUP(text_release) struct text wanted = TEXT_INIT;

	text_addf(&wanted, "\"%s\": ", key);
	at = strstr(at, text_string(&wanted));
	if (!at)
		fail_msg("no %s", text_string(&wanted));
	return at + wanted.size;
}

static size_t numbers(const char *at, double *ret)
{
	size_t nr = 0;

	for (at = strchr(at, '[') + 1; nr < BLOCKS_MAX;) {
		char *end;

		ret[nr] = strtod(at, &end);
		if (end == at)
			break;
		nr++;
		at = end + strspn(end, ", \n");
	}
	return nr;
}

static void take_word(const char *test, const char *key, char *ret, size_t size)
{
	const char *at = find(test, key) + 1;
	size_t length = strcspn(at, "\"");

	assert_true(length < size);
	memcpy(ret, at, length);
	ret[length] = '\0';
}

/* Of a capture that has none of that frame all is 0. */
static void take_frame(const char *frames, const char *frame, size_t nr, double *ret)
{
	CLEANUP(text_release) struct text wanted = TEXT_INIT;
	const char *at;

	text_addf(&wanted, "\"%s\": ", frame);
	at = strstr(frames, text_string(&wanted));
	memset(ret, 0, nr * sizeof(*ret));
	if (at && at < strchr(frames, '}'))
		assert_int_equal(numbers(at, ret), nr);
}

static struct ratio ratio_in(const char *captures, const char *test, const char *side)
{
	char name[64], frame[128], norm[64];
	double x[BLOCKS_MAX], n[BLOCKS_MAX];
	const char *capture;
	size_t nr;

	take_word(test, side, name, sizeof(name));
	take_word(test, "frame", frame, sizeof(frame));
	take_word(test, "norm", norm, sizeof(norm));
	capture = find(captures, name);
	nr = numbers(find(capture, strcmp(norm, "share") == 0	   ? "total_ns"
				   : strcmp(norm, "per_wall") == 0 ? "wall_ns"
								   : "completed"),
		     n);
	take_frame(find(capture, "frames"), frame, nr, x);
	return ratio_of(x, n, nr);
}

/*
 * Of 5.5 degrees of freedom the corpus has 2.501858612469; the integral of the density up to
 * there is 1.7e-10 short of 0.975, and exact at 2.501858617589.
 */
#define QUANTILE_TOLERANCE 3e-9

/*
 * The corpus has its counts of work with six decimals: exact fractions of what stands there are up
 * to 8e-9 from the variances that stand beside them.
 */
static double tolerance_of(const char *test)
{
	char norm[64];

	take_word(test, "norm", norm, sizeof(norm));
	return strcmp(norm, "per_completed") == 0 ? 3e-8 : 1e-9;
}

static void expect_test(const char *captures, const char *at)
{
	struct ratio before = ratio_in(captures, at, "a"), after = ratio_in(captures, at, "b");
	struct ratio_test test = ratio_compare(&before, &after, 0.05, 1);
	double interval[BLOCKS_MAX], tolerance = tolerance_of(at);

	near(before.value, strtod(find(at, "ra"), NULL));
	near(after.value, strtod(find(at, "rb"), NULL));
	within(before.variance, strtod(find(at, "var_a"), NULL), tolerance);
	within(after.variance, strtod(find(at, "var_b"), NULL), tolerance);
	within(test.difference, strtod(find(at, "diff"), NULL), tolerance);
	within(test.df, strtod(find(at, "df"), NULL), tolerance);
	within(test.p, strtod(find(at, "p"), NULL), tolerance);
	assert_int_equal(numbers(find(at, "ci95"), interval), 2);
	within(test.low, interval[0], fmax(tolerance, QUANTILE_TOLERANCE));
	within(test.high, interval[1], fmax(tolerance, QUANTILE_TOLERANCE));
}

static void expect_rates(const char *at)
{
	double p[BLOCKS_MAX], wanted[BLOCKS_MAX], q[BLOCKS_MAX], strict[BLOCKS_MAX];
	const char *end = strstr(at, "\"t_sf\"");
	size_t nr = 0;

	while ((at = strstr(at, "\"p\": ")) && at < end && nr < BLOCKS_MAX) {
		p[nr] = strtod(find(at, "p"), NULL);
		wanted[nr++] = strtod(find(at, "q"), NULL);
		at++;
	}
	assert_true(nr > 1);
	ratio_adjust(p, NULL, nr, q, strict);
	for (size_t i = 0; i < nr; i++)
		near(q[i], wanted[i]);
}

static char *slurp(const char *path)
{
	struct text text = TEXT_INIT;
	FILE *file = fopen(path, "re");
	char part[4096];
	size_t got;

	assert_non_null(file);
	while ((got = fread(part, 1, sizeof(part), file)))
		text_add_bytes(&text, part, got);
	fclose(file);
	return text_take(&text);
}

static void vectors_of_the_corpus_come_out_as_they_are(void **state)
{
	const char *path = toolbox_corpus("evidence/stats/ratio-vectors.json");
	const char *at, *end;
	char *json;
	size_t nr = 0;

	(void)state;
	if (!path)
		return;
	json = slurp(path);
	end = strstr(json, "\"bh\"");
	for (at = strstr(json, "\"tests\""); (at = strstr(at, "\"a\": ")) && at < end; at++, nr++)
		expect_test(strstr(json, "\"captures\""), at);
	printf("# %zu tests\n", nr);
	assert_true(nr > 30);
	expect_rates(end);
	for (at = strstr(end, "\"t_sf\""); (at = strstr(at, "\"t\": ")) && strstr(at, "two_sided");
	     at++)
		near(ratio_t_two_sided(strtod(find(at, "t"), NULL), strtod(find(at, "df"), NULL)),
		     strtod(find(at, "two_sided"), NULL));
	for (at = strstr(end, "\"t_ppf975\""); (at = strstr(at, "\"df\": ")); at++)
		within(ratio_t_quantile(0.975, strtod(find(at, "df"), NULL)),
		       strtod(find(at, "t"), NULL), QUANTILE_TOLERANCE);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratio_and_variance_are_those_of_its_blocks),
		cmocka_unit_test(one_block_says_nothing_of_its_variance),
		cmocka_unit_test(nothing_to_divide_by_is_no_value),
		cmocka_unit_test(t_is_that_of_the_books),
		cmocka_unit_test(welch_weighs_both_variances),
		cmocka_unit_test(one_sample_where_there_was_none_is_not_certain),
		cmocka_unit_test(sides_that_are_the_same_do_not_differ),
		cmocka_unit_test(many_tests_are_adjusted_by_their_rank),
		cmocka_unit_test(tests_that_weigh_more_are_found_sooner),
		cmocka_unit_test(variance_of_few_captures_may_be_larger),
		cmocka_unit_test(counts_alone_have_a_bound),
		cmocka_unit_test(vectors_of_the_corpus_come_out_as_they_are),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
