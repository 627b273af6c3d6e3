/* test_events.c - what was sampled: modifiers, units, and how users name it */
#include "tests/test.h"

#include "base/mem.h"
#include "model/events.h"
#include "model/names.h"

static void modifiers_are_no_part_of_the_base_name(void **state)
{
	static const struct {
		const char *name;
		size_t size;
	} cases[] = {
		{"cycles", 6},
		{"cycles:u", 6},
		{"cycles:ukhp", 6},
		{"cycles:ppp", 6},
		{"cycles:", 7},
		{"sched:sched_switch", 18},
		{"sched:sched_switch:u", 18},
		{"cpu/event=0x3c/", 15},
		{"cpu/event=0x3c/u", 15},
		{"cpu/cycles/P", 11},
		{"cpu_core/cycles/ppu", 16},
		{"/odd", 4},
		{"a/u", 3},
		{"", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++)
		if (events_base_size(cases[i].name) != cases[i].size)
			fail_msg("'%s' has %zu", cases[i].name, events_base_size(cases[i].name));
}

struct world {
	struct names names;
	struct events events;
};

static void world_release(struct world *world)
{
	names_release(&world->names);
	events_release(&world->events);
}

static uint32_t add(struct world *world, const char *name)
{
	return events_add(&world->events, &world->names, names_add_string(&world->names, name));
}

static uint32_t find(struct world *world, const char *wanted)
{
	return events_find(&world->events, &world->names, wanted);
}

static void clocks_count_nanoseconds_and_others_themselves(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	assert_int_equal(world.events.nr, 0);
	add(&world, "cpu-clock");
	add(&world, "task-clock:u");
	add(&world, "cycles");
	add(&world, "cpu-clock-not");
	events_add(&world.events, &world.names, NAME_NONE);
	assert_int_equal(world.events.list[0].unit, UNIT_NS);
	assert_int_equal(world.events.list[1].unit, UNIT_NS);
	assert_int_equal(world.events.list[2].unit, UNIT_EVENTS);
	assert_int_equal(world.events.list[3].unit, UNIT_EVENTS);
	assert_int_equal(world.events.list[4].unit, UNIT_SAMPLES);
}

static void same_name_is_one_event(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	assert_int_equal(add(&world, "cycles"), 0);
	assert_int_equal(add(&world, "cycles:u"), 1);
	assert_int_equal(add(&world, "cycles"), 0);
	assert_int_equal(events_add(&world.events, &world.names, NAME_NONE), 2);
	assert_int_equal(events_add(&world.events, &world.names, NAME_NONE), 2);
}

static void event_is_found_exactly_before_without_modifiers(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	add(&world, "cycles:u");
	add(&world, "cycles");
	assert_int_equal(find(&world, "cycles:u"), 0);
	assert_int_equal(find(&world, "cycles"), 1);
}

static void event_is_found_without_modifiers_where_that_is_one(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	add(&world, "cycles:u");
	add(&world, "instructions:u");
	assert_int_equal(find(&world, "instructions"), 1);
	assert_int_equal(find(&world, "instr"), EVENT_NONE);
	assert_int_equal(find(&world, "instructions:k"), EVENT_NONE);
	assert_int_equal(find(&world, ""), EVENT_NONE);
}

static void event_is_not_found_without_modifiers_where_that_is_several(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	add(&world, "cycles:u");
	add(&world, "cycles:k");
	assert_int_equal(find(&world, "cycles"), EVENT_NONE);
	assert_int_equal(find(&world, "cycles:k"), 1);
}

static void event_without_a_name_is_not_found(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	events_add(&world.events, &world.names, NAME_NONE);
	assert_int_equal(find(&world, "cycles"), EVENT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modifiers_are_no_part_of_the_base_name),
		cmocka_unit_test(clocks_count_nanoseconds_and_others_themselves),
		cmocka_unit_test(same_name_is_one_event),
		cmocka_unit_test(event_is_found_exactly_before_without_modifiers),
		cmocka_unit_test(event_is_found_without_modifiers_where_that_is_one),
		cmocka_unit_test(event_is_not_found_without_modifiers_where_that_is_several),
		cmocka_unit_test(event_without_a_name_is_not_found),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
