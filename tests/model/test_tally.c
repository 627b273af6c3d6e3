/* test_tally.c - weights per call chain, leaf, event and root */
#include "tests/test.h"

#include <stdio.h>

#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

struct world {
	struct capture capture;
	struct tally tally;
	uint32_t idle, web, renamed;	  /* tasks */
	uint32_t read, read_there, write; /* locations; the first two are one symbol */
	uint32_t callers, no_callers;
};

static uint32_t place(struct capture *capture, const char *name, uint64_t address)
{
	return locations_add(&capture->locations,
			     &(struct location){.address = address,
						.name = names_add_string(&capture->names, name),
						.module = MODULE_NONE,
						.line = NAME_NONE});
}

static void world_init(struct world *world, const struct tally_options *options)
{
	struct capture *capture = &world->capture;
	uint32_t web;

	*world = (struct world){0};
	web = names_add_string(&capture->names, "web");
	world->idle = tasks_add(&capture->tasks,
				&(struct task){0, 0, names_add_string(&capture->names, "swapper")});
	world->web = tasks_add(&capture->tasks, &(struct task){1, 2, web});
	world->renamed = tasks_add(&capture->tasks, &(struct task){1, 3, web});
	world->read = place(capture, "read", 0x10);
	world->read_there = place(capture, "read", 0x20);
	world->write = place(capture, "write", 0x30);
	world->callers = stacks_add(&capture->stacks, &world->write, 1);
	world->no_callers = stacks_add(&capture->stacks, &world->write, 0);
	tally_init(&world->tally, capture, options);
}

static void world_release(struct world *world)
{
	tally_release(&world->tally);
	capture_release(&world->capture);
}

static void say(struct world *world, uint32_t task, uint32_t callers, uint32_t leaf)
{
	struct sample sample = {.task = task,
				.callers = callers,
				.leaf = leaf,
				.cpu = 3,
				.count = WEIGHT_ONE,
				.period = weight_of(100)};

	assert_null(sink_sample(&world->tally.sink, &sample));
}

static void same_stack_adds_up(void **state)
{
	CLEANUP(world_release) struct world world;

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_COMM});
	for (int i = 0; i < 5; i++)
		say(&world, world.web, world.callers, world.read);
	assert_int_equal(world.tally.nr, 1);
	assert_true(world.tally.list[0].count == weight_of(5));
	assert_true(world.tally.list[0].period == weight_of(500));
}

static void callers_leaf_event_and_root_keep_entries_apart(void **state)
{
	CLEANUP(world_release) struct world world;
	struct sample other_event;

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_COMM});
	other_event = (struct sample){.task = world.web,
				      .callers = world.callers,
				      .leaf = world.read,
				      .event = 1,
				      .cpu = 3,
				      .count = WEIGHT_ONE};
	say(&world, world.web, world.callers, world.read);
	say(&world, world.web, world.no_callers, world.read);
	say(&world, world.web, world.callers, world.write);
	say(&world, world.idle, world.callers, world.read);
	say(&world, world.web, world.callers, LOCATION_NONE);
	assert_null(sink_sample(&world.tally.sink, &other_event));
	assert_int_equal(world.tally.nr, 6);
}

static void address_of_a_leaf_matters_only_where_asked_for(void **state)
{
	CLEANUP(world_release) struct world world, exact;

	(void)state;
	world_init(&world, &(struct tally_options){0});
	say(&world, world.web, world.callers, world.read);
	say(&world, world.web, world.callers, world.read_there);
	assert_int_equal(world.tally.nr, 1);
	world_init(&exact, &(struct tally_options){.keeps_address = true});
	say(&exact, exact.web, exact.callers, exact.read);
	say(&exact, exact.web, exact.callers, exact.read_there);
	assert_int_equal(exact.tally.nr, 2);
}

/* How many roots three tasks and one sample without a task have. */
static uint32_t roots_by(enum tally_by by)
{
	CLEANUP(world_release) struct world world;

	world_init(&world, &(struct tally_options){.by = by});
	say(&world, world.web, world.callers, world.read);
	say(&world, world.renamed, world.callers, world.read);
	say(&world, world.idle, world.callers, world.read);
	say(&world, TASK_NONE, world.callers, world.read);
	return world.tally.roots_nr;
}

static uint32_t nameless(struct capture *capture, uint64_t address)
{
	return locations_add(&capture->locations, &(struct location){.address = address,
								     .name = NAME_NONE,
								     .module = MODULE_NONE,
								     .line = NAME_NONE});
}

/* Samples of places without a name, fetched ahead, then one that has a name from the beginning. */
static void places_are_counted_by_address_until_they_have_names(void **state)
{
	struct capture capture = {.has_offsets = true};
	struct tally tally;
	uint32_t leaves[4];

	(void)state;
	tasks_add(&capture.tasks, &(struct task){1, 2, NAME_NONE});
	leaves[0] = nameless(&capture, 0x10);
	leaves[1] = nameless(&capture, 0x20);
	tally_init(&tally, &capture, &(struct tally_options){.by = TALLY_BY_COMM});
	for (int i = 0; i < 100; i++) {
		struct sample sample = {.leaf = leaves[i % (i < 50 ? 2 : 4)], .count = WEIGHT_ONE};

		if (i == 50) {
			leaves[2] = place(&capture, "read", 0x30);
			leaves[3] = place(&capture, "read", 0x40);
			sample.leaf = leaves[i % 4];
		}
		sink_soon(&tally.sink, &sample, false);
		sink_soon(&tally.sink, &sample, true);
		assert_null(sink_sample(&tally.sink, &sample));
	}
	assert_int_equal(tally.nr, 3);
	assert_true(tally.list[0].count == weight_of(25 + 12));
	assert_true(tally.list[1].count == weight_of(25 + 12));
	assert_true(tally.list[2].count == weight_of(26));
	tally_release(&tally);
	capture_release(&capture);
}

static void roots_are_as_many_as_what_is_asked_for(void **state)
{
	(void)state;
	assert_int_equal(roots_by(TALLY_BY_NONE), 1);
	assert_int_equal(roots_by(TALLY_BY_CPU), 1);
	assert_int_equal(roots_by(TALLY_BY_COMM), 3);
	assert_int_equal(roots_by(TALLY_BY_PROCESS), 3);
	assert_int_equal(roots_by(TALLY_BY_THREAD), 4);
}

static void cpus_are_roots_where_asked_for(void **state)
{
	CLEANUP(world_release) struct world world;
	struct sample sample = {.cpu = 0, .leaf = LOCATION_NONE, .count = WEIGHT_ONE};

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_CPU});
	for (sample.cpu = 0; sample.cpu < 4; sample.cpu++)
		assert_null(sink_sample(&world.tally.sink, &sample));
	assert_int_equal(world.tally.roots_nr, 4);
	assert_int_equal(world.tally.roots[2].cpu, 2);
}

/* A number that was given for a sample is a way to its entry; what CPUs are kept apart gets none.
 */
static void known_samples_are_added_to_their_entry(void **state)
{
	CLEANUP(world_release) struct world world, cpus;
	struct sample sample = {.period = weight_of(7), .count = WEIGHT_ONE};

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_COMM});
	say(&world, world.web, world.callers, world.read);
	sample.known = sink_known(&world.tally.sink);
	assert_int_not_equal(sample.known, SAMPLE_NOT_KNOWN);
	say(&world, world.web, world.no_callers, world.write);
	sink_soon(&world.tally.sink, &sample, false);
	sink_soon(&world.tally.sink, &sample, true);
	assert_null(sink_sample(&world.tally.sink, &sample));
	assert_int_equal(world.tally.nr, 2);
	assert_true(world.tally.list[0].period == weight_of(107));
	assert_true(world.tally.list[1].period == weight_of(100));
	assert_int_equal(world.tally.last, 0);
	world_init(&cpus, &(struct tally_options){.by = TALLY_BY_CPU});
	say(&cpus, cpus.web, cpus.callers, cpus.read);
	assert_int_equal(sink_known(&cpus.tally.sink), SAMPLE_NOT_KNOWN);
}

/* By name both threads of web have one root, by thread none; by CPU each sample is looked at. */
static void tasks_of_one_root_are_alike(void **state)
{
	static const enum tally_by by[] = {TALLY_BY_COMM, TALLY_BY_THREAD, TALLY_BY_CPU};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(by); i++) {
		CLEANUP(world_release) struct world world;
		uint32_t web, renamed;

		world_init(&world, &(struct tally_options){.by = by[i]});
		assert_int_equal(sink_alike(&world.tally.sink, world.web), SINK_ALIKE_NONE);
		say(&world, world.web, world.callers, world.read);
		assert_int_equal(sink_alike(&world.tally.sink, world.renamed), SINK_ALIKE_NONE);
		say(&world, world.renamed, world.callers, world.read);
		web = sink_alike(&world.tally.sink, world.web);
		renamed = sink_alike(&world.tally.sink, world.renamed);
		assert_int_equal(web == renamed, by[i] != TALLY_BY_THREAD);
		assert_int_equal(web == SINK_ALIKE_NONE, by[i] == TALLY_BY_CPU);
	}
}

static void idle_task_is_kept_apart_only_where_asked_for(void **state)
{
	CLEANUP(world_release) struct world world, apart;

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_NONE});
	say(&world, world.idle, world.callers, world.read);
	say(&world, world.web, world.callers, world.read);
	assert_int_equal(world.tally.nr, 1);
	world_init(&apart, &(struct tally_options){.by = TALLY_BY_NONE, .keeps_idle = true});
	say(&apart, apart.idle, apart.callers, apart.read);
	say(&apart, apart.web, apart.callers, apart.read);
	assert_int_equal(apart.tally.nr, 2);
	assert_true(apart.tally.roots[apart.tally.list[0].key.root].is_idle_task);
	assert_false(apart.tally.roots[apart.tally.list[1].key.root].is_idle_task);
}

/* More entries than any chain or table begins with, in an order that mixes them. */
static void thousands_of_entries_are_found_again(void **state)
{
	CLEANUP(world_release) struct world world;
	uint32_t leaves[500], callers[20];
	weight sum = 0;

	(void)state;
	world_init(&world, &(struct tally_options){.by = TALLY_BY_THREAD});
	for (uint32_t i = 0; i < ARRAY_NR(leaves); i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		leaves[i] = place(&world.capture, name, i);
	}
	for (uint32_t i = 0; i < ARRAY_NR(callers); i++)
		callers[i] = stacks_add(&world.capture.stacks, leaves, i + 2);
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < 20 * 500 * 2; i++)
			say(&world, i / 10000 ? world.web : world.renamed, callers[i % 20],
			    leaves[i / 20 % 500]);
	for (uint32_t i = 0; i < world.tally.nr; i++)
		sum += world.tally.list[i].count;
	assert_true(sum == weight_of(3 * 20 * 500 * 2));
	for (uint32_t i = 0; i < world.tally.nr; i++)
		assert_true(world.tally.list[i].count == weight_of(3));
	assert_int_equal(world.tally.nr, 20 * 500 * 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_stack_adds_up),
		cmocka_unit_test(callers_leaf_event_and_root_keep_entries_apart),
		cmocka_unit_test(address_of_a_leaf_matters_only_where_asked_for),
		cmocka_unit_test(places_are_counted_by_address_until_they_have_names),
		cmocka_unit_test(roots_are_as_many_as_what_is_asked_for),
		cmocka_unit_test(cpus_are_roots_where_asked_for),
		cmocka_unit_test(tasks_of_one_root_are_alike),
		cmocka_unit_test(idle_task_is_kept_apart_only_where_asked_for),
		cmocka_unit_test(known_samples_are_added_to_their_entry),
		cmocka_unit_test(thousands_of_entries_are_found_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
