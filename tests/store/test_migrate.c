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
	assert_true(nr >= 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_a_file_for_each_version),
		cmocka_unit_test(every_older_profile_becomes_a_fresh_one),
		cmocka_unit_test(a_migration_that_is_not_committed_is_undone),
		cmocka_unit_test(a_newer_profile_is_refused),
		cmocka_unit_test(an_older_profile_is_not_read_as_it_is),
		cmocka_unit_test(every_table_is_missed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
