/* test_features.c - what a recorder says of itself, as facts */
#include "tests/test.h"

#include "importers/perf_data/features.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/facts.h"
#include "tests/support/perf_data_builder.h"

static const struct builder little = {0}, big = {.is_big = true};

/* "name: value" lines */
static void show(const struct facts *facts, struct text *text)
{
	for (size_t i = 0; i < facts->nr; i++)
		text_addf(text, "%s: %s\n", facts->list[i].name, facts->list[i].value);
}

static void expect_facts(unsigned feature, const struct text *bytes, bool is_big,
			 const char *expected)
{
	CLEANUP(facts_release) struct facts facts = {0};
	CLEANUP(text_release) struct text shown = TEXT_INIT;
	const unsigned char *at = (const unsigned char *)bytes->bytes;

	assert_true(
		perf_feature_facts(feature, (struct bytes){at, at + bytes->size, is_big}, &facts));
	show(&facts, &shown);
	assert_string_equal(text_string(&shown), expected);
}

/* Cut anywhere, a feature is damaged, and no byte behind the cut is looked at. */
static void expect_damage_told(unsigned feature, const struct text *bytes, bool is_big)
{
	for (size_t size = 1; size < bytes->size; size++) {
		CLEANUP(facts_release) struct facts facts = {0};
		unsigned char *copy = (unsigned char *)mem_memdup(bytes->bytes, size);

		if (perf_feature_facts(feature, (struct bytes){copy, copy + size, is_big}, &facts))
			fail_msg("feature %u of %zu bytes", feature, size);
		free(copy);
	}
}

/* 's': a string, 'w': a u32, 'd': a u64 */
static void expect(unsigned feature, const char *layout, const char *const *strings,
		   const uint64_t *numbers, const char *expected)
{
	for (int is_big = 0; is_big < 2; is_big++) {
		CLEANUP(text_release) struct text bytes = TEXT_INIT;
		const struct builder *builder = is_big ? &big : &little;
		unsigned string = 0, number = 0;

		for (const char *at = layout; *at; at++) {
			if (*at == 's')
				builder_string(builder, &bytes, strings[string++]);
			else if (*at == 'w')
				builder_u32(builder, &bytes, (uint32_t)numbers[number++]);
			else
				builder_u64(builder, &bytes, numbers[number++]);
		}
		expect_facts(feature, &bytes, is_big, expected);
		expect_damage_told(feature, &bytes, is_big);
	}
}

#define STRINGS (const char *const[])
#define NUMBERS (const uint64_t[])

static void strings_are_facts(void **state)
{
	(void)state;
	expect(3, "s", STRINGS{"relay-1"}, NULL, "hostname: relay-1\n");
	expect(4, "s", STRINGS{"6.1.0"}, NULL, "os release: 6.1.0\n");
	expect(5, "s", STRINGS{"6.1.187"}, NULL, "perf version: 6.1.187\n");
	expect(6, "s", STRINGS{"x86_64"}, NULL, "arch: x86_64\n");
	expect(8, "s", STRINGS{"A CPU"}, NULL, "cpudesc: A CPU\n");
	expect(9, "s", STRINGS{"GenuineIntel,6,1"}, NULL, "cpuid: GenuineIntel,6,1\n");
}

static void cpus_online_stand_behind_the_available_ones(void **state)
{
	(void)state;
	expect(7, "ww", NULL, NUMBERS{8, 6}, "nrcpus online: 6\nnrcpus avail: 8\n");
}

static void memory_is_in_kilobytes(void **state)
{
	(void)state;
	expect(10, "d", NULL, NUMBERS{32000000}, "total memory: 32000000 kB\n");
}

static void command_line_is_joined(void **state)
{
	(void)state;
	expect(11, "wsss", STRINGS{"/usr/bin/perf", "record", "-g"}, NUMBERS{3},
	       "cmdline: /usr/bin/perf record -g\n");
}

static void counting_units_have_their_numbers(void **state)
{
	(void)state;
	expect(16, "wwsws", STRINGS{"cpu", "software"}, NUMBERS{2, 4, 1},
	       "pmu mappings: cpu = 4, software = 1\n");
}

static void groups_say_where_they_begin(void **state)
{
	(void)state;
	expect(17, "wsww", STRINGS{"{anon_group}"}, NUMBERS{1, 2, 3},
	       "group: {anon_group}: 3 events from number 2 on\n");
}

static void times_of_samples_are_seconds(void **state)
{
	(void)state;
	expect(21, "dd", NULL, NUMBERS{1000000001, 25000000000},
	       "time of first sample: 1.000000001\ntime of last sample: 25.000000000\n");
	expect(21, "dd", NULL, NUMBERS{0, 0}, "");
}

static void packing_is_told(void **state)
{
	(void)state;
	/* the fifth number is of the recorder's buffer, and nobody needs it */
	expect(27, "wwww", NULL, NUMBERS{1, 1, 3, 12}, "compressed: Zstd, level 3, ratio 12\n");
	expect(27, "wwww", NULL, NUMBERS{0, 0, 0, 0}, "");
	expect(27, "wwww", NULL, NUMBERS{1, 2, 3, 12}, "compressed: unknown, level 3, ratio 12\n");
}

static void clock_reference_ties_two_clocks(void **state)
{
	(void)state;
	expect(29, "wwdd", NULL, NUMBERS{1, 4, 1600000000000000000, 5000000005},
	       "clock reference: clock 4 at 5.000000005 is 1600000000.000000000 since 1970\n");
	expect(29, "wwdd", NULL, NUMBERS{1, 0, 0, 0}, "");
}

static void simpleperf_says_pairs_of_strings(void **state)
{
	static const char pairs[] = "product\0phone\0event_type_info\0cpu-cycles,0,0\nx:y,2,63";
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	text_add_bytes(&bytes, pairs, sizeof(pairs));
	expect_facts(129, &bytes, false,
		     "product: phone\nevent_type_info: cpu-cycles,0,0\xef\xbf\xbd"
		     "x:y,2,63\n");
}

static void string_ends_at_its_first_zero_byte(void **state)
{
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	builder_u32(&little, &bytes, 8);
	text_add_bytes(&bytes, "ab\0cdefg", 8);
	expect_facts(3, &bytes, false, "hostname: ab\n");
	text_clear(&bytes);
	builder_u32(&little, &bytes, 3); /* and needs none */
	text_add_bytes(&bytes, "abcdefgh", 8);
	expect_facts(3, &bytes, false, "hostname: abc\n");
}

static void hostile_counts_are_damage(void **state)
{
	static const unsigned counted[] = {11, 16, 17};
	static const uint32_t counts[] = {65536, 65537, 1u << 31, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(counted); i++)
		for (size_t count = 0; count < ARRAY_NR(counts); count++) {
			CLEANUP(text_release) struct text bytes = TEXT_INIT;
			CLEANUP(facts_release) struct facts facts = {0};
			const unsigned char *at;

			builder_u32(&little, &bytes, counts[count]);
			builder_u32(&little, &bytes, UINT32_MAX);
			builder_u32(&little, &bytes, UINT32_MAX);
			at = (const unsigned char *)bytes.bytes;
			assert_false(perf_feature_facts(
				counted[i], (struct bytes){at, at + bytes.size, false}, &facts));
		}
}

static void features_that_are_no_words_say_nothing(void **state)
{
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	text_add(&bytes, "any bytes");
	expect_facts(15, &bytes, false, "");
	expect_facts(19, &bytes, false, "");
	expect_facts(200, &bytes, false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_facts),
		cmocka_unit_test(cpus_online_stand_behind_the_available_ones),
		cmocka_unit_test(memory_is_in_kilobytes),
		cmocka_unit_test(command_line_is_joined),
		cmocka_unit_test(counting_units_have_their_numbers),
		cmocka_unit_test(groups_say_where_they_begin),
		cmocka_unit_test(times_of_samples_are_seconds),
		cmocka_unit_test(packing_is_told),
		cmocka_unit_test(clock_reference_ties_two_clocks),
		cmocka_unit_test(simpleperf_says_pairs_of_strings),
		cmocka_unit_test(string_ends_at_its_first_zero_byte),
		cmocka_unit_test(hostile_counts_are_damage),
		cmocka_unit_test(features_that_are_no_words_say_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
