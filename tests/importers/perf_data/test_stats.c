/* test_stats.c - counters of perf stat record: differences of totals, scaled, one for each interval
 */
#include "tests/test.h"

#include "importers/perf_data/stats.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_data/perf_data.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/points.h"

enum {
	THREAD_MAP = 73,
	STAT_CONFIG = 75,
	STAT = 76,
	STAT_ROUND = 77,
	EVENT_UPDATE = 78,
};

#define CPU_ANY UINT32_MAX

/* task-clock with the ids 11 and 12, cycles with 21. */
static void two_events(struct builder *builder)
{
	builder_attr(builder,
		     (struct builder_attr){.type = 1, .config = 1, .ids = {11, 12}, .ids_nr = 2});
	builder_attr(builder,
		     (struct builder_attr){.type = 0, .config = 0, .ids = {21}, .ids_nr = 1});
}

static void stat(struct builder *builder, uint64_t id, uint32_t cpu, uint32_t thread,
		 uint64_t value, uint64_t enabled, uint64_t running)
{
	builder_begin(builder, STAT, 0);
	builder_u64(builder, &builder->data, id);
	builder_u32(builder, &builder->data, cpu);
	builder_u32(builder, &builder->data, thread);
	builder_u64(builder, &builder->data, value);
	builder_u64(builder, &builder->data, enabled);
	builder_u64(builder, &builder->data, running);
	builder_end(builder);
}

static void stat_round(struct builder *builder, uint64_t time)
{
	builder_words(builder, STAT_ROUND, 0, (const uint64_t[]){0, time}, 2);
}

static void aggregation(struct builder *builder, uint64_t mode)
{
	builder_words(builder, STAT_CONFIG, 0, (const uint64_t[]){1, 0, mode}, 3);
}

static void says(const struct builder *builder, const char *expected)
{
	CLEANUP(text_release) struct text file = TEXT_INIT, text = TEXT_INIT;
	struct capture capture = {0};
	struct points points;
	char *err;

	builder_finish(builder, &file);
	err = points_hear(&points, &importer_perf_data, file.bytes, file.size, &capture);
	text_add(&text, err ? err : text_string(&points.text));
	for (int i = 0; i < NOTE_NR; i++)
		if (capture.notes.list[i].count)
			text_addf(&text, "%s %d\n", notes_word(i),
				  (int)capture.notes.list[i].count);
	assert_string_equal(text_string(&text), expected);
	assert_int_equal(capture.clock, SOURCE_CLOCK_START);
	free(err);
	points_release(&points);
	capture_release(&capture);
}

static void totals_become_differences(void **state)
{
	struct builder builder = {0};
	const double scale = 1e-6;
	uint64_t bits;

	(void)state;
	memcpy(&bits, &scale, sizeof(bits));
	two_events(&builder);
	builder_begin(&builder, EVENT_UPDATE, 0);
	builder_u64(&builder, &builder.data, 0);
	builder_u64(&builder, &builder.data, 11);
	text_add_bytes(&builder.data, "msec\0\0\0\0", 8);
	builder_end(&builder);
	builder_words(&builder, EVENT_UPDATE, 0, (const uint64_t[]){1, 11, bits}, 3);
	aggregation(&builder, 1);
	stat(&builder, 11, CPU_ANY, 0, 175201543, 175201543, 175201543);
	stat_round(&builder, 500000000);
	stat(&builder, 11, CPU_ANY, 0, 351397556, 351397556, 351397556);
	stat_round(&builder, 1000000000);
	stat(&builder, 11, CPU_ANY, 0, 351397556, 351397556, 351397556);
	stat_round(&builder, 1500000000);
	stat(&builder, 11, CPU_ANY, 0, 351397556, 351397556, 351397556);
	says(&builder,
	     "task-clock 0.500000000 175.201543 over 0.500000000 ran 175201543/175201543\n"
	     "task-clock 1.000000000 176.196013 over 0.500000000 ran 176196013/176196013\n"
	     "task-clock 1.500000000 not_counted over 0.500000000\n");
	builder_release(&builder);
}

static void each_difference_is_scaled_by_its_own_time(void **state)
{
	struct builder builder = {0};

	(void)state;
	two_events(&builder);
	aggregation(&builder, 1);
	stat(&builder, 21, CPU_ANY, 0, 100, 1000, 500);
	stat_round(&builder, 1000);
	stat(&builder, 21, CPU_ANY, 0, 200, 2000, 1500); /* now it ran all the time */
	stat_round(&builder, 2000);
	stat(&builder, 21, CPU_ANY, 0, 260, 3000, 1750);
	stat_round(&builder, 3000);
	says(&builder, "cycles 0.000001000 200 over 0.000001000 ran 500/1000\n"
		       "cycles 0.000002000 100 over 0.000001000 ran 1000/1000\n"
		       "cycles 0.000003000 240 over 0.000001000 ran 250/1000\n");
	builder_release(&builder);
}

static void counters_of_all_cpus_are_added_up(void **state)
{
	struct builder builder = {.is_big = true};

	(void)state;
	two_events(&builder);
	aggregation(&builder, 1);
	stat(&builder, 11, 0, 0, 100, 1000, 1000);
	stat(&builder, 12, 1, 0, 50, 1000, 500);
	stat_round(&builder, 1000);
	says(&builder, "task-clock 0.000001000 200 over 0.000001000 ran 1500/2000\n");
	builder_release(&builder);
}

static void without_aggregation_each_has_a_series(void **state)
{
	struct builder builder = {0};

	(void)state;
	two_events(&builder);
	builder_begin(&builder, THREAD_MAP, 0);
	builder_u64(&builder, &builder.data, 1);
	builder_u64(&builder, &builder.data, 4711);
	text_add_bytes(&builder.data, "worker\0\0\0\0\0\0\0\0\0\0", 16);
	builder_end(&builder);
	aggregation(&builder, 0);
	stat(&builder, 11, 0, 0, 100, 1000, 1000);
	stat(&builder, 12, 1, 0, 50, 1000, 1000);
	stat(&builder, 21, CPU_ANY, 0, 7, 1000, 1000);
	stat_round(&builder, 1000);
	says(&builder,
	     "task-clock{cpu=\"0\"} 0.000001000 100 over 0.000001000 ran 1000/1000\n"
	     "task-clock{cpu=\"1\"} 0.000001000 50 over 0.000001000 ran 1000/1000\n"
	     "cycles{thread=\"worker-4711\"} 0.000001000 7 over 0.000001000 ran 1000/1000\n");
	builder_release(&builder);
}

static void what_is_odd_is_noted(void **state)
{
	struct builder builder = {0};

	(void)state;
	two_events(&builder);
	aggregation(&builder, 1);
	stat(&builder, 99, CPU_ANY, 0, 1, 1, 1); /* of no event */
	stat(&builder, 11, CPU_ANY, 0, 100, 1000, 1000);
	stat_round(&builder, 1000);
	stat_round(&builder, 900);
	stat(&builder, 11, CPU_ANY, 0, 30, 1300, 1300); /* it fell */
	stat_round(&builder, 2000);
	stat(&builder, 21, CPU_ANY, 0, 5, 10, 10); /* of no interval */
	says(&builder, "task-clock 0.000001000 100 over 0.000001000 ran 1000/1000\n"
		       "task-clock 0.000002000 30 over 0.000001000 ran 300/300\n"
		       "unknown-value 1\ncounter-time 1\ncounter-round 1\n");
	builder_release(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_become_differences),
		cmocka_unit_test(each_difference_is_scaled_by_its_own_time),
		cmocka_unit_test(counters_of_all_cpus_are_added_up),
		cmocka_unit_test(without_aggregation_each_has_a_series),
		cmocka_unit_test(what_is_odd_is_noted),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
