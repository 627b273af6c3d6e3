/* unwindings.c - how call chains were found, in table unwinding */
#include "store/unwindings.h"

#include <sqlite3.h>
#include <string.h>

#include "model/capture.h"
#include "store/captures.h"
#include "store/replay_names.h"
#include "store/store.h"

struct error *store_unwindings_write(struct store *store, int64_t capture, int64_t first,
				     const struct unwindings *unwindings)
{
	sqlite3_stmt *insert;
	int status = sqlite3_prepare_v2(store->db, "INSERT INTO unwinding VALUES (?, ?, ?, ?)", -1,
					&insert, NULL);

	if (status != SQLITE_OK)
		return store_error(store, status);
	status = SQLITE_DONE;
	for (uint32_t i = 0; status == SQLITE_DONE && i < unwindings->nr; i++) {
		const struct unwinding *unwinding = &unwindings->list[i];

		sqlite3_bind_int64(insert, 1, first + i);
		sqlite3_bind_int64(insert, 2, capture);
		sqlite3_bind_text(insert, 3, unwind_stop_word(unwinding->stop), -1, SQLITE_STATIC);
		sqlite3_bind_text(insert, 4, unwindings_found(unwindings, i), (int)unwinding->nr,
				  SQLITE_STATIC);
		status = sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	return status == SQLITE_DONE ? NULL : store_error(store, status);
}

/* Letters that this build does not know are of a profile that is damaged, or none of ours. */
static bool take_row(struct replay *replay, sqlite3_stmt *row, size_t *alloc)
{
	const char *word = (const char *)sqlite3_column_text(row, 1);
	const char *found = (const char *)sqlite3_column_text(row, 2);
	int size = sqlite3_column_bytes(row, 2);
	enum unwind_stop stop = word ? unwind_stop_of_word(word) : UNWIND_STOP_NR;

	if (stop == UNWIND_STOP_NR || !found)
		return false;
	for (int i = 0; i < size; i++)
		if (found_by_of_letter(found[i]) == FOUND_BY_NR)
			return false;
	return replay_set_id(
		replay, &replay->unwindings, sqlite3_column_int64(row, 0),
		unwindings_add(&replay->model->unwindings, stop, found, (uint32_t)size), alloc);
}

struct error *store_unwindings_read(struct replay *replay)
{
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT unwinding_id, stop, found_by FROM unwinding "
					   "WHERE capture_id = ? ORDER BY unwinding_id",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		if (!take_row(replay, row, &alloc))
			err = replay_damaged(replay, "unwinding", sqlite3_column_int64(row, 0));
	return replay_finish(replay->store, row, status, err);
}
