/* test_clock_maps.c - ties of clocks are kept, found again by their captures, and taken away */
#include "tests/test.h"

#include "store/clock_maps.h"

#include <string.h>

#include "base/mem.h"
#include "store/captures.h"
#include "store/store.h"
#include "tests/support/stored.h"

static const char text[] = "relay  10/11 [002]  5.000000:  100 cycles: \n\t  20 main+0x0 (/x)\n\n";

/* A profile of two captures; the first has the ties of its own that an importer found. */
static void fill(struct stored *stored)
{
	struct listener listener;
	struct capture capture = {0};
	struct clock_tie tie = {.target = CLOCK_WALL,
				.how = TIE_CLOCK_DATA,
				.first_ns = 4000,
				.last_ns = 5000,
				.offset_ns = -3,
				.error_ns = 7,
				.drift_ppb = 11};

	stored_init(stored);
	listener_init(&listener);
	stored_hear(text, &capture, &listener);
	capture.clock = SOURCE_CLOCK_MONOTONIC;
	assert_true(clock_ties_add(&capture.ties, &tie));
	stored_add(stored, "first", &capture, &listener);
	listener_release(&listener);
	capture_release(&capture);
	stored_add_text(stored, "second", "main;f 3\n");
}

/* What is done to a profile that is open to be written. */
struct change {
	struct store *store;
	struct store_captures captures;
};

static void change_begin(const struct stored *stored, struct change *ret)
{
	assert_null(store_change(stored->path, &ret->store));
	assert_null(store_captures(ret->store, &ret->captures));
}

static void change_end(struct change *change)
{
	assert_null(store_commit(change->store));
	store_captures_release(&change->captures);
	store_close(change->store);
}

static void assert_tie(const struct clock_tie *tie, const struct clock_tie *want)
{
	assert_int_equal(tie->source, want->source);
	assert_int_equal(tie->target, want->target);
	assert_int_equal(tie->how, want->how);
	assert_int_equal(tie->first_ns, want->first_ns);
	assert_int_equal(tie->last_ns, want->last_ns);
	assert_int_equal(tie->offset_ns, want->offset_ns);
	assert_int_equal(tie->error_ns, want->error_ns);
	assert_int_equal(tie->drift_ppb, want->drift_ppb);
}

static void ties_of_an_importer_come_back(void **state)
{
	struct stored stored;
	struct change change;
	struct store_clocks clocks;
	CLEANUP(clock_ties_release) struct clock_ties ties = {0};
	const struct clock_tie want = {0, CLOCK_WALL, TIE_CLOCK_DATA, 4000, 5000, -3, 7, 11};

	(void)state;
	fill(&stored);
	change_begin(&stored, &change);
	assert_null(store_clocks_read(change.store, &change.captures, &clocks));
	assert_int_equal(clocks.map.sources_nr, 2);
	assert_string_equal(clocks.sources[1].name, "second");
	assert_int_equal(clocks.sources[0].clock, SOURCE_CLOCK_MONOTONIC);
	assert_int_equal(clocks.ties.nr, 1);
	assert_tie(&clocks.ties.list[0], &want);
	store_clocks_release(&clocks);
	assert_null(store_clocks_of(change.store, change.captures.list[0].id, &ties));
	assert_int_equal(ties.nr, 1);
	assert_null(store_clocks_of(change.store, change.captures.list[1].id, &ties));
	assert_int_equal(ties.nr, 1);
	change_end(&change);
	stored_release(&stored);
}

static void ties_are_added_and_forgotten(void **state)
{
	struct stored stored;
	struct change change;
	struct store_clocks clocks;
	const struct clock_tie tie = {1, 0, TIE_FIT, 1, 2, INT64_MAX, 5, TIE_DRIFT_PPB};
	uint64_t nr;

	(void)state;
	fill(&stored);
	change_begin(&stored, &change);
	assert_null(store_clocks_add(change.store, &change.captures, &tie));
	assert_null(
		store_clocks_name(change.store, change.captures.list[1].id, SOURCE_CLOCK_START));
	change_end(&change);

	change_begin(&stored, &change);
	assert_null(store_clocks_read(change.store, &change.captures, &clocks));
	assert_int_equal(clocks.sources[1].clock, SOURCE_CLOCK_START);
	assert_int_equal(clocks.ties.nr, 2);
	assert_tie(&clocks.ties.list[1], &tie);
	store_clocks_release(&clocks);
	/* of either end, and of one kind or of all */
	assert_null(store_clocks_forget(change.store, change.captures.list[0].id, TIE_GIVEN, &nr));
	assert_int_equal(nr, 0);
	assert_null(store_clocks_forget(change.store, change.captures.list[0].id, TIE_FIT, &nr));
	assert_int_equal(nr, 1);
	assert_null(store_clocks_forget(change.store, change.captures.list[0].id, TIE_HOW_NR, &nr));
	assert_int_equal(nr, 1);
	change_end(&change);
	stored_release(&stored);
}

static void damaged_rows_are_told(void **state)
{
	static const char *const changes[] = {
		"UPDATE clock_map SET to_capture_id = 77",
		"UPDATE clock_map SET first_ns = 6000",
		"UPDATE clock_map SET drift_ppb = 1000000000",
		"PRAGMA ignore_check_constraints = 1; UPDATE clock_map SET how = 'guessed'",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(changes); i++) {
		struct stored stored;
		struct change change;
		struct store_clocks clocks;
		struct error *err;

		fill(&stored);
		stored_change(&stored, changes[i]);
		change_begin(&stored, &change);
		err = store_clocks_read(change.store, &change.captures, &clocks);
		assert_non_null(err);
		assert_non_null(strstr(error_text(err), "table clock_map, row 1"));
		error_free(err);
		store_clocks_release(&clocks);
		change_end(&change);
		stored_release(&stored);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ties_of_an_importer_come_back),
		cmocka_unit_test(ties_are_added_and_forgotten),
		cmocka_unit_test(damaged_rows_are_told),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
