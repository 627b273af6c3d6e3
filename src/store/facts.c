/* facts.c - facts that come to a capture after its import */
#include "store/facts.h"

#include <sqlite3.h>

#include "model/facts.h"
#include "store/captures.h"
#include "store/store.h"

static struct error *run(struct store *store, sqlite3_stmt *statement)
{
	int status = sqlite3_step(statement);

	sqlite3_reset(statement);
	return status == SQLITE_DONE ? NULL : store_error(store, status);
}

static struct error *prepare(struct store *store, const struct store_capture *capture,
			     const char *sql, sqlite3_stmt **ret)
{
	struct error *err = store_prepare(store, sql, ret);

	if (!err)
		sqlite3_bind_int64(*ret, 1, capture->id);
	return err;
}

static struct error *take_away(struct store *store, const struct store_capture *capture,
			       const char *source, const char *prefix)
{
	sqlite3_stmt *statement;
	struct error *err = prepare(store, capture,
				    "DELETE FROM fact WHERE capture_id = ?1 AND source = ?2 "
				    "AND substr(name, 1, length(?3)) = ?3",
				    &statement);

	if (err)
		return err;
	sqlite3_bind_text(statement, 2, source, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, prefix, -1, SQLITE_STATIC);
	err = run(store, statement);
	sqlite3_finalize(statement);
	return err;
}

struct error *store_facts_replace(struct store *store, const struct store_capture *capture,
				  const char *source, const char *prefix, const struct facts *facts)
{
	sqlite3_stmt *statement = NULL;
	struct error *err = take_away(store, capture, source, prefix);

	if (!err)
		err = prepare(store, capture,
			      "INSERT INTO fact SELECT ?1, ifnull(max(position), -1) + 1, ?2, "
			      "?3, ?4 FROM fact WHERE capture_id = ?1",
			      &statement);
	for (size_t i = 0; !err && i < facts->nr; i++) {
		sqlite3_bind_text(statement, 2, source, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 3, facts->list[i].name, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 4, facts->list[i].value, -1, SQLITE_STATIC);
		err = run(store, statement);
	}
	sqlite3_finalize(statement);
	return err;
}
