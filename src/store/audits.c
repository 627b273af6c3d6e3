/* audits.c - what a capture cannot say, in table audit */
#include "store/audits.h"

#include <sqlite3.h>

#include "store/store.h"

static struct error *take_away(struct store *store, int64_t capture)
{
	sqlite3_stmt *statement;
	struct error *err =
		store_prepare(store, "DELETE FROM audit WHERE capture_id = ?", &statement);

	if (err)
		return err;
	sqlite3_bind_int64(statement, 1, capture);
	err = store_step(store, statement);
	sqlite3_finalize(statement);
	return err;
}

static struct error *insert_one(struct store *store, sqlite3_stmt *insert,
				const struct store_finding *finding, size_t position)
{
	const char *const words[] = {finding->what, finding->answers, finding->avoid};

	sqlite3_bind_int64(insert, 2, (int64_t)position);
	sqlite3_bind_text(insert, 3, finding->code, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 4, finding->verdict, -1, SQLITE_STATIC);
	if (finding->share < 0)
		sqlite3_bind_null(insert, 5);
	else
		sqlite3_bind_double(insert, 5, finding->share);
	for (int i = 0; i < 3; i++)
		sqlite3_bind_text(insert, 6 + i, words[i], -1, SQLITE_STATIC);
	return store_step(store, insert);
}

struct error *store_audit_replace(struct store *store, int64_t capture,
				  const struct store_finding *list, size_t nr)
{
	sqlite3_stmt *insert = NULL;
	struct error *err = take_away(store, capture);

	if (!err)
		err = store_prepare(store, "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				    &insert);
	if (err)
		return err;
	sqlite3_bind_int64(insert, 1, capture);
	for (size_t i = 0; !err && i < nr; i++)
		err = insert_one(store, insert, &list[i], i);
	sqlite3_finalize(insert);
	return err;
}
