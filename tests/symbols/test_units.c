/* test_units.c - which unit an address belongs to */
#include "tests/test.h"

#include "base/mem.h"
#include "symbols/dwarf_names.h"
#include "symbols/units.h"

static struct code_range code[] = {{0x1000, 0x9000}};

static void units_with_code(struct units *ret)
{
	*ret = (struct units){.code = {.ranges = code, .ranges_nr = 1}};
}

static void free_ranges(struct units *units)
{
	free(units->ranges);
}

static void an_address_belongs_to_the_first_unit_that_covers_it(void **state)
{
	const uint64_t vaddrs[] = {0xfff, 0x1000, 0x1fff, 0x2000, 0x2800, 0x3000, 0x3fff, 0x4000};
	const uint32_t wanted[] = {UNIT_NONE, 0, 0, 1, 1, 1, 2, UNIT_NONE};
	uint32_t unit_of[ARRAY_NR(vaddrs)];
	struct dwarf_facts facts = {0};
	struct units units;

	(void)state;
	units_with_code(&units);
	units_add_range(&units, 2, 0x1800, 0x4000, &facts);
	units_add_range(&units, 0, 0x1000, 0x2000, &facts);
	units_add_range(&units, 1, 0x2000, 0x3800, &facts);
	units_add_range(&units, 1, 0x2100, 0x2200, &facts);
	units_sort(&units);
	assert_int_equal(units_assign(&units, vaddrs, ARRAY_NR(vaddrs), unit_of), 2);
	assert_memory_equal(unit_of, wanted, sizeof(wanted));
	free_ranges(&units);
}

/* A linker that drops a function leaves its range at such an address. */
static void tombstones_and_empty_ranges_cover_nothing(void **state)
{
	const uint64_t lows[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, 0x9000};
	struct dwarf_facts facts = {0};
	struct units units;

	(void)state;
	units_with_code(&units);
	for (size_t i = 0; i < ARRAY_NR(lows); i++)
		units_add_range(&units, 0, lows[i], lows[i] + 0x5000, &facts);
	units_add_range(&units, 0, 0x2000, 0x2000, &facts);
	units_add_range(&units, 0, 0x2000, 0x1000, &facts);
	assert_int_equal(units.ranges_nr, 0);
	free_ranges(&units);
}

static void many_overlapping_ranges_are_swept_as_a_look_at_each_would_say(void **state)
{
	enum {
		RANGES_NR = 300,
		SPAN = 0x800
	};
	static uint64_t vaddrs[SPAN];
	static uint32_t unit_of[SPAN];
	struct dwarf_facts facts = {0};
	struct units units;
	uint32_t random = 1;

	(void)state;
	units_with_code(&units);
	for (uint32_t i = 0; i < RANGES_NR; i++) {
		uint64_t low = 0x1000 + (random = random * 1103515245 + 12345) / 65536 % SPAN;

		units_add_range(&units, random / 65536 % 40, low, low + random / 131072 % 90,
				&facts);
	}
	units_sort(&units);
	for (size_t i = 0; i < SPAN; i++)
		vaddrs[i] = 0x1000 + i;
	units_assign(&units, vaddrs, SPAN, unit_of);
	for (size_t i = 0; i < SPAN; i++) {
		uint32_t first = UNIT_NONE;

		for (size_t j = 0; j < units.ranges_nr; j++) {
			const struct unit_range *range = &units.ranges[j];

			if (vaddrs[i] >= range->low && vaddrs[i] < range->high &&
			    range->unit < first)
				first = range->unit;
		}
		assert_int_equal(unit_of[i], first);
	}
	free_ranges(&units);
}

static void facts_are_counted_and_the_first_is_kept(void **state)
{
	struct dwarf_facts facts = {0};

	(void)state;
	dwarf_fact_add(&facts, DWARF_FACT_NO_DWO, "unit %d", 1);
	dwarf_fact_add(&facts, DWARF_FACT_NO_DWO, "unit %d", 2);
	assert_int_equal(facts.nr[DWARF_FACT_NO_DWO], 2);
	assert_string_equal(facts.first[DWARF_FACT_NO_DWO], "unit 1");
	for (unsigned i = 0; i < DWARF_FACTS_NR; i++)
		assert_non_null(dwarf_fact_text(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_belongs_to_the_first_unit_that_covers_it),
		cmocka_unit_test(tombstones_and_empty_ranges_cover_nothing),
		cmocka_unit_test(many_overlapping_ranges_are_swept_as_a_look_at_each_would_say),
		cmocka_unit_test(facts_are_counted_and_the_first_is_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
