/* test_locations.c - places in code, and what a leaf is counted under */
#include "tests/test.h"

#include "base/mem.h"
#include "model/locations.h"
#include "model/modules.h"
#include "model/names.h"

static const struct location read_at_1000 = {.address = 0x1000,
					     .name = 1,
					     .module = 2,
					     .line = NAME_NONE,
					     .flags = LOCATION_HAS_ADDRESS};

static void same_place_has_the_same_id(void **state)
{
	CLEANUP(locations_release) struct locations locations = {0};

	(void)state;
	assert_int_equal(locations_add(&locations, &read_at_1000), 0);
	assert_int_equal(locations_add(&locations, &read_at_1000), 0);
	assert_int_equal(locations.nr, 1);
	assert_int_equal(locations_get(&locations, 0)->address, 0x1000);
}

static void each_field_is_part_of_the_identity(void **state)
{
	CLEANUP(locations_release) struct locations locations = {0};
	struct location other[5] = {read_at_1000, read_at_1000, read_at_1000, read_at_1000,
				    read_at_1000};

	(void)state;
	other[0].address = 0x1001;
	other[1].name = NAME_NONE;
	other[2].module = MODULE_NONE;
	other[3].line = 7;
	other[4].flags |= LOCATION_INLINED;
	locations_add(&locations, &read_at_1000);
	for (uint32_t i = 0; i < ARRAY_NR(other); i++)
		assert_int_equal(locations_add(&locations, &other[i]), i + 1);
}

static void address_and_line_do_not_make_another_symbol(void **state)
{
	CLEANUP(locations_release) struct locations locations = {0};
	struct location moved = read_at_1000, lined = read_at_1000;
	uint32_t first;

	(void)state;
	moved.address = 0xffffffff81000000;
	lined.line = 9;
	first = locations_add(&locations, &read_at_1000);
	assert_int_equal(locations_symbol(&locations, first), first);
	assert_int_equal(locations_symbol(&locations, locations_add(&locations, &moved)), first);
	assert_int_equal(locations_symbol(&locations, locations_add(&locations, &lined)), first);
}

static void name_module_and_flags_make_another_symbol(void **state)
{
	CLEANUP(locations_release) struct locations locations = {0};
	struct location other[3] = {read_at_1000, read_at_1000, read_at_1000};

	(void)state;
	other[0].name = 3;
	other[1].module = MODULE_NONE;
	other[2].flags |= LOCATION_INLINED;
	locations_add(&locations, &read_at_1000);
	for (uint32_t i = 0; i < ARRAY_NR(other); i++) {
		uint32_t id = locations_add(&locations, &other[i]);

		assert_int_equal(locations_symbol(&locations, id), id);
	}
}

static void many_places_of_one_symbol_are_found_again(void **state)
{
	CLEANUP(locations_release) struct locations locations = {0};
	struct location location = read_at_1000;

	(void)state;
	for (uint32_t i = 0; i < 10000; i++) {
		location.address = i;
		location.name = i % 7;
		assert_int_equal(locations_add(&locations, &location), i);
		assert_int_equal(locations_symbol(&locations, i), i % 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_place_has_the_same_id),
		cmocka_unit_test(each_field_is_part_of_the_identity),
		cmocka_unit_test(address_and_line_do_not_make_another_symbol),
		cmocka_unit_test(name_module_and_flags_make_another_symbol),
		cmocka_unit_test(many_places_of_one_symbol_are_found_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
