/* replay_names.c - events, tasks, modules, symbols and facts of a profile, read into a model */
#include "store/replay_names.h"
#include "store/clock_maps.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/losses.h"
#include "store/replay.h"
#include "store/series.h"
#include "store/store.h"
#include "store/value.h"

struct error *replay_damaged(const struct replay *replay, const char *table, int64_t id)
{
	return error_new(ERROR_INPUT, "'%s' is damaged: table %s, row %" PRId64 " leads nowhere",
			 replay->store->path, table, id);
}

struct error *replay_prepare(struct store *store, const char *sql, int64_t id, sqlite3_stmt **ret)
{
	struct error *err = store_prepare(store, sql, ret);

	if (!err && sqlite3_bind_parameter_count(*ret))
		sqlite3_bind_int64(*ret, 1, id);
	return err;
}

struct error *replay_finish(struct store *store, sqlite3_stmt *statement, int status,
			    struct error *err)
{
	sqlite3_finalize(statement);
	if (err || status == SQLITE_DONE || status == SQLITE_ROW)
		return err;
	return store_error(store, status);
}

static void ids_release(struct ids *ids)
{
	free(ids->list);
	*ids = (struct ids){0};
}

bool replay_set_any_id(const struct replay *replay, struct ids *ids, int64_t id, uint32_t meaning,
		       size_t *alloc)
{
	uint64_t at;

	if (!ids->list && !ids->has_base)
		ids->base = id;
	at = (uint64_t)id - (uint64_t)ids->base; /* large for what is before the base */
	if (at >= replay->rows_max)
		return false;
	GROW(ids->list, at + 1, *alloc);
	while (ids->nr <= at)
		ids->list[ids->nr++] = ID_NONE;
	ids->list[at] = meaning;
	return true;
}

bool replay_column_id(sqlite3_stmt *row, int column, const struct ids *ids, uint32_t none,
		      uint32_t *ret)
{
	int64_t id = sqlite3_column_int64(row, column);

	/* NULL reads as 0, and each question to SQLite costs */
	if (!id && sqlite3_column_type(row, column) == SQLITE_NULL) {
		*ret = none;
		return true;
	}
	*ret = ids_get(ids, id);
	return *ret != ID_NONE;
}

/* ---- one function a table */

static enum unit unit_of(const char *word)
{
	if (word && strcmp(word, "ns") == 0)
		return UNIT_NS;
	return word && strcmp(word, "events") == 0 ? UNIT_EVENTS : UNIT_SAMPLES;
}

static enum walked_by walked_by_of(const char *word)
{
	for (int by = WALKED_UNKNOWN + 1; word && by < WALKED_BY_NR; by++)
		if (strcmp(walked_by_word(by), word) == 0)
			return by;
	return WALKED_UNKNOWN;
}

static struct error *read_events(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT event_id, name, unit, has_periods, samples, call_chains "
			       "FROM event "
			       "WHERE capture_id = ? ORDER BY event_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t name = value_name(row, 1, &model->names);
		uint32_t event = events_add(&model->events, &model->names, name);
		weight samples;

		model->events.list[event].unit = unit_of((const char *)sqlite3_column_text(row, 2));
		model->events.list[event].has_periods |= sqlite3_column_int(row, 3) != 0;
		events_set_walked_by(&model->events, event,
				     walked_by_of((const char *)sqlite3_column_text(row, 5)));
		if (value_weight(row, 4, &samples))
			model->events.list[event].samples += samples;
		if (!replay_set_id(replay, &replay->events, sqlite3_column_int64(row, 0), event,
				   &alloc))
			err = replay_damaged(replay, "event", sqlite3_column_int64(row, 0));
	}
	return replay_finish(replay->store, row, status, err);
}

static bool column_task_id(sqlite3_stmt *row, int column, int32_t *ret)
{
	int64_t number = sqlite3_column_int64(row, column);

	*ret = TASK_ID_NONE;
	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return true;
	*ret = (int32_t)number;
	return number > INT32_MIN && number <= INT32_MAX;
}

static struct error *read_tasks(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT task_id, pid, tid, comm FROM task "
					   "JOIN thread USING (thread_id) WHERE capture_id = ? "
					   "ORDER BY task_id",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct task task;

		if (!column_task_id(row, 1, &task.pid) || !column_task_id(row, 2, &task.tid)) {
			err = replay_damaged(replay, "thread", sqlite3_column_int64(row, 0));
			break;
		}
		task.comm = value_name(row, 3, &model->names);
		if (!replay_set_id(replay, &replay->tasks, sqlite3_column_int64(row, 0),
				   tasks_add(&model->tasks, &task), &alloc))
			err = replay_damaged(replay, "task", sqlite3_column_int64(row, 0));
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *read_symbols(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT symbol_id, name FROM symbol WHERE capture_id = ? "
			       "ORDER BY symbol_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);

		if (!replay_set_id(replay, &replay->symbols, id, value_name(row, 1, &model->names),
				   &alloc))
			err = replay_damaged(replay, "symbol", id);
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *read_facts(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT name, value FROM fact WHERE capture_id = ? "
					   "ORDER BY position",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(row, 0);
		const char *value = (const char *)sqlite3_column_text(row, 1);

		facts_add(&replay->model->facts, name ? name : "",
			  (size_t)sqlite3_column_bytes(row, 0), value ? value : "",
			  (size_t)sqlite3_column_bytes(row, 1));
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *read_notes(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT code, count, first_line, first_byte FROM note "
					   "WHERE capture_id = ?",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		const char *code = (const char *)sqlite3_column_text(row, 0);

		for (int i = 0; code && i < NOTE_NR; i++)
			if (strcmp(notes_word(i), code) == 0)
				notes_add(&replay->model->notes, i, value_u64(row, 1),
					  value_u64(row, 2), value_u64(row, 3));
	}
	return replay_finish(replay->store, row, status, err);
}

/* What is known of all samples, those that will not be said too. */
static bool take_facts_of_all(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	struct capture *model = replay->model;

	model->is_counted = true;
	model->clock = from->clock;
	if (from->has_times && !model->has_times) {
		model->has_times = true;
		model->start_ns = from->start_ns;
		model->end_ns = from->end_ns;
	}
	if (!from->has_first_event || model->has_first_event)
		return true;
	model->has_first_event = true;
	model->first_event = ids_get(&replay->events, from->first_event);
	return model->first_event != ID_NONE;
}

struct error *replay_read_names(struct replay *replay)
{
	struct error *err = read_events(replay);

	if (!err)
		err = read_tasks(replay);
	if (!err)
		err = replay_read_modules(replay);
	if (!err)
		err = read_symbols(replay);
	if (!err)
		err = read_facts(replay);
	if (!err)
		err = read_notes(replay);
	if (!err)
		err = store_losses_read(replay->store, replay->from->id, &replay->events,
					&replay->model->losses);
	if (!err && !replay->model->ties.nr)
		err = store_clocks_of(replay->store, replay->from->id, &replay->model->ties);
	replay->series_begin = replay->model->series.nr;
	if (!err)
		err = store_series_read(replay->store, replay->from->id, replay->model,
					&replay->first_series);
	if (!err && !take_facts_of_all(replay))
		err = replay_damaged(replay, "capture", replay->from->id);
	replay->model->records += replay->from->records;
	replay->model->lost += replay->from->lost;
	replay->model->lost_samples += replay->from->lost_samples;
	return err;
}

void replay_release(struct replay *replay)
{
	ids_release(&replay->events);
	ids_release(&replay->tasks);
	ids_release(&replay->modules);
	ids_release(&replay->symbols);
	ids_release(&replay->locations);
	ids_release(&replay->stacks);
	ids_release(&replay->functions);
	ids_release(&replay->unwindings);
	store_dump_release(&replay->dump);
	free(replay->needed_stacks.marks);
	free(replay->list);
}
