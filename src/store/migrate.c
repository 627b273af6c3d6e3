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

struct error *migrate_check_tables(const struct store *store)
{
	static const char *const tables[] = {
		"capture",  "event",	      "fact",	    "frame",	   "function",
		"location", "location_block", "loss",	    "module",	   "module_candidate",
		"note",	    "path_block",     "sample",	    "stack",	   "symbol",
		"task",	    "thread",	      "dump",	    "dump_space",  "unwinding",
		"series",   "series_label",   "tick_block", "point_block", "clock_map",
		"audit"};
	sqlite3_stmt *find;
	int status = sqlite3_prepare_v2(store->db,
					"SELECT 1 FROM sqlite_schema WHERE type = 'table' "
					"AND rootpage > 0 AND name = ?",
					-1, &find, NULL);
	struct error *err = NULL;

	for (size_t i = 0; !err && status == SQLITE_OK && i < ARRAY_NR(tables); i++) {
		sqlite3_bind_text(find, 1, tables[i], -1, SQLITE_STATIC);
		status = sqlite3_step(find);
		if (status == SQLITE_DONE)
			err = error_new(ERROR_INPUT, "'%s' is damaged: table %s is missing",
					store->path, tables[i]);
		if (status == SQLITE_ROW)
			status = SQLITE_OK;
		sqlite3_reset(find);
	}
	sqlite3_finalize(find);
	return err || status == SQLITE_OK ? err : store_error(store, status);
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
