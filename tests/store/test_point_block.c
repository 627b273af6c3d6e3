/* test_point_block.c - points and their times come back whole, and damaged texts are seen */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/point_block.h"

static void ticks_come_back(const uint64_t *times, uint32_t nr, const char *offsets, uint64_t step)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint64_t read[8], step_ns;

	tick_block_add(&text, times, nr, &step_ns);
	assert_string_equal(text_string(&text), offsets);
	assert_int_equal(step_ns, step);
	assert_true(tick_block_read(text.size ? text.bytes : NULL, times[0], step_ns, nr, read));
	assert_memory_equal(read, times, nr * sizeof(*times));
}

static void times_come_back(void **state)
{
	const uint64_t regular[] = {5, 15, 25, 35}, one[] = {UINT64_C(1796007303000913782)};
	const uint64_t odd[] = {100, 190, 320, 400};

	(void)state;
	ticks_come_back(regular, 4, "", 10);
	ticks_come_back(one, 1, "", 0);
	ticks_come_back(odd, 4, "[0,-10,20,0]", 100);
}

static void damaged_times_are_seen(void **state)
{
	static const char *const damaged[] = {
		"",	   "[",	       "[0,0",	   "[0,0]x",  "[0 0]",
		"[0,0,0]", "[0,-100]", "[0,-200]", "[0,1e3]", "[0,99999999999999999999]",
		"{0,0}"};
	uint64_t read[4];

	(void)state;
	assert_true(tick_block_read("[0,0]", 100, 100, 2, read));
	for (size_t i = 0; i < ARRAY_NR(damaged); i++)
		assert_false(tick_block_read(damaged[i], 100, 100, 2, read));
	assert_false(tick_block_read(NULL, 0, 0, 2, read)); /* the same time twice */
	assert_false(tick_block_read(NULL, 1, UINT64_MAX, 4, read));
	assert_false(tick_block_read(NULL, UINT64_C(1) << 63, 0, 1, read));
	assert_false(tick_block_read("[-101]", 100, 0, 1, read));
}

static const struct point all[] = {
	{.begin_ns = 100, .end_ns = 100, .value = {12, 0}},
	{.begin_ns = 100, .end_ns = 100, .value = {-25, 2}},
	{.begin_ns = 100, .end_ns = 100, .state = POINT_GAP},
	{.begin_ns = 100, .end_ns = 100, .value = {7, 0}, .state = POINT_RESET},
	{.begin_ns = 40, .end_ns = 100, .state = POINT_GAP},
	{.begin_ns = 100, .end_ns = 100, .state = POINT_NAN},
	{.begin_ns = 0, .end_ns = 100, .value = {17039, 2}, .enabled_ns = 100, .running_ns = 50},
	{.begin_ns = 60, .end_ns = 100, .state = POINT_NOT_COUNTED, .enabled_ns = 40},
	{.begin_ns = 100, .end_ns = 100, .state = POINT_NOT_SUPPORTED},
};

static void points_come_back(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct point point;
	const char *at;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(all); i++)
		point_block_add(&text, &all[i]);
	point_block_end(&text);
	assert_string_equal(text_string(&text),
			    "[12,-0.25,null,[7,\"reset\"],[null,\"gap\",60],[null,\"nan\"],"
			    "[170.39,\"ok\",100,100,50],[null,\"not_counted\",40,40,0],"
			    "[null,\"not_supported\"]]");
	at = text_string(&text);
	assert_true(point_block_begin(&at));
	for (size_t i = 0; i < ARRAY_NR(all); i++) {
		memset(&point, 0xff, sizeof(point));
		assert_int_equal(point_block_next(&at, 100, &point), POINT_BLOCK_POINT);
		assert_int_equal(point.begin_ns, all[i].begin_ns);
		assert_int_equal(point.end_ns, all[i].end_ns);
		assert_int_equal(point.state, all[i].state);
		assert_int_equal(point.value.digits, all[i].value.digits);
		assert_int_equal(point.value.scale, all[i].value.scale);
		assert_int_equal(point.enabled_ns, all[i].enabled_ns);
		assert_int_equal(point.running_ns, all[i].running_ns);
	}
	assert_int_equal(point_block_next(&at, 100, &point), POINT_BLOCK_END);
}

static void damaged_points_are_seen(void **state)
{
	static const char *const damaged[] = {
		"",
		"12]",
		"[",
		"[12",
		"[12,",
		"[12,]",
		"[12]x",
		"[x]",
		"[nul]",
		"[[12]]",
		"[[12,ok]]",
		"[[12,\"nan\"]]",
		"[[null,\"ok\"]]",
		"[[12,\"reset\",101]]",
		"[[12,\"ok\",1,2,3,4]]",
		"[[12,\"ok\",-1]]",
		"[1 2]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(damaged); i++) {
		enum point_block_step step = POINT_BLOCK_DAMAGED;
		const char *at = damaged[i];
		struct point point;

		if (point_block_begin(&at))
			while ((step = point_block_next(&at, 100, &point)) == POINT_BLOCK_POINT)
				;
		if (step != POINT_BLOCK_DAMAGED)
			fail_msg("%s is taken for good", damaged[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_come_back),
		cmocka_unit_test(damaged_times_are_seen),
		cmocka_unit_test(points_come_back),
		cmocka_unit_test(damaged_points_are_seen),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
