/* test_events.c - which event a record is of */
#include "tests/test.h"

#include "importers/perf_data/events.h"

#include <time.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/support/perf_data_builder.h"

#define NONE UINT32_MAX

static void add(struct perf_events *events, uint64_t sample_type, const uint64_t *ids, unsigned nr)
{
	const struct perf_attr attr = {.sample_type = sample_type, .flags = 1 << 18};
	const unsigned char *at = (const unsigned char *)ids;

	perf_events_add(events, &attr, (struct bytes){at, at + 8 * nr, false});
}

static struct bytes record_of(const struct builder *builder)
{
	const unsigned char *at = (const unsigned char *)builder->data.bytes;

	return (struct bytes){at + builder->record, at + builder->data.size, builder->is_big};
}

static uint32_t event_of_sample(const struct perf_events *events, uint64_t type,
				const struct builder_sample *sample)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct bytes record;

	builder_attr(&builder, (struct builder_attr){.sample_type = type});
	builder_sample(&builder, 0, sample);
	record = record_of(&builder);
	return perf_events_of_sample(events, &record);
}

static uint32_t event_of_comm(const struct perf_events *events, uint64_t type, uint64_t id)
{
	CLEANUP(builder_release) struct builder builder = {0};
	struct bytes record;

	builder_attr(&builder,
		     (struct builder_attr){
			     .sample_type = type, .flags = 1 << 18, .ids = {id}, .ids_nr = 1});
	builder_comm(&builder, 0, 1, 1, "name", 1);
	record = record_of(&builder);
	return perf_events_of_other(events, &record);
}

static void identifier_tells_the_event_whatever_its_fields_are(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};
	const uint64_t first = 1 << PERF_BIT_IDENTIFIER | 1 << PERF_BIT_IP;
	const uint64_t second = 1 << PERF_BIT_IDENTIFIER | 1 << PERF_BIT_TIME | 1 << PERF_BIT_CPU;

	(void)state;
	add(&events, first, (const uint64_t[]){5, 6}, 2);
	add(&events, second, (const uint64_t[]){7}, 1);
	assert_int_equal(event_of_sample(&events, first, &(struct builder_sample){.identifier = 6}),
			 0);
	assert_int_equal(
		event_of_sample(&events, second, &(struct builder_sample){.identifier = 7}), 1);
	assert_int_equal(event_of_comm(&events, first, 6), 0);
	assert_int_equal(event_of_comm(&events, second, 7), 1);
}

static void id_behind_other_fields_tells_the_event(void **state)
{
	static const unsigned before[] = {PERF_BIT_IP, PERF_BIT_TID, PERF_BIT_TIME, PERF_BIT_ADDR};

	(void)state;
	for (unsigned set = 0; set < 16; set++) {
		CLEANUP(perf_events_release) struct perf_events events = {0};
		uint64_t type = 1 << PERF_BIT_ID | 1 << PERF_BIT_CPU | 1 << PERF_BIT_STREAM_ID;

		for (unsigned i = 0; i < 4; i++)
			type |= (uint64_t)(set >> i & 1) << before[i];
		add(&events, type, (const uint64_t[]){5}, 1);
		add(&events, type, (const uint64_t[]){7}, 1);
		assert_int_equal(event_of_sample(&events, type, &(struct builder_sample){.id = 7}),
				 1);
		assert_int_equal(event_of_comm(&events, type, 7), 1);
		assert_int_equal(event_of_comm(&events, type, 5), 0);
	}
}

static void one_event_alone_needs_no_id(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};
	const uint64_t type = 1 << PERF_BIT_IDENTIFIER | 1 << PERF_BIT_IP;

	(void)state;
	add(&events, type, (const uint64_t[]){5}, 1);
	assert_int_equal(event_of_sample(&events, type, &(struct builder_sample){.identifier = 99}),
			 0);
}

static void sample_of_an_unknown_id_is_of_no_event(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};
	const uint64_t type = 1 << PERF_BIT_IDENTIFIER;

	(void)state;
	add(&events, type, (const uint64_t[]){5}, 1);
	add(&events, type, (const uint64_t[]){7}, 1);
	assert_int_equal(event_of_sample(&events, type, &(struct builder_sample){.identifier = 99}),
			 NONE);
	/* but what says something of a process is read as the first event has it */
	assert_int_equal(event_of_comm(&events, type, 99), 0);
	assert_int_equal(event_of_comm(&events, type, 0), 0);
}

static void records_before_any_event_are_of_none(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};

	(void)state;
	assert_int_equal(event_of_sample(&events, 1, &(struct builder_sample){.ip = 1}), NONE);
	assert_int_equal(event_of_comm(&events, 1, 1), NONE);
	assert_int_equal(perf_events_find(&events, 1), NONE);
}

static void sample_too_short_for_its_id_is_of_no_event(void **state)
{
	static const unsigned char bytes[40];
	CLEANUP(perf_events_release) struct perf_events events = {0};

	(void)state;
	add(&events, 1 << PERF_BIT_ID | 0xf, (const uint64_t[]){0}, 1);
	add(&events, 1 << PERF_BIT_ID | 0xf, (const uint64_t[]){7}, 1);
	assert_int_equal(perf_events_of_sample(&events, &(struct bytes){bytes, bytes + 40, false}),
			 NONE);
}

static void id_belongs_to_the_event_that_claimed_it_first(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};

	(void)state;
	add(&events, 1, (const uint64_t[]){5}, 1);
	add(&events, 1, (const uint64_t[]){5, 6}, 2);
	assert_int_equal(perf_events_find(&events, 5), 0);
	assert_int_equal(perf_events_find(&events, 6), 1);
}

static void more_events_than_the_limit_are_refused(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};

	(void)state;
	for (unsigned i = 0; i < PERF_ATTRS_MAX + 3; i++)
		add(&events, 1, NULL, 0);
	assert_int_equal(events.nr, PERF_ATTRS_MAX);
}

/* Each of many events claims the same bytes for its ids. */
static void ids_that_overlap_cost_no_more_than_the_limit(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};
	const size_t nr = 1 << 17;
	uint64_t *ids = mem_zalloc(nr, sizeof(*ids));
	clock_t begin = clock();

	(void)state;
	for (size_t i = 0; i < nr; i++)
		ids[i] = i;
	for (unsigned i = 0; i < PERF_ATTRS_MAX; i++)
		add(&events, 1, ids, (unsigned)nr);
	free(ids);
	assert_int_equal(events.ids_nr, nr);
	assert_int_equal(perf_events_find(&events, nr - 1), 0);
	assert_int_equal(events.ids_seen, PERF_IDS_MAX);
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 20);
}

static void event_description_names_events_by_id_and_else_by_order(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};
	CLEANUP(text_release) struct text bytes = TEXT_INIT;
	const struct builder builder = {0};
	const unsigned char *at;

	(void)state;
	add(&events, 1, (const uint64_t[]){5}, 1);
	add(&events, 1, (const uint64_t[]){7}, 1);
	add(&events, 1, NULL, 0);
	builder_u32(&builder, &bytes, 3);
	builder_u32(&builder, &bytes, 0); /* the attrs may have any size */
	builder_u32(&builder, &bytes, 2);
	builder_string(&builder, &bytes, "second");
	builder_u64(&builder, &bytes, 7);
	builder_u64(&builder, &bytes, 8);
	builder_u32(&builder, &bytes, 1);
	builder_string(&builder, &bytes, "first");
	builder_u64(&builder, &bytes, 5);
	builder_u32(&builder, &bytes, 0);
	builder_string(&builder, &bytes, "third");
	at = (const unsigned char *)bytes.bytes;
	assert_true(perf_events_describe(&events, (struct bytes){at, at + bytes.size, false}));
	assert_string_equal(events.list[0].name, "first");
	assert_string_equal(events.list[1].name, "second");
	assert_string_equal(events.list[2].name, "third");
	assert_int_equal(perf_events_find(&events, 8), 1);
	/* cut anywhere it is damaged, and that is all */
	for (size_t size = 0; size < bytes.size; size++)
		assert_false(perf_events_describe(&events, (struct bytes){at, at + size, false}));
}

static void event_is_named_once(void **state)
{
	CLEANUP(perf_events_release) struct perf_events events = {0};

	(void)state;
	add(&events, 1, NULL, 0);
	perf_events_name(&events, 0, "", 0);
	assert_null(events.list[0].name);
	perf_events_name(&events, 0, "cycles:u and more", 8);
	perf_events_name(&events, 0, "other", 5);
	perf_events_name(&events, 1, "other", 5);
	assert_string_equal(events.list[0].name, "cycles:u");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identifier_tells_the_event_whatever_its_fields_are),
		cmocka_unit_test(id_behind_other_fields_tells_the_event),
		cmocka_unit_test(one_event_alone_needs_no_id),
		cmocka_unit_test(sample_of_an_unknown_id_is_of_no_event),
		cmocka_unit_test(records_before_any_event_are_of_none),
		cmocka_unit_test(sample_too_short_for_its_id_is_of_no_event),
		cmocka_unit_test(id_belongs_to_the_event_that_claimed_it_first),
		cmocka_unit_test(more_events_than_the_limit_are_refused),
		cmocka_unit_test(ids_that_overlap_cost_no_more_than_the_limit),
		cmocka_unit_test(event_description_names_events_by_id_and_else_by_order),
		cmocka_unit_test(event_is_named_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
