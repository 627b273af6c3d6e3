/* test_store.c - the profile on disk: opened, checked, written as a whole or not at all */
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/store.h"
#include "tests/support/stored.h"

static const char text[] = "x  1 5.000000:  2 cycles: \n\t 10 f+0x0 (/a)\n\n";
static const char path[] = "store.tephra", part[] = "store.tephra.part";

static bool is_there(const char *file)
{
	return access(file, F_OK) == 0;
}

static void expect_error(struct error *err, const char *expected)
{
	assert_non_null(err);
	if (!strstr(error_text(err), expected))
		fail_msg("%s, expected %s", error_text(err), expected);
	error_free(err);
}

static void write_file(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void a_new_profile_is_seen_when_it_is_complete(void **state)
{
	struct store *store;

	(void)state;
	assert_null(store_create(path, &store));
	assert_false(is_there(path));
	assert_true(is_there(part));
	assert_null(store_commit(store));
	store_close(store);
	assert_true(is_there(path));
	assert_false(is_there(part));
	assert_true(store_is_sqlite_file(path));
	assert_null(store_open(path, &store));
	store_close(store);
	unlink(path);
}

static void an_aborted_one_leaves_nothing(void **state)
{
	struct store *store;

	(void)state;
	assert_null(store_create(path, &store));
	assert_null(store_run(store, "INSERT INTO stack VALUES (1, '[]')"));
	store_close(store);
	assert_false(is_there(path));
	assert_false(is_there(part));
}

static void what_a_killed_import_left_is_cleared(void **state)
{
	struct store *store;
	FILE *file = fopen(part, "we");

	(void)state;
	assert_non_null(file);
	for (int i = 0; i < 5000; i++)
		fputs("rubbish", file);
	fclose(file);
	assert_null(store_create(path, &store));
	assert_null(store_commit(store));
	store_close(store);
	assert_null(store_open(path, &store));
	store_close(store);
	unlink(path);
}

static void a_file_that_is_there_is_not_replaced(void **state)
{
	struct store *store;
	struct stat st;

	(void)state;
	write_file("mine", 4);
	expect_error(store_create(path, &store), "'store.tephra' is there already");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_false(is_there(part));
	unlink(path);
}

static void a_file_that_came_meanwhile_is_not_replaced(void **state)
{
	struct store *store;
	struct stat st;

	(void)state;
	assert_null(store_create(path, &store));
	store_close(store);
	write_file("mine", 4);
	expect_error(store_create(path, &store), "is there already");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 4);
	unlink(path);
}

static void a_change_that_is_not_committed_is_rolled_back(void **state)
{
	struct stored stored;
	struct store *store;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	assert_null(store_change(stored.path, &store));
	assert_null(store_run(store, "DELETE FROM sample"));
	store_close(store);
	assert_int_equal(stored_number(&stored, "SELECT count(*) FROM sample"), 1);
	assert_null(store_change(stored.path, &store));
	assert_null(store_run(store, "UPDATE sample SET cpu = 77"));
	assert_null(store_commit(store));
	store_close(store);
	assert_int_equal(stored_number(&stored, "SELECT cpu FROM sample"), 77);
	stored_release(&stored);
}

static void what_is_opened_to_be_read_is_not_written_to(void **state)
{
	struct stored stored;
	struct store *store;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	assert_null(store_open(stored.path, &store));
	expect_error(store_run(store, "DELETE FROM sample"), "cannot write");
	expect_error(store_run(store, "ATTACH 'other.db' AS other"), "attached");
	store_close(store);
	assert_int_equal(stored_number(&stored, "SELECT count(*) FROM sample"), 1);
	stored_release(&stored);
}

static void triggers_of_the_file_do_not_run(void **state)
{
	struct stored stored;

	(void)state;
	stored_init(&stored);
	stored_add_text(&stored, "run", text);
	stored_change(&stored, "CREATE TRIGGER t AFTER INSERT ON sample BEGIN "
			       "DELETE FROM fact; END");
	stored_add_text(&stored, "second", text);
	assert_int_equal(stored_number(&stored, "SELECT count(*) FROM fact"), 4);
	stored_release(&stored);
}

static void what_is_no_profile_is_refused(void **state)
{
	struct store *store;

	(void)state;
	expect_error(store_open("missing", &store), "cannot open 'missing': No such file");
	expect_error(store_change("missing", &store), "cannot write 'missing': No such file");
	write_file("SQLite format 3\0\0", 17);
	assert_true(store_is_sqlite_file(path));
	expect_error(store_open(path, &store), "no SQLite file, or a damaged one");
	expect_error(store_change(path, &store), "no SQLite file, or a damaged one");
	write_file("main;f 3\n", 9);
	assert_false(store_is_sqlite_file(path));
	unlink(path);
}

static void heads_are_known(void **state)
{
	char head[100] = "SQLite format 3";

	(void)state;
	assert_true(store_is_sqlite(head, 16));
	assert_false(store_is_sqlite(head, 15));
	assert_false(store_is_profile(head, sizeof(head)));
	memcpy(head + 68, "TEPH", 4);
	assert_true(store_is_profile(head, 72));
	assert_false(store_is_profile(head, 71));
	head[0] = 's';
	assert_false(store_is_profile(head, 72));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_profile_is_seen_when_it_is_complete),
		cmocka_unit_test(an_aborted_one_leaves_nothing),
		cmocka_unit_test(what_a_killed_import_left_is_cleared),
		cmocka_unit_test(a_file_that_is_there_is_not_replaced),
		cmocka_unit_test(a_file_that_came_meanwhile_is_not_replaced),
		cmocka_unit_test(a_change_that_is_not_committed_is_rolled_back),
		cmocka_unit_test(what_is_opened_to_be_read_is_not_written_to),
		cmocka_unit_test(triggers_of_the_file_do_not_run),
		cmocka_unit_test(what_is_no_profile_is_refused),
		cmocka_unit_test(heads_are_known),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
