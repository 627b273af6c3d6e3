/* test_write.c - what is said to the store stands in its tables as schema/README.md says */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "store/store.h"
#include "store/write.h"
#include "tests/support/stored.h"

static const char text[] = "relay  10/11 [002]  5.000000:  100 cycles: \n"
			   "\t  ffffffff81000010 f+0x10 ([kernel.kallsyms])\n"
			   "\t  20 main+0x0 (/opt/relay)\n\n"
			   "relay  10/11 [002]  6.000000:  18446744073709551615 cycles: \n"
			   "\t  ffffffff81000010 f+0x10 ([kernel.kallsyms])\n"
			   "\t  20 main+0x0 (/opt/relay)\n\n"
			   "renamed  10/11 [003]  7.000000:  1 cycles: \n\n";

static void expect_text(struct stored *stored, const char *sql, const char *expected)
{
	char *got = stored_text(stored, sql);

	if (strcmp(got, expected) != 0)
		fail_msg("%s: %s, expected %s", sql, got, expected);
	free(got);
}

static void rows_are_as_the_schema_says(void **state)
{
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	expect_text(&stored, "SELECT count(*) FROM sample", "3");
	expect_text(&stored, "SELECT group_concat(sample_id) FROM sample", "1,2,3");
	expect_text(&stored, "SELECT count(*) FROM thread", "1");
	expect_text(&stored, "SELECT count(*) FROM task", "2");
	expect_text(&stored, "SELECT group_concat(comm) FROM task_named", "relay,renamed");
	expect_text(&stored, "SELECT period FROM sample WHERE sample_id = 2",
		    "18446744073709551615");
	expect_text(&stored, "SELECT typeof(period) FROM sample WHERE sample_id = 1", "integer");
	expect_text(&stored, "SELECT address FROM location_named WHERE name = 'f'",
		    "0xffffffff81000010");
	expect_text(&stored, "SELECT origin FROM location_named WHERE name = 'f'", "kernel");
	expect_text(&stored, "SELECT typeof(leaf_location_id) FROM sample WHERE sample_id = 3",
		    "null");
	expect_text(&stored, "SELECT callers FROM stack WHERE stack_id = 1", "[2]");
	expect_text(&stored,
		    "SELECT name || size_bytes || format || samples || first_sample_id || "
		    "last_sample_id FROM capture",
		    "run7perf-script313");
	expect_text(&stored, "SELECT group_concat(name || '=' || value) FROM fact",
		    "build=42,load=a=b");
	stored_release(&stored);
}

static void foreign_keys_hold(void **state)
{
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	stored_add_text(&stored, "folded", "main;f 3\nmain;caf\xe9 0.25\n");
	expect_text(&stored, "SELECT count(*) FROM pragma_foreign_key_check", "0");
	expect_text(&stored, "SELECT * FROM pragma_integrity_check", "ok");
	stored_release(&stored);
}

static void ids_of_a_second_capture_follow(void **state)
{
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	stored_add_text(&stored, "folded", "main;f 3\n");
	expect_text(&stored,
		    "SELECT b.first_sample_id = a.last_sample_id + 1 AND b.first_stack_id = "
		    "a.last_stack_id + 1 AND b.first_location_id = a.last_location_id + 1 "
		    "FROM capture a, capture b WHERE a.capture_id = 1 AND b.capture_id = 2",
		    "1");
	expect_text(&stored, "SELECT count(DISTINCT capture_id) FROM function", "2");
	stored_release(&stored);
}

static void path_weights_are_the_samples_added_up(void **state)
{
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	expect_text(&stored, "SELECT sum(count) FROM path_weight", "3");
	expect_text(&stored, "SELECT period FROM path_weight WHERE count = 2",
		    "18446744073709551715");
	expect_text(&stored, "SELECT group_concat(name, ';') FROM path_frame WHERE count = 2",
		    "main;f");
	expect_text(&stored, "SELECT path FROM path_weight WHERE count = 1", "[]");
	stored_release(&stored);
}

static struct store_writer *begin(struct stored *stored, struct capture *capture,
				  struct listener *listener, struct store **ret)
{
	struct store_writer *writer;

	stored_hear(text, capture, listener);
	assert_null(store_change(stored->path, ret));
	assert_null(store_write_begin(*ret, capture, &writer));
	assert_null(sink_sample(store_write_sink(writer), &listener->list[0]));
	return writer;
}

static void a_twin_leaves_nothing(void **state)
{
	struct store_writer *writer;
	struct listener listener;
	struct capture capture;
	struct stored stored;
	struct store *store;
	char *twin;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	writer = begin(&stored, &capture, &listener, &store);
	assert_true(store_write_samples(writer) == WEIGHT_ONE);
	assert_null(store_write_drop_twin(writer, "no such", &twin));
	assert_null(twin);
	assert_null(store_write_drop_twin(writer, "run", &twin));
	assert_string_equal(twin, "run");
	assert_null(store_commit(store));
	store_close(store);
	free(twin);
	listener_release(&listener);
	capture_release(&capture);
	expect_text(&stored, "SELECT count(*) FROM sample", "3");
	expect_text(&stored, "SELECT count(*) FROM capture", "1");
	stored_release(&stored);
}

static void an_error_is_handed_through_and_nothing_stays(void **state)
{
	struct store_writer *writer;
	struct listener listener;
	struct capture capture;
	struct stored stored;
	struct store *store;
	struct error *err;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	writer = begin(&stored, &capture, &listener, &store);
	err = store_write_end(writer, NULL, error_new(ERROR_INPUT, "a fault"));
	assert_string_equal(error_text(err), "a fault");
	error_free(err);
	store_close(store);
	listener_release(&listener);
	capture_release(&capture);
	expect_text(&stored, "SELECT count(*) FROM sample", "3");
	stored_release(&stored);
}

static void names_of_captures_are_known(void **state)
{
	struct stored stored;
	struct store *store;
	bool is_taken;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	assert_null(store_open(stored.path, &store));
	assert_null(store_has_name(store, "run", &is_taken));
	assert_true(is_taken);
	assert_null(store_has_name(store, "Run", &is_taken));
	assert_false(is_taken);
	store_close(store);
	stored_release(&stored);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_as_the_schema_says),
		cmocka_unit_test(foreign_keys_hold),
		cmocka_unit_test(ids_of_a_second_capture_follow),
		cmocka_unit_test(path_weights_are_the_samples_added_up),
		cmocka_unit_test(a_twin_leaves_nothing),
		cmocka_unit_test(an_error_is_handed_through_and_nothing_stays),
		cmocka_unit_test(names_of_captures_are_known),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
