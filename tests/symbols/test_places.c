/* test_places.c - which places want a name, module by module */
#include "tests/test.h"

#include "base/mem.h"
#include "model/capture.h"
#include "symbols/places.h"

static uint32_t add(struct capture *capture, const char *path, uint64_t address, unsigned flags,
		    const char *name)
{
	struct location location = {
		.address = address,
		.name = name ? names_add_string(&capture->names, name) : NAME_NONE,
		.module = MODULE_NONE,
		.line = NAME_NONE,
		.flags = flags,
	};

	if (path)
		location.module = modules_add(&capture->modules, &capture->names,
					      names_add_string(&capture->names, path));
	return locations_add(&capture->locations, &location);
}

static void places_stand_by_module_and_address(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(places_release) struct places places;
	uint32_t high = add(&capture, "/bin/a", 0x200, LOCATION_HAS_ADDRESS, NULL);
	uint32_t other = add(&capture, "/bin/b", 0x100, LOCATION_HAS_ADDRESS, NULL);
	uint32_t low = add(&capture, "/bin/a", 0x100, LOCATION_HAS_ADDRESS | LOCATION_RETURN, NULL);

	(void)state;
	places_find(&places, &capture);
	assert_int_equal(places.nr, 3);
	assert_int_equal(places.modules_nr, 2);
	assert_int_equal(places.modules[0].nr, 2);
	assert_int_equal(places.modules[1].first, 2);
	assert_int_equal(places.locations[0], low);
	assert_int_equal(places.locations[1], high);
	assert_int_equal(places.locations[2], other);
	assert_true(places.addresses[0].is_return);
	assert_false(places.addresses[1].is_return);
	assert_int_equal(places.addresses[1].offset, 0x200);
}

static void what_has_a_name_or_no_module_or_no_address_wants_none(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(places_release) struct places places;

	(void)state;
	add(&capture, "/bin/a", 0x200, LOCATION_HAS_ADDRESS, "main");
	add(&capture, NULL, 0x200, LOCATION_HAS_ADDRESS, NULL);
	add(&capture, "/bin/a", 0, 0, NULL);
	places_find(&places, &capture);
	assert_int_equal(places.nr, 0);
	assert_int_equal(places.modules_nr, 0);
}

static void return_addresses_are_told_once(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(places_release) struct places places;
	uint64_t *returns;
	size_t nr;

	(void)state;
	add(&capture, "/bin/a", 0x300, LOCATION_HAS_ADDRESS | LOCATION_RETURN, NULL);
	add(&capture, "/bin/a", 0x100, LOCATION_HAS_ADDRESS | LOCATION_RETURN, NULL);
	add(&capture, "/bin/a", 0x100, LOCATION_HAS_ADDRESS, NULL);
	add(&capture, "/bin/a", 0x200, LOCATION_HAS_ADDRESS, NULL);
	places_find(&places, &capture);
	returns = places_returns(&places, &places.modules[0], NULL, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(returns[0], 0x100);
	assert_int_equal(returns[1], 0x300);
	free(returns);
}

/* What frame pointers led to is left out where CFI is to be believed. */
static void return_addresses_by_cfi_are_told_apart(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(places_release) struct places places;
	struct unwindings *unwindings = &capture.unwindings;
	const uint32_t callers[] = {0, 1};
	uint64_t *returns;
	size_t nr;

	(void)state;
	add(&capture, "/bin/a", 0x300, LOCATION_HAS_ADDRESS | LOCATION_RETURN, NULL);
	add(&capture, "/bin/a", 0x100, LOCATION_HAS_ADDRESS | LOCATION_RETURN, NULL);
	places_find(&places, &capture);
	unwindings_mark(unwindings, unwindings_add(unwindings, UNWIND_END, "cfl", 3), callers, 2);
	returns = places_returns(&places, &places.modules[0], unwindings, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(returns[0], 0x300);
	free(returns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_stand_by_module_and_address),
		cmocka_unit_test(what_has_a_name_or_no_module_or_no_address_wants_none),
		cmocka_unit_test(return_addresses_are_told_once),
		cmocka_unit_test(return_addresses_by_cfi_are_told_apart),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
