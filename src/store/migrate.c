/* migrate.c - the schema, step by step from any older version to this build's */
#include "store/migrate.h"

#include <sqlite3.h>
#include <stdio.h>

#include "base/mem.h"
#include "store/store.h"

static const struct migration {
	const char *name, *sql;
} migrations[] = {
#include "schema/migrations.inc"
};

int migrate_version(void)
{
	return ARRAY_NR(migrations);
}

static struct error *read_pragma(const struct store *store, const char *sql, int *ret)
{
	sqlite3_stmt *statement;
	int status = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);

	if (status == SQLITE_OK)
		status = sqlite3_step(statement);
	if (status == SQLITE_ROW)
		*ret = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	return status == SQLITE_ROW ? NULL : store_error(store, status);
}

struct error *migrate_check(const struct store *store, int *ret_version)
{
	int application_id, version;
	struct error *err = read_pragma(store, "PRAGMA application_id", &application_id);

	if (!err)
		err = read_pragma(store, "PRAGMA user_version", &version);
	if (err)
		return err;
	if (application_id != STORE_APPLICATION_ID)
		return error_new(ERROR_INPUT,
				 "'%s' is an SQLite file of another program, no profile",
				 store->path);
	if (version > migrate_version())
		return error_new(ERROR_INPUT,
				 "%s: written by a newer tephra (schema %d, this build knows %d)",
				 store->path, version, migrate_version());
	*ret_version = version;
	return NULL;
}

static struct error *check_table(const struct store *store, sqlite3_stmt *find, const char *name,
				 const char *sql)
{
	const char *found = NULL;
	struct error *err = NULL;
	int status;

	sqlite3_bind_text(find, 1, name, -1, SQLITE_STATIC);
	status = sqlite3_step(find);
	if (status == SQLITE_ROW)
		found = (const char *)sqlite3_column_text(find, 0);
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		err = store_error(store, status);
	else if (!found || strcmp(found, sql) != 0)
		err = error_new(ERROR_INPUT, "'%s' is damaged: table %s is %s", store->path, name,
				found ? "not the one that it should be" : "missing");
	sqlite3_reset(find);
	return err;
}

/* The tables that this build's schema has, made in memory. */
static int make_fresh(sqlite3 **ret)
{
	int status = sqlite3_open(":memory:", ret);

	for (size_t i = 0; status == SQLITE_OK && i < ARRAY_NR(migrations); i++)
		status = sqlite3_exec(*ret, migrations[i].sql, NULL, NULL, NULL);
	return status;
}

struct error *migrate_check_tables(const struct store *store)
{
	sqlite3 *fresh = NULL;
	sqlite3_stmt *table = NULL, *find = NULL;
	struct error *err = NULL;
	int status = make_fresh(&fresh);

	if (status == SQLITE_OK)
		status = sqlite3_prepare_v2(
			fresh, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'", -1,
			&table, NULL);
	if (status != SQLITE_OK)
		err = error_new(ERROR_OS, "schema: %s", sqlite3_errmsg(fresh));
	else
		status = sqlite3_prepare_v2(store->db,
					    "SELECT sql FROM sqlite_schema "
					    "WHERE type = 'table' AND name = ?",
					    -1, &find, NULL);
	if (!err && status != SQLITE_OK)
		err = store_error(store, status);
	while (!err && sqlite3_step(table) == SQLITE_ROW)
		err = check_table(store, find, (const char *)sqlite3_column_text(table, 0),
				  (const char *)sqlite3_column_text(table, 1));
	sqlite3_finalize(find);
	sqlite3_finalize(table);
	sqlite3_close(fresh);
	return err;
}

struct error *migrate_run(struct store *store, int to)
{
	int version;
	struct error *err = read_pragma(store, "PRAGMA user_version", &version);

	while (!err && version < to) {
		char pragma[64];

		err = store_run(store, migrations[version].sql);
		version++;
		snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", version);
		if (!err)
			err = store_run(store, pragma);
		if (err)
			err = error_within(err, "schema %s", migrations[version - 1].name);
	}
	return err;
}
