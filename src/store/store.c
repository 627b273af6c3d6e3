/* store.c - the profile on disk: opened, checked, written as a whole or not at all */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/lock.h"
#include "store/migrate.h"

/* https://sqlite.org/fileformat2.html, "The Database Header" */
#define SQLITE_MAGIC	      "SQLite format 3"
#define APPLICATION_ID_OFFSET 68

bool store_is_sqlite(const void *at, size_t size)
{
	return size >= sizeof(SQLITE_MAGIC) && memcmp(at, SQLITE_MAGIC, sizeof(SQLITE_MAGIC)) == 0;
}

bool store_is_profile(const void *at, size_t size)
{
	return store_is_sqlite(at, size) && size >= APPLICATION_ID_OFFSET + 4 &&
	       memcmp((const char *)at + APPLICATION_ID_OFFSET, "TEPH", 4) == 0;
}

bool store_is_sqlite_file(const char *path)
{
	char head[sizeof(SQLITE_MAGIC)];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return false;
	got = pread(fd, head, sizeof(head), 0); /* fails on a pipe, of which nothing is taken */
	close(fd);
	return got > 0 && store_is_sqlite(head, (size_t)got);
}

static struct error *busy(const char *path, const char *file)
{
	pid_t holder = lock_holder(file);

	if (holder)
		return error_new(ERROR_OS, "'%s' is being written by process %d", path,
				 (int)holder);
	return error_new(ERROR_OS, "'%s' is being written by another process", path);
}

/* SQLite knows what it did and what the system said, but does not put it into words. */
static struct error *io_error(const struct store *store, int status)
{
	int number = sqlite3_system_errno(store->db);
	int extended = sqlite3_extended_errcode(store->db);
	bool is_read = extended == SQLITE_IOERR_READ || extended == SQLITE_IOERR_SHORT_READ;

	return error_new(ERROR_OS, "cannot %s '%s': %s", is_read ? "read" : "write", store->path,
			 number ? strerror(number) : sqlite3_errstr(status));
}

struct error *store_error(const struct store *store, int status)
{
	const char *path = store->path;

	switch (status & 0xff) {
	case SQLITE_IOERR:
		return io_error(store, status);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return busy(path, store->part ? store->part : path);
	case SQLITE_FULL:
		return error_new(ERROR_OS, "cannot write '%s': No space left on device", path);
	case SQLITE_NOTADB:
		return error_new(ERROR_INPUT, "'%s' is no SQLite file, or a damaged one", path);
	case SQLITE_CORRUPT:
		return error_new(ERROR_INPUT, "'%s' is damaged: %s", path,
				 sqlite3_errmsg(store->db));
	case SQLITE_READONLY:
		if (sqlite3_extended_errcode(store->db) == SQLITE_READONLY_ROLLBACK)
			return error_hint(error_new(ERROR_OS,
						    "'%s' was left half-written by an import that "
						    "was killed",
						    path),
					  "whoever may write it undoes that: tephra info '%s'",
					  path);
		/* fall through */
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return error_new(ERROR_OS, "cannot write '%s': %s", path,
				 sqlite3_errmsg(store->db));
	default:
		return error_new(ERROR_INPUT, "'%s': %s", path, sqlite3_errmsg(store->db));
	}
}

struct error *store_prepare(const struct store *store, const char *sql, sqlite3_stmt **ret)
{
	int status = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);

	return status == SQLITE_OK ? NULL : store_error(store, status);
}

struct error *store_step(const struct store *store, sqlite3_stmt *statement)
{
	int status = sqlite3_step(statement);

	sqlite3_reset(statement);
	return status == SQLITE_DONE ? NULL : store_error(store, status);
}

struct error *store_next_id(const struct store *store, const char *sql, int64_t *ret)
{
	sqlite3_stmt *statement;
	struct error *err = store_prepare(store, sql, &statement);
	int status;

	if (err)
		return err;
	status = sqlite3_step(statement);
	if (status == SQLITE_ROW)
		*ret = sqlite3_column_int64(statement, 0) + 1;
	sqlite3_finalize(statement);
	return status == SQLITE_ROW ? NULL : store_error(store, status);
}

struct error *store_run(const struct store *store, const char *sql)
{
	int status = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return status == SQLITE_OK ? NULL : store_error(store, status);
}

static struct store *new_store(const char *path)
{
	struct store *store = mem_zalloc(1, sizeof(*store));

	store->path = mem_strdup(path);
	store->part_fd = -1;
	return store;
}

static struct error *open_db(struct store *store, const char *file, int flags)
{
	/* one thread, so no locks: they take a twentieth of reading */
	int status = sqlite3_open_v2(file, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (status != SQLITE_OK)
		return store_error(store, status);
	/* the file is not ours until it is checked: nothing in it may run or write by itself */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_busy_timeout(store->db, STORE_WAIT_MS);
	return NULL;
}

/* What SQLite cannot say well: missing, a directory, not to be read. */
static struct error *check_file(const char *path, int access_mode)
{
	int fd = open(path, access_mode | O_CLOEXEC);

	if (fd < 0 && access_mode == O_RDWR)
		return error_os("cannot write '%s'", path);
	if (fd < 0)
		return error_os("cannot open '%s'", path);
	close(fd);
	return NULL;
}

static bool is_profile_file(const char *path)
{
	char head[APPLICATION_ID_OFFSET + 4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = pread(fd, head, sizeof(head), 0);
	close(fd);
	return got > 0 && store_is_profile(head, (size_t)got);
}

/*
 * What a killed import left half-written is undone from its journal, which takes somebody who
 * may write; as any reader of SQLite files does that may. Without a journal nothing is done.
 */
static void undo_killed_import(const char *path)
{
	CLEANUP(text_release) struct text journal = TEXT_INIT;
	sqlite3 *db = NULL;

	text_addf(&journal, "%s-journal", path);
	if (access(text_string(&journal), F_OK) != 0 || access(path, W_OK) != 0 ||
	    !is_profile_file(path))
		return;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
		sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
	sqlite3_close(db);
}

struct error *store_open(const char *path, struct store **ret)
{
	struct store *store = new_store(path);
	struct error *err = check_file(path, O_RDONLY);
	int version;

	if (!err)
		undo_killed_import(path);
	if (!err)
		err = open_db(store, path, SQLITE_OPEN_READONLY);
	/* one look at the file for all that is checked: each statement would take its own */
	if (!err)
		err = store_run(store, "BEGIN");
	if (!err)
		err = migrate_check(store, &version);
	if (!err && version < migrate_version())
		err = error_hint(error_new(ERROR_INPUT,
					   "%s: written by an older tephra (schema %d, this build "
					   "reads %d)",
					   path, version, migrate_version()),
				 "tephra import --add -o '%s' <capture> brings it up to date",
				 path);
	if (!err)
		err = migrate_check_tables(store);
	if (!err)
		err = store_run(store, "COMMIT");
	if (err) {
		store_close(store);
		return err;
	}
	*ret = store;
	return NULL;
}

/*
 * Takes the place where the new profile is written; what a killed import left is cleared.
 * *ret_holder is the process that was waited for, 0 for none.
 */
static struct error *take_part(struct store *store, pid_t *ret_holder)
{
	CLEANUP(text_release) struct text part = TEXT_INIT;

	text_addf(&part, "%s.part", store->path);
	store->part = text_take(&part);
	store->part_fd = lock_take(store->part, 0);
	if (store->part_fd < 0 && errno == EWOULDBLOCK) {
		*ret_holder = lock_holder(store->part);
		store->part_fd = lock_take(store->part, STORE_WAIT_MS);
	}
	if (store->part_fd < 0 && errno == EWOULDBLOCK)
		return busy(store->path, store->part);
	if (store->part_fd < 0)
		return error_os("cannot write '%s'", store->path);
	if (ftruncate(store->part_fd, 0) < 0)
		return error_os("cannot write '%s'", store->path);
	return NULL;
}

static struct error *refuse_existing(const char *path, pid_t holder)
{
	struct error *err;

	if (holder)
		err = error_new(ERROR_USAGE, "'%s' was made by process %d while this one waited",
				path, (int)holder);
	else
		err = error_new(ERROR_USAGE, "'%s' is there already", path);
	return error_hint(err, "--add adds to a profile");
}

static struct error *begin_new(struct store *store)
{
	/* the file is ours alone and not seen before it is complete: no journal on disk is needed
	 */
	static const char settings[] =
		"PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
		"PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;"
		"PRAGMA application_id = 0x54455048; BEGIN;";
	struct error *err = open_db(store, store->part, SQLITE_OPEN_READWRITE);

	if (!err)
		err = store_run(store, settings);
	store->is_changing = !err;
	return err ? err : migrate_run(store, migrate_version());
}

/* Without an error *ret is NULL where the profile is there, perhaps since we waited for it. */
static struct error *try_to_create(const char *path, struct store **ret, pid_t *ret_holder)
{
	struct store *store;
	struct error *err;

	*ret = NULL;
	*ret_holder = 0;
	if (access(path, F_OK) == 0)
		return NULL;
	store = new_store(path);
	err = take_part(store, ret_holder);
	if (!err && access(path, F_OK) != 0) {
		err = begin_new(store);
		if (!err)
			*ret = store;
	}
	if (!*ret)
		store_close(store);
	return err;
}

struct error *store_create(const char *path, struct store **ret)
{
	struct store *store;
	pid_t holder;
	struct error *err = try_to_create(path, &store, &holder);

	if (err)
		return err;
	if (!store)
		return refuse_existing(path, holder);
	*ret = store;
	return NULL;
}

struct error *store_add(const char *path, struct store **ret)
{
	struct store *store;
	pid_t holder;
	struct error *err = try_to_create(path, &store, &holder);

	if (err)
		return err;
	if (!store)
		return store_change(path, ret);
	*ret = store;
	return NULL;
}

struct error *store_change(const char *path, struct store **ret)
{
	struct store *store = new_store(path);
	struct error *err = check_file(path, O_RDWR);
	int version;

	if (!err)
		err = open_db(store, path, SQLITE_OPEN_READWRITE);
	if (!err)
		err = store_run(store, "PRAGMA cache_size = -65536; BEGIN IMMEDIATE;");
	store->is_changing = !err;
	if (!err)
		err = migrate_check(store, &version);
	if (!err)
		err = migrate_run(store, migrate_version());
	if (!err)
		err = migrate_check_tables(store);
	if (err) {
		store_close(store);
		return err;
	}
	*ret = store;
	return NULL;
}

/* A rename is durable once the file and its folder are. */
static struct error *publish(struct store *store)
{
	char *copy = mem_strdup(store->path);
	int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct error *err = NULL;

	if (fsync(store->part_fd) < 0 || rename(store->part, store->path) < 0)
		err = error_os("cannot write '%s'", store->path);
	if (!err && folder >= 0)
		fsync(folder);
	if (folder >= 0)
		close(folder);
	free(copy);
	return err;
}

static void forget_part(struct store *store)
{
	if (store->part_fd >= 0)
		close(store->part_fd);
	store->part_fd = -1;
	free(store->part);
	store->part = NULL;
}

struct error *store_commit(struct store *store)
{
	struct error *err = store_run(store, "COMMIT");
	int status;

	if (err)
		return err;
	store->is_changing = false;
	if (!store->part)
		return NULL;
	status = sqlite3_close(store->db);
	store->db = NULL;
	if (status != SQLITE_OK)
		return error_new(ERROR_OS, "cannot write '%s'", store->path);
	err = publish(store);
	if (!err)
		forget_part(store);
	return err;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->is_changing && !store->part)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(store->db);
	if (store->part && store->part_fd >= 0)
		unlink(store->part);
	forget_part(store);
	free(store->path);
	free(store);
}
