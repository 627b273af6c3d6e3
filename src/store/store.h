/* store.h - the profile on disk: opened, checked, written as a whole or not at all */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

/* "TEPH" in the header of the file: what makes an SQLite file a profile. */
#define STORE_APPLICATION_ID 0x54455048

/* How long another process may hold the profile before we give up. */
#define STORE_WAIT_MS 10000

struct store {
	struct sqlite3 *db; /* owned */
	char *path;	    /* owned: what the user named */
	char *part;	    /* owned: what a new profile is written to until it is complete */
	int part_fd;	    /* holds the lock on it, -1 without one */
	bool is_changing;   /* a transaction is open */
};

/* Is a file that begins with these bytes (100 are enough) a profile? An SQLite file at all? */
bool store_is_profile(const void *at, size_t size);
bool store_is_sqlite(const void *at, size_t size);

/* The same of a file. False where it cannot be read. */
bool store_is_sqlite_file(const char *path);

/*
 * Opens a profile to be read. Nothing is ever written to it, but that what a killed import
 * left in it is undone. Owned: store_close().
 */
ERROR_RESULT struct error *store_open(const char *path, struct store **ret);

/*
 * Begins a new profile, which stands beside its place as "<path>.part" until store_commit().
 * A file that is there already is refused. Waits while another process makes the same one.
 */
ERROR_RESULT struct error *store_create(const char *path, struct store **ret);

/*
 * Opens a profile to be added to, migrated to this build's schema if it is older, in one
 * transaction that store_commit() ends. Waits while another process writes.
 */
ERROR_RESULT struct error *store_change(const char *path, struct store **ret);

/* Opens a profile to be added to, or begins it where there is none: one of the two above. */
ERROR_RESULT struct error *store_add(const char *path, struct store **ret);

/* Makes everything that was written since store_create() or store_change() stay. */
ERROR_RESULT struct error *store_commit(struct store *store);

/* Closes; what was not committed is undone. */
void store_close(struct store *store);

/* The error that SQLite just met, in words, with the profile's name. */
ERROR_RESULT struct error *store_error(const struct store *store, int status);

/* One statement, owned: sqlite3_finalize(). */
ERROR_RESULT struct error *store_prepare(const struct store *store, const char *sql,
					 struct sqlite3_stmt **ret);

/* Runs a statement that gives no row and makes it ready for the next one. */
ERROR_RESULT struct error *store_step(const struct store *store, struct sqlite3_stmt *statement);

/* One more than the number that the query gives: "SELECT ifnull(max(task_id), 0) FROM task". */
ERROR_RESULT struct error *store_next_id(const struct store *store, const char *sql, int64_t *ret);

/* Runs statements without results. */
ERROR_RESULT struct error *store_run(const struct store *store, const char *sql);
