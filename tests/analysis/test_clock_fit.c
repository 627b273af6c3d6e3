/* test_clock_fit.c - the fit's interval holds the true offset, or the fit says why it has none */
#include "tests/test.h"

#include "analysis/clock_fit.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/clock_fit_limits.h"
#include "base/mem.h"
#include "tests/bench/chance.h"

#define MS     UINT64_C(1000000)
#define SECOND (1000 * MS)
#define STEP   MS /* of the world's time */

enum load {
	LOAD_STEPS,
	LOAD_WAVE,
	LOAD_CONSTANT
};

struct world {
	enum load load;
	uint64_t length_ns, period_ns, tick_ns;
	uint64_t from_ns, to_ns;    /* what of it is recorded */
	int64_t offset_ns;	    /* the truth */
	double share;		    /* of the counted CPU time that the recording can see */
	struct fit_sample *samples; /* owned */
	size_t samples_nr, samples_alloc;
	struct fit_interval *intervals; /* owned */
	size_t intervals_nr, intervals_alloc;
};

static double chance_share(struct chance *chance)
{
	return chance_below(chance, 1000000) / 1e6;
}

static void world_release(struct world *world)
{
	free(world->samples);
	free(world->intervals);
}

/* Of the time, how much the process runs: new levels now and then, a wave, or always the same. */
static double busy(const struct world *world, struct chance *chance, uint64_t at_ns, double now)
{
	if (world->load == LOAD_CONSTANT)
		return 0.4;
	if (world->load == LOAD_WAVE)
		return at_ns / SECOND % 2 ? 0.1 : 0.8;
	return chance_share(chance) < 0.002 ? chance_share(chance) : now;
}

static void add_sample(struct world *world, uint64_t at_ns)
{
	GROW(world->samples, world->samples_nr + 1, world->samples_alloc);
	world->samples[world->samples_nr++] = (struct fit_sample){at_ns, world->period_ns, 1};
}

static void add_interval(struct world *world, uint64_t at_ns, double cpu_ns)
{
	uint64_t end_ns = (uint64_t)((int64_t)at_ns - world->offset_ns);

	GROW(world->intervals, world->intervals_nr + 1, world->intervals_alloc);
	world->intervals[world->intervals_nr++] =
		(struct fit_interval){end_ns - world->tick_ns, end_ns, cpu_ns};
}

static void run(struct world *world, uint64_t seed)
{
	const uint64_t start_ns = 5000 * SECOND;
	struct chance chance = {seed};
	double now = 0.3, left_ns = 0, counted = 0;

	for (uint64_t at = STEP; at <= world->length_ns; at += STEP) {
		bool runs;

		now = busy(world, &chance, at, now);
		runs = world->load == LOAD_STEPS ? chance_share(&chance) < now
						 : (double)(at / STEP % 10) < 10 * now;
		counted += runs ? (double)STEP : 0;
		left_ns += runs ? (double)STEP * world->share : 0;
		if (left_ns >= (double)world->period_ns) {
			left_ns -= (double)world->period_ns;
			if (at >= world->from_ns && at < world->to_ns)
				add_sample(world, start_ns + at);
		}
		if (at % world->tick_ns == 0) {
			add_interval(world, start_ns + at, counted);
			counted = 0;
		}
	}
}

static struct error *fit(const struct world *world, struct fit *ret)
{
	const struct fit_input input = {
		.samples = world->samples,
		.samples_nr = world->samples_nr,
		.start_ns = world->samples_nr ? world->samples[0].time_ns : 0,
		.end_ns = world->samples_nr ? world->samples[world->samples_nr - 1].time_ns : 0,
		.intervals = world->intervals,
		.intervals_nr = world->intervals_nr,
	};

	return clock_fit(&input, ret);
}

/* A minute of a load that varies, half of it recorded; the counter is read at 10 Hz. */
static struct world plain(void)
{
	return (struct world){.length_ns = 60 * SECOND,
			      .period_ns = 2 * MS,
			      .tick_ns = 100 * MS,
			      .from_ns = 20 * SECOND,
			      .to_ns = 50 * SECOND,
			      .offset_ns = -INT64_C(1796007690123456789),
			      .share = 1};
}

static void assert_refused(const struct world *world, const char *why)
{
	struct fit got;
	struct error *err = fit(world, &got);

	if (!err)
		fail_msg("found %lld", (long long)got.offset_ns);
	if (!strstr(error_text(err), why))
		fail_msg("refused otherwise: %s", error_text(err));
	error_free(err);
}

static void true_offset_is_in_the_interval(void **state)
{
	unsigned refused = 0, rounds = 24;
	uint64_t worst = 0;

	(void)state;
	for (unsigned i = 0; i < rounds; i++) {
		CLEANUP(world_release) struct world world = plain();
		struct fit got;
		struct error *err;

		world.period_ns = (i % 3 ? 10 : 2) * MS;
		world.tick_ns = (i % 4 == 3 ? 500 : 100) * MS;
		world.offset_ns = i % 2 ? 77 * (int64_t)SECOND + i : -(int64_t)(i * SECOND) - i;
		run(&world, i + 1);
		err = fit(&world, &got);
		if (err) {
			refused++;
			error_free(err);
			continue;
		}
		if (llabs(got.offset_ns - world.offset_ns) > (int64_t)got.error_ns)
			fail_msg("round %u: %lld is not %lld within %llu", i,
				 (long long)got.offset_ns, (long long)world.offset_ns,
				 (unsigned long long)got.error_ns);
		if (world.tick_ns == 100 * MS && got.error_ns > worst)
			worst = got.error_ns;
	}
	/* honest is not enough: most are found, and to less than half of an interval */
	assert_true(refused < rounds / 4);
	assert_true(worst < 50 * MS);
}

static void wall_time_is_no_trouble(void **state)
{
	CLEANUP(world_release) struct world world = plain();
	struct fit got;

	(void)state;
	run(&world, 7);
	assert_null(fit(&world, &got));
	assert_true(llabs(got.offset_ns - world.offset_ns) <= (int64_t)got.error_ns);
	assert_true(got.error_ns < 30 * MS);
	assert_true(got.scale > 0.9 && got.scale < 1.1);
}

static void load_that_does_not_vary_has_no_offset(void **state)
{
	CLEANUP(world_release) struct world world = plain();

	(void)state;
	world.load = LOAD_CONSTANT;
	run(&world, 3);
	assert_refused(&world, "cannot be determined");
}

static void load_that_repeats_itself_has_several(void **state)
{
	CLEANUP(world_release) struct world world = plain();

	(void)state;
	world.load = LOAD_WAVE;
	run(&world, 3);
	assert_refused(&world, "several offsets follow the counter as well");
}

static void counter_of_more_than_the_process_is_seen(void **state)
{
	CLEANUP(world_release) struct world world = plain();

	(void)state;
	world.share = 0.4;
	run(&world, 3);
	assert_refused(&world, "of another process");
}

static void counter_of_something_else_is_not_followed(void **state)
{
	CLEANUP(world_release) struct world world = plain(), other = plain();
	struct fit_interval *intervals;

	(void)state;
	run(&world, 11);
	run(&other, 12);
	intervals = world.intervals;
	world.intervals = other.intervals;
	assert_refused(&world, "cannot be determined");
	world.intervals = intervals;
}

static void too_little_is_too_little(void **state)
{
	CLEANUP(world_release) struct world shortly = plain(), none = plain(), rarely = plain();

	(void)state;
	shortly.to_ns = shortly.from_ns + SECOND;
	run(&shortly, 3);
	assert_refused(&shortly, "too short");
	none.to_ns = none.from_ns;
	run(&none, 3);
	assert_refused(&none, "no samples");
	rarely.tick_ns = 15 * SECOND;
	run(&rarely, 3);
	assert_refused(&rarely, "too few points");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(true_offset_is_in_the_interval),
		cmocka_unit_test(wall_time_is_no_trouble),
		cmocka_unit_test(load_that_does_not_vary_has_no_offset),
		cmocka_unit_test(load_that_repeats_itself_has_several),
		cmocka_unit_test(counter_of_more_than_the_process_is_seen),
		cmocka_unit_test(counter_of_something_else_is_not_followed),
		cmocka_unit_test(too_little_is_too_little),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
