/* test_migrate.c - a profile of any older version becomes one of this build's schema */
#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/migrate.h"
#include "store/store.h"

static const struct migration {
	const char *name, *sql;
} migrations[] = {
#include "schema/migrations.inc"
};

static const char path[] = "migrate.tephra";

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%.60s: %s", sql, why);
}

/* A profile of that version, made of the SQL of its files alone. */
static void make(int version)
{
	CLEANUP(text_release) struct text pragma = TEXT_INIT;
	sqlite3 *db;

	unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	run(db, "PRAGMA application_id = 0x54455048");
	for (int i = 0; i < version; i++)
		run(db, migrations[i].sql);
	text_addf(&pragma, "PRAGMA user_version = %d", version);
	run(db, text_string(&pragma));
	sqlite3_close(db);
}

/* All of sqlite_schema, and the version. */
static void show(const char *file, struct text *text)
{
	sqlite3_stmt *row;
	sqlite3 *db;

	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || "
				   "ifnull(sql, '-') FROM sqlite_schema UNION ALL "
				   "SELECT user_version FROM pragma_user_version ORDER BY 1",
				   -1, &row, NULL),
		SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW)
		text_addf(text, "%s\n", (const char *)sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	sqlite3_close(db);
}

static void there_is_a_file_for_each_version(void **state)
{
	(void)state;
	assert_int_equal(migrate_version(), ARRAY_NR(migrations));
	for (size_t i = 0; i < ARRAY_NR(migrations); i++)
		assert_int_equal(strtol(migrations[i].name, NULL, 10), i + 1);
}

static void every_older_profile_becomes_a_fresh_one(void **state)
{
	CLEANUP(text_release) struct text fresh = TEXT_INIT;
	struct store *store;

	(void)state;
	unlink(path);
	assert_null(store_create(path, &store));
	assert_null(store_commit(store));
	store_close(store);
	show(path, &fresh);
	assert_non_null(strstr(text_string(&fresh), "CREATE TABLE sample"));
	for (int version = 1; version <= migrate_version(); version++) {
		CLEANUP(text_release) struct text migrated = TEXT_INIT;

		make(version);
		assert_null(store_change(path, &store));
		assert_null(store_commit(store));
		store_close(store);
		show(path, &migrated);
		assert_string_equal(text_string(&migrated), text_string(&fresh));
	}
	unlink(path);
}

/* A profile of version 2 with a row of each kind that a later version keeps in another form. */
static const char rows_of_version_2[] =
	"INSERT INTO capture VALUES (1, 'a', '0', 1, 'folded', 5, NULL, NULL, 1, 1, 0, 1, 1500, 1, 0, "
	"0, 0, 0), (2, 'b', '1', 1, 'folded', 5, NULL, NULL, 2, 1, 0, 1501, 1502, 1, 0, 0, 0, 0);"
	"INSERT INTO event VALUES (1, 1, 'e', 'ns', 1, 5), (2, 2, 'e', 'ns', 1, 5);"
	"INSERT INTO thread VALUES (1, 1, 1, 1); INSERT INTO task VALUES (1, 1, 'x');"
	"INSERT INTO module VALUES (1, 1, '/m', 'm', 'unknown', NULL);"
	"INSERT INTO symbol VALUES (1, 1, 'f'), (2, 1, 'g'), (3, 2, 'f');"
	"INSERT INTO function VALUES (1, 1, 1, 1, 0), (2, 1, 2, NULL, 0), (3, 1, 1, 1, 1), "
	"(4, 1, NULL, 1, 0), (5, 2, 3, NULL, 0);"
	"WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) "
	"INSERT INTO location SELECT i, 1, i, 1, NULL, 0 FROM n;"
	"INSERT INTO location VALUES (1, 1, 7, 1, NULL, 0), (2, NULL, NULL, 2, NULL, 0), "
	"(3, 1, 8, 1, NULL, 1), (4, 1, 9, NULL, NULL, 0), (1501, NULL, 1, 3, NULL, 0), "
	"(1502, NULL, 2, 3, NULL, 0);"
	"INSERT INTO path_weight VALUES (1, 0, 1, NULL, '[]', 1, '18446744073709551615'), "
	"(1, 1, 1, 1, '[1]', '0.25', 7), (1, 2, 1, 1, '[1,2]', 3, 4), (1, 3, 1, 1, '[1,2]', 5, 6), "
	"(2, 0, 2, NULL, '[5,5,5]', 9223372036854775807, 0);"
	"WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
	"INSERT INTO path_weight SELECT 1, i, 1, 1, '[1,2,' || i || ']', i, 2 * i FROM n;";

static void add_rows(const char *sql, struct text *text)
{
	sqlite3_stmt *row;
	sqlite3 *db;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW)
		text_addf(text, "%s\n", (const char *)sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	sqlite3_close(db);
}

static void paths_are_the_same_in_blocks(void **state)
{
	static const char paths[] =
		"SELECT capture_id || ' ' || path_id || ' ' || event_id || ' ' || "
		"ifnull(task_id, '-') || ' ' || path || ' ' || count || ' ' || typeof(count) || "
		"' ' || period || ' ' || typeof(period) FROM path_weight ORDER BY capture_id, path_id";
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT, places = TEXT_INIT;
	struct store *store;
	sqlite3 *db;

	(void)state;
	make(2);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	run(db, rows_of_version_2);
	sqlite3_close(db);
	add_rows(paths, &before);
	assert_non_null(strstr(text_string(&before), "2 0 2 - [5,5,5] 9223372036854775807"));
	assert_null(store_change(path, &store));
	assert_null(store_commit(store));
	store_close(store);
	add_rows(paths, &after);
	assert_string_equal(text_string(&after), text_string(&before));
	add_rows(
		"SELECT (first_location_id + key) || ' ' || value FROM location_block, "
		"json_each(functions) WHERE first_location_id + key IN (1, 2, 3, 4, 5, 1024, 1025, "
		"1500, 1501, 1502) ORDER BY first_location_id + key",
		&places);
	assert_string_equal(text_string(&places), "1 1\n2 2\n3 3\n4 4\n5 1\n1024 1\n1025 1\n"
						  "1500 1\n1501 5\n1502 5\n");
	unlink(path);
}

static void a_migration_that_is_not_committed_is_undone(void **state)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;
	struct store *store;

	(void)state;
	make(1);
	show(path, &before);
	assert_null(store_change(path, &store));
	store_close(store);
	show(path, &after);
	assert_string_equal(text_string(&after), text_string(&before));
	unlink(path);
}

static void expect_refused(const char *text)
{
	struct store *store;
	struct error *err = store_open(path, &store);

	assert_non_null(err);
	if (!strstr(error_text(err), text))
		fail_msg("%s, expected %s", error_text(err), text);
	error_free(err);
	unlink(path);
}

static void a_newer_profile_is_refused(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct store *store;
	struct error *err;
	sqlite3 *db;

	(void)state;
	make(migrate_version());
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	text_addf(&text, "PRAGMA user_version = %d", migrate_version() + 1);
	run(db, text_string(&text));
	sqlite3_close(db);
	err = store_change(path, &store);
	assert_non_null(err);
	error_free(err);
	text_clear(&text);
	text_addf(&text, "written by a newer tephra (schema %d, this build knows %d)",
		  migrate_version() + 1, migrate_version());
	expect_refused(text_string(&text));
}

static void an_older_profile_is_not_read_as_it_is(void **state)
{
	(void)state;
	make(migrate_version() - 1);
	expect_refused("written by an older tephra");
}

static void every_table_is_missed(void **state)
{
	CLEANUP(text_release) struct text fresh = TEXT_INIT;
	const char *at;
	size_t nr = 0;

	(void)state;
	make(migrate_version());
	show(path, &fresh);
	for (at = text_string(&fresh); (at = strstr(at, "\ntable ")); nr++) {
		CLEANUP(text_release) struct text drop = TEXT_INIT, expected = TEXT_INIT;
		sqlite3 *db;
		int size;

		at += strlen("\ntable ");
		size = (int)strcspn(at, " ");
		make(migrate_version());
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		text_addf(&drop, "DROP TABLE %.*s", size, at);
		run(db, text_string(&drop));
		sqlite3_close(db);
		text_addf(&expected, "table %.*s is missing", size, at);
		expect_refused(text_string(&expected));
	}
	assert_true(nr >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_a_file_for_each_version),
		cmocka_unit_test(every_older_profile_becomes_a_fresh_one),
		cmocka_unit_test(paths_are_the_same_in_blocks),
		cmocka_unit_test(a_migration_that_is_not_committed_is_undone),
		cmocka_unit_test(a_newer_profile_is_refused),
		cmocka_unit_test(an_older_profile_is_not_read_as_it_is),
		cmocka_unit_test(every_table_is_missed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
