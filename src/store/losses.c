/* losses.c - what a recorder lost, in table loss */
#include "store/losses.h"

#include <sqlite3.h>
#include <string.h>

#include "model/events.h"
#include "model/losses.h"
#include "store/replay_names.h"
#include "store/store.h"
#include "store/value.h"

static void bind(sqlite3_stmt *insert, int64_t event, const struct loss *loss)
{
	sqlite3_bind_text(insert, 3, loss_word(loss->kind), -1, SQLITE_STATIC);
	if (loss->event == EVENT_NONE)
		sqlite3_bind_null(insert, 4);
	else
		sqlite3_bind_int64(insert, 4, event + loss->event);
	if (loss->second == LOSS_NO_SECOND)
		sqlite3_bind_null(insert, 5);
	else
		value_bind_u64(insert, 5, loss->second);
	value_bind_u64(insert, 6, loss->count);
	value_bind_u64(insert, 7, loss->ns);
}

struct error *store_losses_write(struct store *store, int64_t capture, int64_t event,
				 const struct losses *losses)
{
	sqlite3_stmt *insert;
	int status = sqlite3_prepare_v2(store->db, "INSERT INTO loss VALUES (?, ?, ?, ?, ?, ?, ?)",
					-1, &insert, NULL);

	if (status != SQLITE_OK)
		return store_error(store, status);
	status = SQLITE_DONE;
	for (uint32_t i = 0; status == SQLITE_DONE && i < losses->nr; i++) {
		sqlite3_bind_int64(insert, 1, capture);
		sqlite3_bind_int64(insert, 2, i);
		bind(insert, event, &losses->list[i]);
		status = sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	return status == SQLITE_DONE ? NULL : store_error(store, status);
}

/* False for a kind that this build does not know, or an event that is none. */
static bool take_row(sqlite3_stmt *row, const struct ids *events, struct loss *ret)
{
	const char *word = (const char *)sqlite3_column_text(row, 0);

	*ret = (struct loss){
		.second = LOSS_NO_SECOND, .count = value_u64(row, 3), .ns = value_u64(row, 4)};
	if (sqlite3_column_type(row, 2) != SQLITE_NULL)
		ret->second = value_u64(row, 2);
	while (ret->kind < LOSS_KIND_NR && (!word || strcmp(word, loss_word(ret->kind)) != 0))
		ret->kind++;
	return ret->kind < LOSS_KIND_NR &&
	       replay_column_id(row, 1, events, EVENT_NONE, &ret->event);
}

struct error *store_losses_read(struct store *store, int64_t capture, const struct ids *events,
				struct losses *ret)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(store,
					   "SELECT kind, event_id, second, count, ns FROM loss "
					   "WHERE capture_id = ? ORDER BY position",
					   capture, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct loss loss;

		if (take_row(row, events, &loss))
			losses_add(ret, &loss);
		else
			err = error_new(ERROR_INPUT, "'%s' is damaged: table loss leads nowhere",
					store->path);
	}
	return replay_finish(store, row, status, err);
}
