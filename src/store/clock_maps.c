/* clock_maps.c - table clock_map: what ties the clocks of a profile's captures */
#include "store/clock_maps.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "store/captures.h"
#include "store/replay_names.h"
#include "store/store.h"
#include "store/value.h"

/* ---- to be written */

static struct error *insert_tie(const struct store *store, sqlite3_stmt *insert, int64_t capture_id,
				int64_t to_capture_id, const struct clock_tie *tie)
{
	sqlite3_bind_int64(insert, 1, capture_id);
	value_bind_int(insert, 2, to_capture_id, 0);
	sqlite3_bind_text(insert, 3, tie_how_word(tie->how), -1, SQLITE_STATIC);
	value_bind_u64(insert, 4, tie->first_ns);
	value_bind_u64(insert, 5, tie->last_ns);
	sqlite3_bind_int64(insert, 6, tie->offset_ns);
	value_bind_u64(insert, 7, tie->error_ns);
	value_bind_u64(insert, 8, tie->drift_ppb);
	return store_step(store, insert);
}

static struct error *prepare_insert(const struct store *store, sqlite3_stmt **ret)
{
	return store_prepare(store,
			     "INSERT INTO clock_map (capture_id, to_capture_id, how, first_ns, "
			     "last_ns, offset_ns, error_ns, drift_ppb) "
			     "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			     ret);
}

struct error *store_clocks_write(struct store *store, int64_t capture_id,
				 const struct clock_ties *ties)
{
	sqlite3_stmt *insert = NULL;
	struct error *err = prepare_insert(store, &insert);

	for (size_t i = 0; !err && i < ties->nr; i++)
		err = insert_tie(store, insert, capture_id, 0, &ties->list[i]);
	sqlite3_finalize(insert);
	return err;
}

struct error *store_clocks_add(struct store *store, const struct store_captures *captures,
			       const struct clock_tie *tie)
{
	int64_t target = tie->target == CLOCK_WALL ? 0 : captures->list[tie->target].id;
	sqlite3_stmt *insert = NULL;
	struct error *err = prepare_insert(store, &insert);

	if (!err)
		err = insert_tie(store, insert, captures->list[tie->source].id, target, tie);
	sqlite3_finalize(insert);
	return err;
}

struct error *store_clocks_forget(struct store *store, int64_t capture_id, enum tie_how how,
				  uint64_t *ret_nr)
{
	sqlite3_stmt *statement;
	struct error *err = store_prepare(store,
					  "DELETE FROM clock_map WHERE (capture_id = ?1 "
					  "OR to_capture_id = ?1) AND ifnull(how = ?2, 1)",
					  &statement);

	if (err)
		return err;
	sqlite3_bind_int64(statement, 1, capture_id);
	if (how < TIE_HOW_NR)
		sqlite3_bind_text(statement, 2, tie_how_word(how), -1, SQLITE_STATIC);
	err = store_step(store, statement);
	if (!err)
		*ret_nr = (uint64_t)sqlite3_changes(store->db);
	sqlite3_finalize(statement);
	return err;
}

struct error *store_clocks_name(struct store *store, int64_t capture_id, enum source_clock clock)
{
	sqlite3_stmt *statement;
	struct error *err = store_prepare(
		store, "UPDATE capture SET clock = ?2 WHERE capture_id = ?1", &statement);

	if (err)
		return err;
	sqlite3_bind_int64(statement, 1, capture_id);
	sqlite3_bind_text(statement, 2, source_clock_word(clock), -1, SQLITE_STATIC);
	err = store_step(store, statement);
	sqlite3_finalize(statement);
	return err;
}

/* ---- to be read */

#define COLUMNS                                                                              \
	"clock_map_id, how, first_ns, last_ns, offset_ns, error_ns, drift_ppb, capture_id, " \
	"to_capture_id"

/* But for its ends. False where it is nothing that was written here. */
static bool take_tie(sqlite3_stmt *row, struct clock_tie *ret)
{
	const char *how = (const char *)sqlite3_column_text(row, 1);

	*ret = (struct clock_tie){
		.target = CLOCK_WALL,
		.how = how ? tie_how_of_word(how) : TIE_HOW_NR,
		.first_ns = value_u64(row, 2),
		.last_ns = value_u64(row, 3),
		.offset_ns = sqlite3_column_int64(row, 4),
		.error_ns = value_u64(row, 5),
		.drift_ppb = value_u64(row, 6),
	};
	return ret->how < TIE_HOW_NR && ret->first_ns <= ret->last_ns &&
	       ret->drift_ppb <= TIE_DRIFT_PPB_MAX;
}

static struct error *damaged(const struct store *store, sqlite3_stmt *row)
{
	return error_new(ERROR_INPUT, "'%s' is damaged: table clock_map, row %" PRId64, store->path,
			 (int64_t)sqlite3_column_int64(row, 0));
}

struct error *store_clocks_of(struct store *store, int64_t capture_id, struct clock_ties *ret)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(store,
					   "SELECT " COLUMNS " FROM clock_map WHERE capture_id = ? "
					   "AND to_capture_id IS NULL ORDER BY clock_map_id",
					   capture_id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct clock_tie tie;

		if (!take_tie(row, &tie) || !clock_ties_add(ret, &tie))
			err = damaged(store, row);
	}
	return replay_finish(store, row, status, err);
}

static bool find_capture(const struct store_captures *captures, int64_t id, uint32_t *ret)
{
	for (size_t i = 0; i < captures->nr; i++) {
		if (captures->list[i].id != id)
			continue;
		*ret = (uint32_t)i;
		return true;
	}
	return false;
}

static bool take_ends(sqlite3_stmt *row, const struct store_captures *captures,
		      struct clock_tie *tie)
{
	if (!find_capture(captures, sqlite3_column_int64(row, 7), &tie->source))
		return false;
	return sqlite3_column_type(row, 8) == SQLITE_NULL ||
	       find_capture(captures, sqlite3_column_int64(row, 8), &tie->target);
}

static struct clock_source source_of(const struct store_capture *capture)
{
	return (struct clock_source){
		.name = capture->name,
		.clock = capture->clock,
		.has_times = capture->has_times,
		.first_ns = capture->start_ns,
		.last_ns = capture->end_ns,
	};
}

struct error *store_clocks_read(struct store *store, const struct store_captures *captures,
				struct store_clocks *ret)
{
	sqlite3_stmt *row = NULL;
	struct error *err = store_prepare(
		store, "SELECT " COLUMNS " FROM clock_map ORDER BY clock_map_id", &row);
	int status = SQLITE_DONE;

	*ret = (struct store_clocks){.sources = mem_zalloc(captures->nr, sizeof(*ret->sources))};
	for (size_t i = 0; i < captures->nr; i++)
		ret->sources[i] = source_of(&captures->list[i]);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct clock_tie tie;

		if (!take_tie(row, &tie) || !take_ends(row, captures, &tie) ||
		    !clock_ties_add(&ret->ties, &tie))
			err = damaged(store, row);
	}
	err = replay_finish(store, row, status, err);
	ret->map =
		(struct clock_map){ret->sources, (uint32_t)captures->nr, &ret->ties, store->path};
	return err;
}

void store_clocks_release(struct store_clocks *clocks)
{
	free(clocks->sources);
	clock_ties_release(&clocks->ties);
	*clocks = (struct store_clocks){0};
}
